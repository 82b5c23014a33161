#include "mode/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/prompts.h"

enum {
	CELL_MOST = 40, /* columns of a name among many */
	GAP = 2,
	MARGIN = 2, /* columns before a line of candidates */
	WORD_MAX = 64
};

static const char blanks[] = " \t";

static void clear_candidates(struct complete *complete)
{
	for (size_t i = 0; i < complete->count; i++) {
		free(complete->words[i].name);
		free(complete->words[i].help);
	}
	complete->count = 0;
	complete->left_out = 0;
	complete->takes_more = false;
	complete->is_stepping = false;
}

void complete_fini(struct complete *complete)
{
	clear_candidates(complete);
	free(complete->words);
	*complete = (struct complete){0};
}

void complete_offer(struct complete *complete, const char *name, const char *help)
{
	for (size_t i = 0; i < complete->count; i++)
		if (strcmp(complete->words[i].name, name) == 0)
			return;
	complete_add(complete, name, help);
}

bool complete_wants(struct complete *complete, const char *name)
{
	if (strncasecmp(name, complete->prefix, strlen(complete->prefix)) != 0)
		return false;
	complete->left_out += complete->count == COMPLETE_MOST;
	return complete->count < COMPLETE_MOST;
}

void complete_add(struct complete *complete, const char *name, const char *help)
{
	if (!complete_wants(complete, name))
		return;
	array_reserve(&complete->words, &complete->capacity, complete->count + 1,
		      sizeof(*complete->words));
	complete->words[complete->count++] = (struct complete_word){
		.name = xstrdup(name),
		.help = xstrdup(help ? help : ""),
	};
}

static void begin_word(struct complete *complete, const char *text, const char *word)
{
	complete->begin = (size_t)(word - text);
	complete->prefix = word;
}

/* One of the alternatives "A|b|c". */
static void offer_alternatives(struct complete *complete, struct app *app, const char *spec,
			       const char *word)
{
	char one[WORD_MAX];

	while (*spec != '\0') {
		const size_t length = strcspn(spec, "|");
		bool has_names;

		snprintf(one, sizeof(one), "%.*s", (int)length, spec);
		if (complete_is_kind(one, &has_names))
			complete_kind(complete, app, one, word);
		else
			complete_offer(complete, one, "");
		spec += length + (spec[length] == '|');
	}
}

/* Takes the next word of a command's argument off, without brackets; whether it is a list. */
static bool take_spec(const char **spec, char word[static WORD_MAX])
{
	static const char list[] = ",...";
	const size_t length = strcspn(*spec, " ");
	const char *begin = *spec;
	size_t used = 0;

	for (size_t i = 0; i < length && used + 1 < WORD_MAX; i++)
		if (begin[i] != '[' && begin[i] != ']')
			word[used++] = begin[i];
	word[used] = '\0';
	*spec += length + strspn(*spec + length, " ");
	if (used < sizeof(list) || strcmp(word + used - strlen(list), list) != 0)
		return false;
	word[used - strlen(list)] = '\0';
	return true;
}

/* What can be in a command's argument, of which this much is typed. */
static void offer_argument(struct complete *complete, struct app *app, const char *spec,
			   const char *text, const char *argument)
{
	static const char signs[] = "[-|+]";
	char word[WORD_MAX];
	bool is_list;

	if (strncmp(spec, signs, strlen(signs)) == 0) {
		spec += strlen(signs);
		argument += *argument == '-' || *argument == '+';
	}
	is_list = take_spec(&spec, word);
	while (spec[0] != '\0' && argument[strcspn(argument, blanks)] != '\0') {
		argument += strcspn(argument, blanks);
		argument += strspn(argument, blanks);
		is_list = take_spec(&spec, word);
	}
	if (is_list && strrchr(argument, ',')) {
		argument = strrchr(argument, ',') + 1;
		argument += strspn(argument, blanks);
	}
	begin_word(complete, text, argument);
	offer_alternatives(complete, app, word, argument);
}

/* only_settings: behind "in VIEW" */
static void offer_command_names(struct complete *complete, const struct command_table *table,
				bool only_settings)
{
	const char *argument;

	for (const struct command_info *row = NULL; (row = command_next(table, row));)
		if (row->is_setting || !only_settings)
			complete_offer(complete, row->name, row->help);
	if (complete->count == 1)
		complete->takes_more = command_find(table, complete->words[0].name, &argument, NULL)
					       ->argument[0] != '\0';
}

/* A command within a command begins at `from`. */
static void find_from(struct complete *complete, struct app *app, const char *text,
		      const char *from)
{
	static const char command_kind[] = "COMMAND";
	const struct command_info *info = NULL;
	const char *argument, *spec;

	for (;;) {
		from += strspn(from, blanks);
		begin_word(complete, text, from);
		if (from[strcspn(from, blanks)] == '\0') {
			offer_command_names(complete, app->commands, info && info->takes_command);
			return;
		}
		info = command_find(app->commands, from, &argument, NULL);
		if (!info)
			return;
		/* "KEY COMMAND": behind the key another command begins */
		spec = strstr(info->argument, command_kind);
		if (!spec || argument[strcspn(argument, blanks)] == '\0')
			break;
		from = argument + strcspn(argument, blanks);
	}
	offer_argument(complete, app, info->argument, text, argument);
}

void complete_find(struct complete *complete, struct app *app, const char *text)
{
	clear_candidates(complete);
	find_from(complete, app, text, text);
}

