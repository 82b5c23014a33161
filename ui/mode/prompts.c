#include "mode/prompts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include "mode/acting.h"
#include "mode/app.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/complete.h"
#include "mode/find.h"
#include "mode/terminal_handoff.h"
#include "session/resolve.h"
#include "term/key.h"
#include "widget/frame.h"

static struct recall_list *find_recall(struct recall *recall, const char *kind)
{
	for (size_t i = 0; i < recall->count; i++)
		if (strcmp(recall->lists[i].kind, kind) == 0)
			return &recall->lists[i];
	return NULL;
}

void recall_fini(struct recall *recall)
{
	for (size_t i = 0; i < recall->count; i++) {
		for (size_t j = 0; j < recall->lists[i].count; j++)
			free(recall->lists[i].texts[j]);
		free(recall->lists[i].texts);
	}
	free(recall->draft);
	*recall = (struct recall){0};
}

static void fini_prompts(void *state)
{
	struct prompts *prompts = state;

	complete_fini(&prompts->complete);
	strbuf_fini(&prompts->text_before);
	prompt_fini(&prompts->line);
	recall_fini(&prompts->recall);
}

static void forget_recall(struct recall_list *list, size_t index)
{
	free(list->texts[index]);
	memmove(&list->texts[index], &list->texts[index + 1],
		(list->count - index - 1) * sizeof(*list->texts));
	list->count--;
}

void recall_add(struct recall *recall, const char *kind, const char *text)
{
	struct recall_list *list = find_recall(recall, kind);

	if (text[0] == '\0' || (!list && recall->count == RECALL_KINDS_MAX))
		return;
	if (!list) {
		list = &recall->lists[recall->count++];
		list->kind = kind;
	}
	for (size_t i = list->count; i-- > 0;)
		if (strcmp(list->texts[i], text) == 0)
			forget_recall(list, i);
	if (list->count == RECALL_TEXTS_MAX)
		forget_recall(list, 0);
	array_reserve(&list->texts, &list->capacity, list->count + 1, sizeof(*list->texts));
	list->texts[list->count++] = xstrdup(text);
}

static void recall_rest(struct recall *recall)
{
	recall->back = 0;
	free(recall->draft);
	recall->draft = NULL;
}

const char *recall_step(struct recall *recall, const char *kind, const char *typed, bool back)
{
	struct recall_list *list = find_recall(recall, kind);

	if (!list || (back ? recall->back >= list->count : recall->back == 0))
		return NULL;
	if (recall->back == 0) {
		free(recall->draft);
		recall->draft = xstrdup(typed);
	}
	recall->back = back ? recall->back + 1 : recall->back - 1;
	return recall->back == 0 ? recall->draft : list->texts[list->count - recall->back];
}

/* The text is a command itself. */
static const struct command_info any_command = {.name = "command", .prompt = ":"};

const struct command_info *prompts_next(const struct command_table *table,
					const struct command_info *row)
{
	const struct command_info *next = row;

	do
		next = command_next(table, next);
	while (next && !next->prompt);
	if ((!row || strcmp(row->name, any_command.name) < 0) &&
	    (!next || strcmp(any_command.name, next->name) < 0))
		return &any_command;
	return next;
}

static struct prompts *prompts_of(const struct app *app)
{
	return app->parts[PART_prompts];
}

/* Runs the command of a prompt with the text typed so far. */
static bool run_prompted(struct app *app, struct error *error)
{
	const char *text = prompt_text(&prompts_of(app)->line);
	struct strbuf command = {0};
	bool good;

	if (prompts_of(app)->info == &any_command)
		return command_run(app, text, error);
	strbuf_printf(&command, "%s %s", prompts_of(app)->info->name, text);
	good = command_run(app, strbuf_text(&command), error);
	strbuf_fini(&command);
	return good;
}

static bool asks_for(const struct app *app, const char *name)
{
	return strcmp(prompts_of(app)->info->name, name) == 0;
}

