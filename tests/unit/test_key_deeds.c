/*
 * What each key of the help does, in words of what changes on the screen: the table of the keys is
 * walked, so that a key without an entry here, an entry without a key, and a key that does
 * something else than its entry says are all found.
 */

#include "fake_app.h"
#include "mode/acting.h"
#include "mode/browser.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/history_view.h"
#include "mode/marks.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "mode/setup.h"
#include "mode/sort_menu.h"
#include "mode/strips.h"
#include "playback/playback_parts.h"
#include "term/key.h"
#include "unit.h"

/* clang-format off */
static const struct {
	const char *key, *before; /* commands before it, with semicolons between */
	const char *deed;         /* "ASPECT VALUE": what is so afterwards, and was not before */
} deeds[] = {
	{"Space",    "",                          "tags 1"},
	{"Left",     "freeze",                    "interval 4"},
	{"Right",    "freeze;step-back",          "interval 5"},
	{",",        "",                          "interval 4"},
	{".",        "",                          "open sort-menu"},
	{"g",        "",                          "prompt jump"},
	{"{",        "@replay",                   "speed 50"},
	{"}",        "@replay",                   "speed 200"},
	{"F1",       "",                          "open help"},
	{"h",        "",                          "open help"},
	{"?",        "",                          "text CPU %"},
	{"F2",       "",                          "open setup"},
	{"q",        "",                          "over yes"},
	{"F10",      "",                          "over yes"},
	{"a",        "",                          "prompt attach"},
	{"A",        "attach 8",                  "attached 0"},
	{"Enter",    "",                          "open page"},
	{"W",        "",                          "window 60"},
	{"b",        "view pairs",                "pairs name"},
	{"[",        "@history;view timeline",    "span shorter"},
	{"]",        "@history;view timeline;zoom-in", "span longer"},
	{"l",        "",                          "strips changed"},
	{"o",        "view timeline",             "colour ipc"},
	{"M",        "",                          "sort miss%"},
	{"I",        "",                          "sort ipc"},
	{"P",        "sort pid",                  "sort cpu%"},
	{"N",        "",                          "sort pid"},
	{"T",        "",                          "sort time"},
	{"S",        "",                          "sort sw/s"},
	{"F6",       "",                          "open sort-menu"},
	{"<",        "",                          "sort user"},
	{">",        "",                          "sort ghz"},
	{"R",        "",                          "reversed yes"},
	{"/",        "",                          "prompt search"},
	{"F3",       "",                          "prompt search"},
	{"n",        "search nginx",              "row 70"},
	{"p",        "search nginx;last",         "row 70"},
	{"\\",       "",                          "prompt filter"},
	{"F4",       "",                          "prompt filter"},
	{"&",        "",                          "prompt filter-add"},
	{"e",        "",                          "open events"},
	{"m",        "",                          "prompt metric"},
	{"+",        "",                          "prompt column"},
	{"H",        "",                          "threads yes"},
	{"i",        "",                          "idle yes"},
	{"K",        "",                          "kernel no"},
	{"E",        "",                          "exited no"},
	{"Ins",      "",                          "tags 1"},
	{"C",        "",                          "tags 2"},
	{"U",        "tag",                       "tags 0"},
	{"F",        "",                          "followed yes"},
	{"t",        "",                          "tree yes"},
	{"F5",       "",                          "tree yes"},
	{"-",        "tree",                      "rows 2"},
	{"=",        "tree",                      "rows 2"},
	{"*",        "tree",                      "folds all"},
	{"c",        "",                          "lines yes"},
	{"u",        "",                          "prompt user"},
	{"d",        "",                          "prompt delay"},
	{"s",        "",                          "prompt delay"},
	{"k",        "",                          "open signals"},
	{"F9",       "",                          "open signals"},
	{"F7",       "",                          "nice -1"},
	{"F8",       "",                          "nice 1"},
	{"r",        "",                          "prompt nice"},
	{"B",        "",                          "prompt affinity"},
	{"Z",        "",                          "frozen yes"},
	{"Tab",      "",                          "view cpus"},
	{"w",        "",                          "prompt record"},
	{"x",        "",                          "prompt hand-over"},
	{"BackTab",  "view cpus",                 "view tasks"},
	{"1",        "view cpus",                 "view tasks"},
	{"2",        "",                          "view cpus"},
	{"3",        "",                          "view switches"},
	{"4",        "",                          "view groups"},
	{"5",        "",                          "view pairs"},
	{"6",        "",                          "view histogram"},
	{"7",        "",                          "view timeline"},
	{":",        "",                          "prompt command"},
	{"Up",       "down",                      "row 7"},
	{"Down",     "",                          "row 70"},
	{"PgUp",     "last",                      "row 7"},
	{"PgDn",     "",                          "row 8"},
	{"Home",     "last",                      "row 7"},
	{"End",      "",                          "row 8"},
	{"S-Left",   "scroll-right",              "scroll 0"},
	{"S-Right",  "",                          "scroll 1"},
	{"Esc",      "filter nginx",              "filter -"},
	{"^L",       "",                          "repaints 1"},
};
/* clang-format on */

