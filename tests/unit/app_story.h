#ifndef PERFTOP_TESTS_APP_STORY_H
#define PERFTOP_TESTS_APP_STORY_H

/*
 * Stories of what is done on the app of app_kit.h, and what is so afterwards: steps with
 * " | " between them. The rows are made anew after each step that may have changed them.
 *
 *	:COMMAND           runs
 *	!COMMAND => TEXT   is refused with this text
 *	'TEXT              is typed
 *	key NAME...        are pressed
 *	@WORD              prepares something (prepare())
 *	ASPECT VALUE       is so (aspects below); of screen, text, says and columns a part will do
 */

#include <string.h>

#include "view/column.h"
#include "view/groups.h"
#include "view/pairs.h"

#include "app_kit.h"
#include "mode/acting.h"
#include "mode/browser.h"
#include "mode/compared.h"
#include "mode/setup.h"
#include "term/key.h"
#include "term/theme.h"
#include "unit.h"

struct story {
	const char *name, *steps;
};

/* Steps of a test's own; false: it is not one of them. */
static bool (*more_steps)(const char *step);

static uint64_t story_span; /* of the time line, when its keys are tried */

static inline const char *number(int64_t value)
{
	static char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	return text;
}

static inline const char *yes(bool is)
{
	return is ? "yes" : "no";
}

/* The rows by their pids; the one under the cursor in brackets. */
static inline const char *pids_shown(void)
{
	static char text[128];
	const size_t cursor = kit.app.lists[kit.app.view].cursor.at;
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < view_table_row_count(kit.app.table); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   i == cursor ? "%s[%d]" : "%s%d", i > 0 ? " " : "",
					   view_table_row(kit.app.table, i)->pid);
	return text;
}

/* The pids of those that an action is meant for. */
static inline const char *pids_meant(void)
{
	static char text[64];
	const struct view_row *rows[8];
	const size_t count = tags_rows(&kit.app, rows, COUNT_OF(rows));
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%d",
					   i > 0 ? " " : "", rows[i]->pid);
	return text;
}

static inline const char *columns_shown(void)
{
	static char text[1024];

	kit_build();
	strcpy(text, " ");
	for (size_t i = 0; i < view_table_column_count(kit.app.table); i++) {
		strcat(text, view_table_column(kit.app.table, i)->name);
		strcat(text, " ");
	}
	return text;
}

static inline const char *screen_shown(void)
{
	static struct strbuf screen;

	compose_frame_draw(&kit.app);
	strbuf_fini(&screen);
	screen_dump(&kit.app.screen, &screen);
	return strbuf_text(&screen);
}

static inline void draw_shown(void)
{
	if (kit.app.needs_build)
		kit_build();
	compose_frame_draw(&kit.app);
}

/* Where the text is on the screen, in bytes of its line. */
static inline void find_shown(const char *text, int *x, int *y)
{
	const char *screen, *found;

	draw_shown();
	screen = screen_shown();
	found = strstr(screen, text);
	if (!found)
		fail_msg("\"%s\" is not on the screen:\n%s", text, screen);
	*x = *y = 0;
	for (const char *c = screen; c < found; c++) {
		*x = *c == '\n' ? 0 : *x + 1;
		*y += *c == '\n';
	}
}

static inline const char *what_is_open(void)
{
	static const struct {
		const struct mode *mode;
		const char *name;
	} modes[] = {
		{&acting_mode, "signals"}, {&browser_mode, "events"},
		{&code_page_mode, "code"}, {&page_mode, "page"},
		{&pager_mode, "help"},     {&help_mode, "help"},
		{&setup_mode, "setup"},    {&sort_menu_mode, "sort-menu"},
	};

	for (size_t i = 0; i < COUNT_OF(modes); i++)
		if (mode_is_open(&kit.app, modes[i].mode))
			return modes[i].name;
	return "-";
}

/* What a setting is, chosen or not. */
static inline const char *word_of(enum setting setting)
{
	static char word[SETTING_WORD_MAX];
	const int value = kit.app.request.settings.all[setting];

	if (value == SETTING_UNSET)
		return "-";
	setting_word(&setting_table[setting], value, word);
	return word;
}