/* What is in it at first. False: there is nothing to ask for. */
static bool write_proposal(struct app *app, struct strbuf *text, struct error *error)
{
	complete_clear(&prompts_of(app)->complete);
	if (asks_for(app, "filter"))
		strbuf_add(text, filters_last(app));
	else if (asks_for(app, "attach"))
		attach_propose(app, text);
	else if (asks_for(app, "record"))
		strbuf_add(text, RECORD_COMMAND_FILE);
	else if (asks_for(app, "delay"))
		strbuf_printf(text, "%g", app->delay_s);
	else if (asks_for(app, "by-event"))
		strbuf_add(text, engine_sampled_by(app->engine));
	else if (asks_for(app, "user") && app->request.uid >= 0)
		strbuf_printf(text, "%lld", (long long)app->request.uid);
	else if (asks_for(app, "hand-over"))
		return terminal_handoff_propose(app, text, error);
	else if (acting_has_prompt(prompts_of(app)->info->name))
		return acting_propose(app, prompts_of(app)->info->name, text, error);
	return true;
}

static bool open_this(struct app *app, const struct command_info *info, struct error *error)
{
	const struct command_info *before = prompts_of(app)->info;
	struct strbuf text = {0};
	bool good;

	prompts_of(app)->info = info;
	good = write_proposal(app, &text, error);
	if (!good) {
		prompts_of(app)->info = before; /* the prompt where it was asked for stays open */
	} else {
		strbuf_clear(&prompts_of(app)->text_before);
		strbuf_add(&prompts_of(app)->text_before, strbuf_text(&app->filter));
		if (asks_for(app, "hand-over")) /* a command to be completed */
			prompt_open(&prompts_of(app)->line, info->prompt, strbuf_text(&text));
		else
			prompt_propose(&prompts_of(app)->line, info->prompt, strbuf_text(&text));
		mode_open(app, &prompt_mode);
		recall_rest(&prompts_of(app)->recall);
		if (asks_for(app, "attach")) {
			engine_need_cgroups(app->engine, true); /* to be listed */
			attach_introduce_all(app);
		}
		if (asks_for(app, "search"))
			search_begin(app);
	}
	strbuf_fini(&text);
	return good;
}

/* With all that there are. */
static bool refuse_name(const struct app *app, struct error *error)
{
	struct strbuf usage = {0};

	for (const struct command_info *info = NULL; (info = prompts_next(app->commands, info));)
		strbuf_printf(&usage, "%s%s", usage.length > 0 ? "|" : "ask ", info->name);
	error_set(error, ERROR_COMMAND_USAGE, strbuf_text(&usage), NULL);
	strbuf_fini(&usage);
	return false;
}

bool prompts_open(struct app *app, const char *name, struct error *error)
{
	if (strcmp(name, "record") == 0 && record_command_is_on(app))
		return record_command_run(app, "", error);
	for (const struct command_info *info = NULL; (info = prompts_next(app->commands, info));)
		if (strcmp(info->name, name) == 0)
			return command_may_run(app, info, error) && open_this(app, info, error);
	return refuse_name(app, error);
}

/* How many characters of the command are before the prompt's text. */
static size_t prompted_length(const struct app *app)
{
	const struct command_info *info = prompts_of(app)->info;

	return info == &any_command ? 0 : strlen(info->name) + 1;
}

/* The sentence and what would mend it; the cursor goes to the fault. */
static void refuse_prompt(struct app *app, const struct error *error)
{
	char sentence[sizeof(error->text) + sizeof(error->remedy) + 2];
	size_t fault = app->fault;

	snprintf(sentence, sizeof(sentence), "%s%s%s", error->text,
		 error->remedy[0] != '\0' ? "; " : "", error->remedy);
	if (fault != RESOLVE_NOWHERE)
		fault -= prompted_length(app);
	prompt_refuse(&prompts_of(app)->line, sentence, fault);
}

static bool asks_for_filter(const struct app *app)
{
	return asks_for(app, "filter") || asks_for(app, "filter-add");
}