enum {
	DEED_COUNT = COUNT_OF(deeds)
};

static uint64_t span_before;
static int strips_before;

static const char *yes(bool is)
{
	return is ? "yes" : "no";
}

static const char *what_is_open(void)
{
	static const struct {
		const struct mode *mode;
		const char *name;
	} modes[] = {
		{&acting_mode, "signals"},
		{&browser_mode, "events"},
		{&setup_mode, "setup"},
		{&sort_menu_mode, "sort-menu"},
	};

	for (size_t i = 0; i < COUNT_OF(modes); i++)
		if (mode_is_open(&kit.app, modes[i].mode))
			return modes[i].name;
	if (!mode_is_open(&kit.app, &pager_mode))
		return "-";
	return kit.app.page->is_open ? "page" : "help";
}

static const char *number(int64_t value)
{
	static char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	return text;
}

static const char *order(void)
{
	bool descends;

	return view_table_sort(kit.app.table, &descends)->name;
}

/* --- the aspects */

/* All of the history is the longest. */
static const char *span_is(void)
{
	const uint64_t now = kit.app.strips->span_ns > 0 ? kit.app.strips->span_ns : UINT64_MAX;

	return now < span_before ? "shorter" : now > span_before ? "longer" : "same";
}

static const char *filter_is(void)
{
	return kit.app.filter.length > 0 ? strbuf_text(&kit.app.filter) : "-";
}

static const char *of_rows(const char *aspect)
{
	const struct app *app = &kit.app;
	const struct view_row *row = app_row(&kit.app);

	if (strcmp(aspect, "row") == 0)
		return number(row != NULL ? row->pid : -1);
	if (strcmp(aspect, "rows") == 0)
		return number((int64_t)view_table_row_count(app->table));
	if (strcmp(aspect, "sort") == 0)
		return order();
	if (strcmp(aspect, "reversed") == 0)
		return yes(app_current(&kit.app)->sort_reversed);
	if (strcmp(aspect, "tags") == 0)
		return number((int64_t)app->row_marks->tags.count);
	if (strcmp(aspect, "tree") == 0)
		return yes(app->tree);
	if (strcmp(aspect, "folds") == 0)
		return app->row_marks->folds.all ? "all" : "some";
	if (strcmp(aspect, "kernel") == 0)
		return yes(!app->no_kernel_threads);
	if (strcmp(aspect, "exited") == 0)
		return yes(!app->no_exited);
	if (strcmp(aspect, "followed") == 0)
		return yes(app_current(&kit.app)->list.is_followed);
	if (strcmp(aspect, "filter") == 0)
		return filter_is();
	if (strcmp(aspect, "scroll") == 0)
		return number(app_current(&kit.app)->list.scroll);
	return NULL;
}

static const char *of_time(const char *aspect)
{
	const struct app *app = &kit.app;

	if (strcmp(aspect, "interval") == 0)
		return number((int64_t)app_snapshot(app)->sequence);
	if (strcmp(aspect, "frozen") == 0)
		return yes(playback_is_frozen(app->playback));
	if (strcmp(aspect, "window") == 0)
		return app->history_view->window_ns == HISTORY_VIEW_INTERVAL
			       ? "interval"
			       : number((int64_t)(app->history_view->window_ns / 1000000000));
	if (strcmp(aspect, "pairs") == 0)
		return app->history_view->by == BY_NAME ? "name" : "other";
	if (strcmp(aspect, "span") == 0)
		return span_is();
	if (strcmp(aspect, "speed") == 0)
		return number((int64_t)(app->playback->speed * 100));
	if (strcmp(aspect, "colour") == 0)
		return app->strips->by_ipc ? "ipc" : "task";
	return NULL;
}