static inline const char *aspect_of_rows(const char *aspect)
{
	const struct app *app = &kit.app;
	const struct row_marks *marks = app->parts[PART_row_marks];
	const struct view_state *view = app_current(&kit.app);
	const struct view_row *row = app_row(&kit.app);
	bool descends;

	if (strcmp(aspect, "row") == 0)
		return number(row ? row->pid : -1);
	if (strcmp(aspect, "rows") == 0)
		return number((int64_t)view_table_row_count(app->table));
	if (strcmp(aspect, "pids") == 0)
		return pids_shown();
	if (strcmp(aspect, "meant") == 0)
		return pids_meant();
	if (strcmp(aspect, "columns") == 0 || strcmp(aspect, "hides") == 0 ||
	    strcmp(aspect, "just") == 0)
		return columns_shown();
	if (strcmp(aspect, "sort") == 0)
		return view_table_sort(app->table, &descends)->name;
	if (strcmp(aspect, "order") == 0) /* that is asked for */
		return view->order.sort ? view->order.sort->name : "-";
	if (strcmp(aspect, "then") == 0)
		return view->order.then ? view->order.then->name : "-";
	if (strcmp(aspect, "reversed") == 0)
		return yes(view->order.sort_reversed);
	if (strcmp(aspect, "tags") == 0)
		return number((int64_t)marks->tags.count);
	if (strcmp(aspect, "tree") == 0)
		return yes(app->request.settings.tree);
	if (strcmp(aspect, "folds") == 0)
		return marks->folds.all ? "all" : "some";
	if (strcmp(aspect, "kernel") == 0)
		return yes(app->request.settings.kernel_threads);
	if (strcmp(aspect, "exited") == 0)
		return yes(app->request.settings.exited);
	if (strcmp(aspect, "followed") == 0)
		return yes(app->lists[app->view].is_followed);
	if (strcmp(aspect, "filter") == 0)
		return app->filter.length > 0 ? strbuf_text(&app->filter) : "-";
	if (strcmp(aspect, "scroll") == 0)
		return number(app->lists[app->view].scroll);
	if (strcmp(aspect, "threads") == 0)
		return yes(app->request.settings.threads);
	if (strcmp(aspect, "idle") == 0)
		return yes(app->request.settings.idle);
	if (strcmp(aspect, "lines") == 0)
		return yes(app_shows_command_lines(app));
	if (strcmp(aspect, "uid") == 0)
		return number(app->request.uid);
	if (strcmp(aspect, "group-by") == 0)
		return grouping_get(app->request.settings.group_by)->name;
	return NULL;
}

/* Of the event browser and the set-up page. */
static inline const char *aspect_of_pages(const char *aspect)
{
	const struct app *app = &kit.app;
	const struct browser *browser = app->parts[PART_browser];
	const struct setup *setup = app->parts[PART_setup];

	if (strcmp(aspect, "search") == 0)
		return prompt_text(&browser->search);
	if (strcmp(aspect, "search-cursor") == 0)
		return number((int64_t)browser->search.cursor);
	if (strcmp(aspect, "detail-page") == 0)
		return number((int64_t)browser->detail_page);
	if (strcmp(aspect, "changed") == 0)
		return yes(setup->is_changed);
	if (strcmp(aspect, "side") == 0)
		return setup->side == SETUP_SHOWN ? "shown" : "available";
	if (strcmp(aspect, "width") == 0) /* of the column of pids */
		return number(columns_find(kit.engine->resolver.columns, "pid")->width);
	return NULL;
}

static inline const char *aspect_of_time(const char *aspect)
{
	const struct app *app = &kit.app;
	const struct strips *strips = app->parts[PART_timeline];
	const uint64_t span = strips->span_ns > 0 ? strips->span_ns : UINT64_MAX;

	if (strcmp(aspect, "interval") == 0)
		return number((int64_t)app_snapshot(app)->sequence);
	if (strcmp(aspect, "frozen") == 0)
		return yes(playback_is_frozen(app->playback));
	if (strcmp(aspect, "marked") == 0)
		return yes(compared_mark(app).snapshot);
	if (strcmp(aspect, "window") == 0)
		return app->request.window_ns == HISTORY_VIEW_INTERVAL
			       ? "interval"
			       : number((int64_t)(app->request.window_ns / 1000000000));
	if (strcmp(aspect, "pairs") == 0)
		return app->request.settings.pairs == PAIRS_WAKERS ? "wakers"
		       : app->request.by == BY_NAME                ? "name"
								   : "other";
	if (strcmp(aspect, "span") == 0)
		return span < story_span ? "shorter" : span > story_span ? "longer" : "same";
	if (strcmp(aspect, "speed") == 0)
		return app->playback->is_fast ? "max" : "recorded";
	if (strcmp(aspect, "samples") == 0)
		return word_of(SETTING_samples);
	if (strcmp(aspect, "weight") == 0)
		return word_of(SETTING_weight);
	if (strcmp(aspect, "colour") == 0)
		return word_of(SETTING_colour);
	return NULL;
}