/* What is typed so far narrows the rows at once, but for a log: a million entries take longer than
 * the next key. */
static void try_filter(struct app *app)
{
	if (!app_current(app)->info->is_log)
		filters_try(app, strbuf_text(&prompts_of(app)->text_before),
			    prompt_text(&prompts_of(app)->line), asks_for(app, "filter-add"));
}

static void close_prompt(struct app *app)
{
	prompt_close(&prompts_of(app)->line);
	mode_close(app, &prompt_mode);
	complete_clear(&prompts_of(app)->complete);
}

/* What was typed is none, but only one is like it, and on the screen. */
static bool attach_only_candidate(struct app *app, struct error *error)
{
	struct prompts *prompts = prompts_of(app);
	const struct complete *complete = &prompts->complete;

	if (!asks_for(app, "attach") || complete->count != 1 || complete->left_out > 0 ||
	    strpbrk(prompt_text(&prompts->line), ",0123456789"))
		return false;
	prompt_set(&prompts->line, complete->words[0].name);
	*error = (struct error){0};
	return run_prompted(app, error);
}

static void finish_prompt(struct app *app)
{
	const struct command_info *asked = prompts_of(app)->info;
	struct error error = {0};

	/* what was refused is worth to be typed again, too */
	recall_add(&prompts_of(app)->recall, asked->name, prompt_text(&prompts_of(app)->line));
	recall_rest(&prompts_of(app)->recall);
	if (asks_for_filter(app))
		filters_restore(app, strbuf_text(&prompts_of(app)->text_before));
	if (!run_prompted(app, &error) && !attach_only_candidate(app, &error)) {
		if (asks_for_filter(app))
			try_filter(app);
		refuse_prompt(app, &error);
		return;
	}
	/* the command may have asked for something else */
	if (prompts_of(app)->info == asked)
		close_prompt(app);
}

static void leave_prompt(struct app *app)
{
	if (asks_for(app, "search"))
		search_return(app);
	if (asks_for_filter(app) && !app_current(app)->info->is_log)
		filters_restore(app, strbuf_text(&prompts_of(app)->text_before));
	acting_leave_prompt(app);
	close_prompt(app);
}

/* Half an expression is no reason to refuse it, nor to count anything. */
static void look_at_change(struct app *app)
{
	struct error error = {0};

	if (asks_for(app, "search")) {
		search_return(app);
		run_prompted(app, &error);
	}
	if (asks_for_filter(app))
		try_filter(app);
	if (asks_for(app, "attach") && !prompts_of(app)->complete.is_stepping)
		attach_list_candidates(app, prompt_text(&prompts_of(app)->line));
}

/* The text that was entered before, or after. False: there is none. */
static bool recall(struct app *app, bool back)
{
	const char *text = recall_step(&prompts_of(app)->recall, prompts_of(app)->info->name,
				       prompt_text(&prompts_of(app)->line), back);

	if (!text)
		return false;
	prompt_set(&prompts_of(app)->line, text);
	return true;
}

/* Where in the prompt's text the word begins. */
static size_t word_in_prompt(const struct app *app)
{
	return prompts_of(app)->complete.begin - prompted_length(app);
}

/* Puts so much of a name in the place of the word before the cursor. */
static bool put_candidate(struct app *app, const char *name, size_t length, const char *behind)
{
	struct strbuf word = {0};
	bool changed;

	strbuf_add_bytes(&word, name, length);
	strbuf_add(&word, behind);
	changed = prompt_replace_word(&prompts_of(app)->line, word_in_prompt(app),
				      strbuf_text(&word));
	strbuf_fini(&word);
	return changed;
}

static bool step_candidates(struct app *app, bool is_back)
{
	struct complete *complete = &prompts_of(app)->complete;
	const size_t by = is_back ? complete->count - 1 : complete->is_put;
	const char *name;

	complete->cursor.at = (complete->cursor.at + by) % complete->count;
	complete->is_put = true;
	name = complete->words[complete->cursor.at].name;
	return put_candidate(app, name, strlen(name), "");
}