size_t complete_common(const struct complete *complete)
{
	size_t common;

	if (complete->count == 0 || complete->left_out > 0)
		return 0;
	common = strlen(complete->words[0].name);
	for (size_t i = 1; i < complete->count; i++) {
		size_t same = 0;

		while (same < common &&
		       complete->words[i].name[same] == complete->words[0].name[same])
			same++;
		common = same;
	}
	/* never a part of a character */
	while (common > 0 && ((unsigned char)complete->words[0].name[common] & 0xc0) == 0x80)
		common--;
	return common;
}

/* A line for each, with what it is. */
static void list_few(struct app *app)
{
	const struct complete *complete = &app->complete;
	size_t width = 0;

	for (size_t i = 0; i < complete->count; i++) {
		const size_t own = text_width(complete->words[i].name);

		width = own > width && own <= CELL_MOST ? own : width;
	}
	for (size_t i = 0; i < complete->count; i++) {
		struct strbuf *line = &app->prompts.candidates[i];
		const size_t own = text_width(complete->words[i].name);

		strbuf_clear(line);
		strbuf_add(line, complete->words[i].name);
		strbuf_add_repeated(line, ' ', GAP + (own < width ? width - own : 0));
		strbuf_add(line, complete->words[i].help);
	}
	app->prompts.candidate_count = complete->count;
}

/* Side by side; those that have no room are counted. */
static void list_many(struct app *app)
{
	const struct complete *complete = &app->complete;
	size_t cell = 0, across, room;

	for (size_t i = 0; i < complete->count; i++) {
		const size_t own = text_width(complete->words[i].name);

		cell = own > cell ? own : cell;
	}
	cell = (cell < CELL_MOST ? cell : CELL_MOST) + GAP;
	across = app->screen.width > MARGIN ? ((size_t)app->screen.width - MARGIN) / cell : 1;
	across = across > 0 ? across : 1;
	room = across * PROMPTS_CANDIDATES_MAX;
	for (size_t i = 0; i < PROMPTS_CANDIDATES_MAX; i++)
		strbuf_clear(&app->prompts.candidates[i]);
	for (size_t i = 0; i < complete->count && i < room; i++) {
		struct strbuf *line = &app->prompts.candidates[i / across];
		size_t width;
		const char *name = complete->words[i].name;
		const size_t bytes = text_fit(name, CELL_MOST, &width);

		if (i + 1 == room && complete->count > room) {
			strbuf_printf(line, "and %zu more",
				      complete->count + complete->left_out - i);
			break;
		}
		strbuf_add_bytes(line, name, bytes);
		strbuf_add_repeated(line, ' ', cell - width);
	}
	room = (complete->count + across - 1) / across;
	app->prompts.candidate_count =
		room < PROMPTS_CANDIDATES_MAX ? room : PROMPTS_CANDIDATES_MAX;
}

static void list_words(struct app *app)
{
	if (app->complete.count <= PROMPTS_CANDIDATES_MAX)
		list_few(app);
	else
		list_many(app);
}

/* Where in the prompt's text the word begins. */
static size_t word_in_prompt(const struct app *app)
{
	const char *command = app->prompts.info->command;

	return app->complete.begin - (command ? strlen(command) + 1 : 0);
}

/* Puts so much of a name in the place of the word before the cursor. */
static bool put_candidate(struct app *app, const char *name, size_t length, const char *behind)
{
	struct strbuf word = {0};
	bool changed;

	strbuf_add_bytes(&word, name, length);
	strbuf_add(&word, behind);
	changed = prompt_replace_word(&app->prompts.line, word_in_prompt(app), strbuf_text(&word));
	strbuf_fini(&word);
	return changed;
}

static bool step_candidates(struct app *app, bool is_back)
{
	struct complete *complete = &app->complete;
	const char *name;

	if (complete->step == complete->count)
		complete->step = is_back ? complete->count - 1 : 0;
	else
		complete->step =
			(complete->step + (is_back ? complete->count - 1 : 1)) % complete->count;
	name = complete->words[complete->step].name;
	return put_candidate(app, name, strlen(name), "");
}

static void find_for_prompt(struct app *app)
{
	const char *command = app->prompts.info->command;
	struct strbuf text = {0};

	if (command)
		strbuf_printf(&text, "%s ", command);
	strbuf_add_bytes(&text, prompt_text(&app->prompts.line), app->prompts.line.cursor);
	complete_find(&app->complete, app, strbuf_text(&text));
	app->complete.prefix = NULL;
	app->complete.step = app->complete.count;
	/* what begins within the prompt's own command is not to be put anywhere */
	if (command && app->complete.begin < strlen(command) + 1)
		clear_candidates(&app->complete);
	strbuf_fini(&text);
}

bool complete_key(struct app *app, bool is_back)
{
	struct complete *complete = &app->complete;
	size_t common;
	bool changed = false;

	if (complete->is_stepping)
		return step_candidates(app, is_back);
	find_for_prompt(app);
	app->prompts.candidate_count = 0;
	if (complete->count == 0)
		return false;
	if (complete->count == 1)
		return put_candidate(app, complete->words[0].name, strlen(complete->words[0].name),
				     complete->takes_more ? " " : "");
	/* names that differ in capitals have less in common than was typed */
	common = complete_common(complete);
	if (common > app->prompts.line.cursor - word_in_prompt(app))
		changed = put_candidate(app, complete->words[0].name, common, "");
	list_words(app);
	complete->is_stepping = true;
	return changed;
}

void complete_forget(struct app *app)
{
	if (app->complete.is_stepping)
		app->prompts.candidate_count = 0;
	app->complete.is_stepping = false;
}