static inline const char *aspect_of_program(const char *aspect)
{
	const struct app *app = &kit.app;
	struct app_attached *attached = app->parts[PART_attached];
	const struct pager *pager = app->parts[PART_pager];
	const struct prompts *prompts = app->parts[PART_prompts];

	if (strcmp(aspect, "open") == 0)
		return what_is_open();
	if (strcmp(aspect, "prompt") == 0)
		return prompts->line.is_open ? prompts->info->name : "-";
	if (strcmp(aspect, "typed") == 0)
		return prompt_text(&prompts->line);
	if (strcmp(aspect, "refusal") == 0)
		return prompts->line.error;
	if (strcmp(aspect, "cursor") == 0)
		return number((int64_t)prompts->line.cursor);
	if (strcmp(aspect, "faulty") == 0)
		return yes(prompts->line.has_fault);
	if (strcmp(aspect, "fault") == 0)
		return number((int64_t)app->fault);
	if (strcmp(aspect, "candidates") == 0)
		return number((int64_t)prompts->complete.count);
	if (strcmp(aspect, "view") == 0)
		return app_current(&kit.app)->info->name;
	if (strcmp(aspect, "over") == 0)
		return yes(loop_is_over(kit_rounds()->loop));
	if (strcmp(aspect, "attached") == 0)
		return number((int64_t)attached->count);
	if (strcmp(aspect, "strips") == 0)
		return word_of(SETTING_cpu_strips);
	if (strcmp(aspect, "theme") == 0)
		return word_of(SETTING_theme);
	if (strcmp(aspect, "head") == 0)
		return word_of(SETTING_head);
	if (strcmp(aspect, "nice") == 0)
		return number(fake.reniced_count > 0 ? fake.new_nice : 0);
	if (strcmp(aspect, "repaints") == 0)
		return number((int64_t)kit.repaints);
	if (strcmp(aspect, "walks") == 0)
		return number((int64_t)kit.walks);
	if (strcmp(aspect, "changes") == 0)
		return number((int64_t)kit.changes);
	if (strcmp(aspect, "said") == 0 || strcmp(aspect, "says") == 0)
		return app->message.text;
	if (strcmp(aspect, "wrong") == 0)
		return yes(app->message.is_error);
	if (strcmp(aspect, "screen") == 0 || strcmp(aspect, "unseen") == 0)
		return screen_shown();
	if (strcmp(aspect, "text") == 0)
		return strbuf_text(&pager->text);
	return NULL;
}

static inline bool is_so(const char *statement, const char **found)
{
	static const char *const partial[] = {"screen", "text", "says", "refusal", "columns"};
	const char *value = strchr(statement, ' ');
	char aspect[32];

	snprintf(aspect, sizeof(aspect), "%.*s", (int)strcspn(statement, " "), statement);
	value = value ? value + 1 : "";
	*found = aspect_of_rows(aspect);
	*found = *found ? *found : aspect_of_pages(aspect);
	*found = *found ? *found : aspect_of_time(aspect);
	*found = *found ? *found : aspect_of_program(aspect);
	if (!*found)
		fail_msg("%s is no aspect", aspect);
	if (strcmp(aspect, "hides") == 0 || strcmp(aspect, "unseen") == 0)
		return !strstr(*found, value);
	for (size_t i = 0; i < COUNT_OF(partial); i++)
		if (strcmp(aspect, partial[i]) == 0)
			return strstr(*found, value);
	return strcmp(*found, value) == 0;
}

static inline void keep_history(void)
{
	uint64_t nginx;

	kit_keep_history(256);
	nginx = kit_actor(7);
	for (int i = 0; i < 200; i++)
		switched(&kit.told, .time_ns = kit.told.now_ns + 100000000, .prev = nginx,
			 .slice_ns = 50000000, .from_cpu = -1, .off_ns = SWITCH_NS_UNKNOWN);
	kit_pass_to(kit.told.now_ns);
}