static const char *of_program(const char *aspect)
{
	const struct app *app = &kit.app;

	if (strcmp(aspect, "open") == 0)
		return what_is_open();
	if (strcmp(aspect, "prompt") == 0)
		return app->prompt.is_open ? app->prompt_info->name : "-";
	if (strcmp(aspect, "view") == 0)
		return app_current(&kit.app)->info->name;
	if (strcmp(aspect, "over") == 0)
		return yes(app->is_over);
	if (strcmp(aspect, "attached") == 0)
		return number((int64_t)app->attached.count);
	if (strcmp(aspect, "threads") == 0)
		return yes(app->threads);
	if (strcmp(aspect, "idle") == 0)
		return yes(app->idle_tasks);
	if (strcmp(aspect, "lines") == 0)
		return yes(app->command_lines);
	if (strcmp(aspect, "strips") == 0)
		return (int)app->appearance->strips == strips_before ? "same" : "changed";
	if (strcmp(aspect, "nice") == 0)
		return number(fake.reniced_count > 0 ? fake.new_nice : 0);
	if (strcmp(aspect, "repaints") == 0)
		return number((int64_t)kit.repaints);
	if (strcmp(aspect, "text") == 0)
		return strbuf_text(&app->pager->text);
	return NULL;
}

/* Of texts a part will do. */
static bool is_so(const char *deed)
{
	const char *value = strchr(deed, ' ') + 1;
	const char *found;
	char aspect[32];

	snprintf(aspect, sizeof(aspect), "%.*s", (int)(value - deed - 1), deed);
	found = of_rows(aspect);
	found = found != NULL ? found : of_time(aspect);
	found = found != NULL ? found : of_program(aspect);
	if (found == NULL)
		fail_msg("%s is no aspect", aspect);
	if (strcmp(aspect, "text") == 0)
		return strstr(found, value) != NULL;
	return strcmp(found, value) == 0;
}

/* --- the walk */

static void tell_history(void)
{
	uint64_t nginx;

	kit_keep_history(256);
	nginx = told_actor(&kit.told, 7, 7, "nginx");
	kit.told.now_ns = kit.world.snapshot.time_ns;
	for (int i = 0; i < 200; i++)
		switched(&kit.told, .time_ns = kit.told.now_ns + 100000000, .left = nginx,
			 .slice_ns = 50000000, .from_cpu = -1, .off_ns = SWITCH_NS_UNKNOWN);
	kit.world.snapshot.time_ns = kit.told.now_ns;
}

static void run(const char *command)
{
	struct error error = {0};

	if (strcmp(command, "@history") == 0)
		tell_history();
	else if (strcmp(command, "@replay") == 0)
		kit.replay_length = 9;
	else if (!command_run(&kit.app, command, &error))
		fail_msg("%s: %s", command, error.text);
	kit_build();
}

static void prepare(const char *commands)
{
	char command[64];

	kit_tear_down(NULL);
	kit_set_up(NULL);
	kit.threads[0] = 7; /* whom the cursor is on */
	kit.thread_count = 1;
	kit.world.tasks[1].parent_pid = 7;
	kit.replay_at = 0;
	for (int i = 0; i < 5; i++) {
		engine_tick(kit.app.engine);
		app_keep_interval(&kit.app);
	}
	kit_build();
	compose_frame_draw(&kit.app); /* how many rows a page has */
	while (*commands != '\0') {
		const size_t length = strcspn(commands, ";");

		snprintf(command, sizeof(command), "%.*s", (int)length, commands);
		run(command);
		commands += length + (commands[length] == ';');
	}
	span_before = kit.app.strips->span_ns > 0 ? kit.app.strips->span_ns : UINT64_MAX;
	strips_before = (int)kit.app.appearance->strips;
}

static void press(const char *key)
{
	struct error error = {0};
	bool waits;
	const char *command = keys_type(&kit.app.keys, key_parse(key), &waits);

	if (command == NULL || !command_run(&kit.app, command, &error))
		fail_msg("%s: %s", key, error.text);
	kit_build();
}

UNIT_TEST(every_key_of_the_help_does_what_it_says)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < DEED_COUNT && strcmp(deeds[at].key, table[i].key) != 0)
			at++;
		if (at == DEED_COUNT)
			fail_msg("%s: nobody says what it does", table[i].key);
		prepare(deeds[at].before);
		if (is_so(deeds[at].deed))
			fail_msg("%s: %s before it is pressed", table[i].key, deeds[at].deed);
		press(table[i].key);
		if (!is_so(deeds[at].deed))
			fail_msg("%s (%s): not \"%s\"", table[i].key, table[i].command,
				 deeds[at].deed);
	}
	assert_int_equal(count, DEED_COUNT);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