static void find_for_prompt(struct app *app)
{
	struct complete *complete = &prompts_of(app)->complete;
	struct strbuf text = {0};

	if (prompts_of(app)->info != &any_command)
		strbuf_printf(&text, "%s ", prompts_of(app)->info->name);
	strbuf_add_bytes(&text, prompt_text(&prompts_of(app)->line), prompts_of(app)->line.cursor);
	complete_find(complete, app, strbuf_text(&text));
	complete->prefix = "";
	/* what begins within the prompt's own command is not to be put anywhere */
	if (complete->begin < prompted_length(app))
		complete_clear(complete);
	strbuf_fini(&text);
}

static bool complete_in_prompt(struct app *app, bool is_back)
{
	struct complete *complete = &prompts_of(app)->complete;
	size_t common;
	bool changed = false;

	if (complete->is_stepping)
		return step_candidates(app, is_back);
	find_for_prompt(app);
	if (complete->count == 1) {
		changed =
			put_candidate(app, complete->words[0].name, strlen(complete->words[0].name),
				      complete->takes_more ? " " : "");
		complete_clear(complete);
	}
	if (complete->count == 0)
		return changed;
	/* names that differ in capitals have less in common than was typed */
	common = complete_common(complete);
	if (common > prompts_of(app)->line.cursor - word_in_prompt(app))
		changed = put_candidate(app, complete->words[0].name, common, "");
	complete->is_stepping = true;
	return changed;
}

/* Keys that need to know more than the line. False: it is not one of them. */
static bool take_key_in_prompt(struct app *app, uint32_t key, bool *changed)
{
	switch (key) {
	case KEY_CODE_TAB:
	case KEY_CODE_BACK_TAB:
		*changed = complete_in_prompt(app, key == KEY_CODE_BACK_TAB);
		return true;
	case KEY_CODE_UP:
	case KEY_CODE_DOWN:
		*changed = recall(app, key == KEY_CODE_UP);
		return true;
	default:
		return false;
	}
}

static void take_prompt_key(struct app *app, uint32_t key)
{
	bool changed;

	app->needs_drawing = true;
	if (key != KEY_CODE_TAB && key != KEY_CODE_BACK_TAB &&
	    prompts_of(app)->complete.is_stepping)
		complete_clear(&prompts_of(app)->complete);
	if (take_key_in_prompt(app, key, &changed)) {
		if (changed)
			look_at_change(app);
		return;
	}
	switch (prompt_key(&prompts_of(app)->line, key)) {
	case PROMPT_CHANGED:
		recall_rest(&prompts_of(app)->recall);
		look_at_change(app);
		break;
	case PROMPT_DONE:
		finish_prompt(app);
		break;
	case PROMPT_LEFT:
		leave_prompt(app);
		break;
	case PROMPT_GOES_ON:
		break;
	}
}

static size_t prompt_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	static const struct frame_key all[] = {
		{"Enter", "done"},       {"Esc", "cancel"}, {"Tab", "complete"},
		{"Up", "earlier texts"}, {"^U", "clear"},
	};
	size_t count = 0;

	for (; count < sizeof(all) / sizeof(*all) && count < max; count++)
		keys[count] = all[count];
	return count;
}

static void show_prompt(struct app *app, struct frame *frame)
{
	frame->prompt = &prompts_of(app)->line;
	frame->covered = complete_lines(&prompts_of(app)->complete);
}

/* The words that can be typed, over the end of the table. */
static void draw_over_prompt(struct app *app, struct frame *frame)
{
	int lines;
	const int y = frame_covered(&app->screen, frame, &lines);

	if (lines > 0)
		complete_draw(&prompts_of(app)->complete, &app->screen, y, lines);
}

const struct mode prompt_mode = {
	.key = take_prompt_key,
	.takes_text = true,
	.keys = prompt_keys,
	.show = show_prompt,
	.draw_over = draw_over_prompt,
};

const struct app_part part_prompts = {.bytes = sizeof(struct prompts), .fini = fini_prompts};