static inline void prepare(const char *word)
{
	int width, height;

	if (strcmp(word, "history") == 0)
		keep_history();
	else if (strcmp(word, "replay") == 0)
		kit_replay(9), kit_tick();
	else if (strcmp(word, "starting") == 0)
		kit.app.is_starting = true;
	else if (strcmp(word, "started") == 0)
		kit.app.is_starting = false;
	else if (strcmp(word, "family") == 0) /* 7 over 8 over 70 */
		kit_task(70)->parent_pid = 8, kit_task(8)->parent_pid = 7;
	else if (strcmp(word, "reborn") == 0) /* another task has got the number 7 */
		kit_task(7)->is_reborn = true, kit_build(), kit_tick();
	else if (strcmp(word, "sleeper") == 0) /* 70 does not run */
		kit_task(70)->run_ms = 0;
	else if (strcmp(word, "kernel") == 0)
		kit_task(7)->is_kernel_thread = true;
	else if (strcmp(word, "exit") == 0)
		kit_task(70)->ends = true;
	else if (strcmp(word, "alone") == 0) /* nothing but the first task is left */
		kit_end_tasks(1);
	else if (strcmp(word, "nobody") == 0)
		kit_end_tasks(0);
	else if (strcmp(word, "chosen") == 0)
		kit.source.session.scope = SCOPE_TASKS;
	else if (strcmp(word, "ascii") == 0)
		kit.app.screen.is_ascii = true;
	else if (strcmp(word, "read") == 0) /* the message was */
		kit.app.message.text[0] = '\0';
	else if (strcmp(word, "error") == 0)
		app_say(&kit.app, true, "something");
	else if (sscanf(word, "size %d %d", &width, &height) == 2)
		screen_resize(&kit.app.screen, width, height);
	else if (strcmp(word, "no counters") == 0) {
		kit.source.session.has_pmu = false;
		strcpy(kit.source.session.pmu_words, "none here");
	} else if (strcmp(word, "denied") == 0)
		kit_set_state(CYCLES, EVENT_DENIED);
	else if (strcmp(word, "refused") == 0)
		kit.change_is_refused = true;
	else if (strcmp(word, "by event") == 0)
		strcpy(kit.source.session.sampling_event, "uprobe:/usr/lib/libc.so.6:malloc");
	else if (strcmp(word, "short") == 0)
		kit.app.lists[kit.app.view].page = 2;
	else
		fail_msg("@%s is nothing", word);
	kit_build();
}

static inline void give_key(uint32_t key)
{
	mode_top(&kit.app)->key(&kit.app, key);
	if (kit.app.needs_build)
		kit_build();
}

static inline void press_all(const char *names)
{
	char name[16];

	while (*names != '\0') {
		const size_t length = strcspn(names, " ");

		snprintf(name, sizeof(name), "%.*s", (int)length, names);
		give_key(key_parse(name));
		names += length + strspn(names + length, " ");
	}
}

static inline void assert_refused_as(const char *step)
{
	const char *text = strstr(step, " => ");
	struct error error = {0};
	char command[128];

	snprintf(command, sizeof(command), "%.*s", (int)(text - step), step);
	if (command_run(&kit.app, command, &error))
		fail_msg("%s is not refused", command);
	assert_string_equal(error.text, text + strlen(" => "));
}

static inline void take_step(const char *step)
{
	const char *found;

	if (more_steps && more_steps(step))
		return;
	if (step[0] == ':')
		run(step + 1);
	else if (step[0] == '!')
		assert_refused_as(step + 1);
	else if (step[0] == '@')
		prepare(step + 1);
	else if (strncmp(step, "key ", 4) == 0)
		press_all(step + 4);
	else if (step[0] == '\'')
		for (step++; *step != '\0'; step++)
			give_key((uint32_t)(unsigned char)*step);
	else if (!is_so(step, &found))
		fail_msg("not \"%s\": %s", step, found);
}

static inline void take_steps(const char *steps)
{
	static const char between[] = " | ";
	char step[256];

	while (*steps != '\0') {
		const char *end = strstr(steps, between);
		const size_t length = end ? (size_t)(end - steps) : strlen(steps);

		assert_true(length < sizeof(step));
		snprintf(step, sizeof(step), "%.*s", (int)length, steps);
		take_step(step);
		steps += length + (end ? strlen(between) : 0);
	}
}

/* Each on an app of its own. */
static inline void take_stories(const struct story *stories, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		begin_case(stories[i].name);
		kit_tear_down(NULL);
		kit_set_up(NULL);
		take_steps(stories[i].steps);
	}
}

#endif
