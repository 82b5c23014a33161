/* The event browser and the set-up page: what their keys do, and what they show. */

#include <locale.h>
#include <unistd.h>

#include "app_story.h"
#include "event/catalog.h"

enum {
#ifdef PERFTOP_SANITIZED
	HEIGHTS_APART = 4,
	RANDOM_KEYS = 600
#else
	HEIGHTS_APART = 1,
	RANDOM_KEYS = 3000
#endif
};

/* clang-format off */
static const struct story browser_stories[] = {
	{"all events are shown with their state",
	 ":events | open events | screen [all 68] | screen open 6 | screen 1 of 68 | screen counting | key ^U | 'mem: | "
	 "screen to be filled in | key ^U | 'sched_sw | screen sched:sched_switch"},
	/* what can be counted here says nothing of what was counted there */
	{"a recording has only its events",
	 "@replay | :events | screen [in the recording 6] | unseen all 68 | unseen sched:sched_switch | unseen Tab  | "
	 "key Tab | screen [in the recording 6]"},
	{"what cannot be counted comes last",
	 "@no counters | :events | screen page-faults | unseen cpu-cycles | unseen not available | key End | screen node-stores"},
	{"why it cannot be is said once, over it",
	 "@no counters | :events | 'LLC-load | screen not available: this CPU | screen 1 of 3"},
	{"the cursor passes the headings",
	 ":events | 'faults | screen faults: accesses | screen 1 of 6 | key Up | screen 1 of 6 | key Down | screen 2 of 6"},
	{"typing narrows the list",
	 ":events | 'test: | screen Search: test: | screen 1 of 5 | unseen mem:ADDR | key Backspace Backspace | "
	 "'nothing at all | screen as it is typed"},
	{"a refused entry says why", ":events | 'test:refused | screen not available: "},
	{"the details have the fields", ":events | 'sched_sw | screen prev_pid"},
	{"Enter adds a column",
	 ":events | 'sched_sw | key Enter | columns  sched:sched_switch  | open events | "
	 "screen column SCHED_SWITCH/s of the view tasks | screen open 7"},
	{"Enter on a pattern asks to fill it in",
	 ":events | 'mem: | key Enter | search mem: | screen continue as in mem:ADDRESS | hides mem:ADDR | '0x1000:w | key Enter | "
	 "columns  mem:0x1000:w "},
	{"Enter adds what was typed", ":events | 'r01c2,cycles:u | key Enter | columns  r01c2 cycles:u  | search "},
	{"a wrong text stays and has the cursor",
	 ":events | 'r1,bad | key Enter | open events | search r1,bad | search-cursor 3 | wrong yes | "
	 "screen bad: unknown event | hides r1"},
	/* the cursor has been put on what was wrong */
	{"^U is a new search wherever the cursor is",
	 ":events | 'bad | key Enter | search-cursor 0 | key ^U | search  | screen cpu-cycles"},
	{"the next page of details ends with the line",
	 ":events | key ^N ^N | detail-page 2 | key Down | detail-page 0"},
	{"Tab shows what is open",
	 "@denied | :events | key Tab | screen [open 6] | screen branch-misses | screen not available | key Tab | screen [all 68]"},
	{"Del and ^D remove an event",
	 ":events | key Tab Delete | hides  cycles  | screen open 5 | key ^D | screen open 4 | key Tab Delete | "
	 "screen nothing to remove"},
	{"the cursor stays in a list that becomes empty",
	 ":events | key Tab End Delete | screen 5 of 5 | key Delete Delete Delete Delete Delete | screen 0 of 0 | "
	 "key Delete Enter Down Up | screen 0 of 0"},
	{"Esc leaves, q is text, and a Backspace too many leaves nothing",
	 ":events | 'q | open events | key Backspace Backspace | open events | key Esc | open -"},
	{"opened again it begins anew", ":events | 'test | key Esc | :events | screen 1 of 68"},
	{"it moves by pages",
	 "@size 40 6 | :events | key PgDn | screen 4 of 68 | key End | screen 68 of 68 | key PgUp | screen 65 of 68 | key Home | "
	 "screen 1 of 68 | key Up | screen 1 of 68"},
	{"on a screen that grows no line is wasted",
	 "@size 40 6 | :events | key End | unseen kprobe:FUNCTION | @size 80 24 | screen kprobe:FUNCTION | screen 68 of 68"},
};

static const struct story setup_stories[] = {
	{"it opens at the view that is shown",
	 ":setup | open setup | screen [tasks] | screen shown: 4 columns | screen pid: Process id. | key Esc | open - | "
	 ":view pairs | :setup | screen [pairs] | screen victim | key q | :view timeline | :setup | screen [tasks]"},
	{"columns are added behind the cursor",
	 ":setup | key Down Enter | side available | screen tid: Thread id. | key Enter | just  pid user tid ipc command  | "
	 "key Enter | just  pid user tid ppid ipc command  | screen not saved"},
	{"columns are removed, but not the last",
	 ":setup | key Delete | just  user ipc command  | key Delete Delete Delete Delete Delete | just  command  | "
	 "screen the last column of a view cannot be removed | key Tab Delete | just  command "},
	{"columns move with the cursor",
	 ":setup | key F7 | just  pid user ipc command  | changed no | key F8 ] | just  user ipc pid command  | key F7 | "
	 "just  user pid ipc command  | key ] ] ] ] | just  user ipc command pid  | changed yes"},
	{"columns are resized", ":setup | width 7 | key + + + | width 10 | key - - | width 8 | key = | width 7"},
	{"sets of columns take turns",
	 ":setup | key f | screen columns (memory) | key f f | screen columns (scheduling) | columns  pid cpu% ipc sw/s  | "
	 "changed yes | key f f f f f | screen shown: 4 columns | just  pid user ipc command  | key f r | columns  pid user cpu% "},
	{"the first columns are taken back", ":setup | key r | columns  pid user cpu% "},
	{"a tab changes its own view only",
	 ":setup | key Right | screen [cpus] | key Delete | just  pid user ipc command  | view tasks | key Left Left | "
	 "screen [settings] | key Right | screen [tasks] | key Esc | :view cpus | hides  cpu "},
};
/* clang-format on */

UNIT_TEST(browser_and_setup_do_what_their_stories_say)
{
	take_stories(browser_stories, COUNT_OF(browser_stories));
	for (size_t i = 0; i < COUNT_OF(setup_stories); i++) {
		begin_case(setup_stories[i].name);
		kit_tear_down(NULL);
		kit_set_up(NULL);
		take_steps(":columns pid,user,ipc,command");
		take_steps(setup_stories[i].steps);
	}
}

static void assert_sees(const char *words)
{
	if (!strstr(screen_shown(), words))
		fail_msg("\"%s\" is not in\n%s", words, screen_shown());
}

static void press_times(uint32_t key, int times)
{
	for (int i = 0; i < times; i++)
		give_key(key);
}

static struct setup *setup_shown(void)
{
	return kit.app.parts[PART_setup];
}

/* To the setting of this name. */
static void go_to_setting(const char *name)
{
	give_key(KEY_CODE_LEFT);
	while (strcmp(setup_setting(&kit.app, setup_shown()->cursors[SETUP_SHOWN].at)->name,
		      name) != 0)
		give_key(KEY_CODE_DOWN);
}

static const struct catalog_entry *entry_found(size_t place)
{
	const struct browser *browser = kit.app.parts[PART_browser];
	const struct browser_line *line = browser->lists[BROWSER_ALL].lines;

	while (line->is_heading || place-- > 0)
		line++;
	return catalog_entry(browser->catalog, line->item);
}

/* What is the name comes before what only says something of it. */
UNIT_TEST(browser_best_match_comes_first)
{
	run("events");
	take_steps("'sched");
	assert_string_equal(entry_found(0)->name, "sched:sched_switch");
	give_key(21); /* ^U */
	take_steps("'PAGE-FAULTS");
	assert_string_equal(entry_found(0)->name, "page-faults");
}

UNIT_TEST(browser_tries_what_is_harmless)
{
	screen_resize(&kit.app.screen, 40, 5);
	run("events");
	screen_shown();
	assert_int_equal(entry_found(0)->state, CATALOG_OPENS);
	assert_int_equal(entry_found(5)->state, CATALOG_OPENS); /* below */
	take_steps("'ftrace");
	screen_shown();
	assert_string_equal(entry_found(0)->name, "ftrace:function");
	assert_int_equal(entry_found(0)->state, CATALOG_UNTRIED); /* may not be tried */
}

UNIT_TEST(browser_tries_what_takes_long_only_under_the_cursor)
{
	run("events");
	take_steps("'test:");
	screen_shown();
	assert_int_equal(entry_found(0)->state, CATALOG_OPENS);
	assert_int_equal(entry_found(1)->state, CATALOG_UNTRIED);
	give_key(KEY_CODE_DOWN);
	screen_shown();
	assert_int_not_equal(entry_found(1)->state, CATALOG_UNTRIED);
}

UNIT_TEST(browser_multiplexed_event_has_its_share)
{
	kit.uncounted_pct = 67;
	kit_set_state(CYCLES, EVENT_MULTIPLEXED);
	run("events");
	give_key(KEY_CODE_TAB);
	take_steps("screen multiplexed 33 %");
}

/* No size and no key of all may break it. */
UNIT_TEST(browser_any_size_any_key_goes_on)
{
	static const uint32_t keys[] = {KEY_CODE_DOWN,
					KEY_CODE_TAB,
					KEY_CODE_END,
					'c',
					KEY_CODE_ENTER,
					KEY_CODE_PAGE_DOWN,
					4,
					'x',
					KEY_CODE_F1,
					KEY_CODE_BACKSPACE,
					KEY_CODE_HOME};

	run("events");
	for (int width = 1; width <= 200; width += 7) {
		for (int height = 1; height <= 60; height += 3 * HEIGHTS_APART) {
			screen_resize(&kit.app.screen, width, height);
			give_key(keys[(width * 31 + height) % 11]);
			screen_shown();
		}
	}
	assert_true(mode_is_open(&kit.app, &browser_mode));
}

UNIT_TEST(browser_before_the_first_interval_has_states)
{
	kit.app.engine->snapshot = NULL;
	kit.source.layout.events[CYCLES].state = EVENT_MULTIPLEXED;
	run("events");
	give_key(KEY_CODE_TAB);
	take_steps("screen multiplexed");
	take_steps("unseen multiplexed 0");
}

UNIT_TEST(setup_resizes)
{
	run("setup");
	const struct column *column = columns_find(kit.engine->resolver.columns, "pid");
	const int own = column->width;

	press_times('+', 3);
	assert_int_equal(column->width, own + 3);
	press_times('-', 100);
	assert_int_equal(column->width, 1);
	press_times('+', 100);
	assert_int_equal(column->width, 80);
	give_key('=');
	assert_int_equal(column->width, own);
}

/* What is available is what rows of the view can have, and nothing twice. */
UNIT_TEST(setup_offers_what_the_view_can_show)
{
	run("setup");
	for (size_t tab = 0; tab + 1 < setup_tabs(&kit.app); tab++) {
		const struct view_state *view = &kit.app.views[setup_view(&kit.app, tab)];
		const struct column_list *list = &setup_shown()->columns[SETUP_AVAILABLE];

		setup_refresh(&kit.app);
		for (size_t i = 0; i < list->count; i++) {
			assert_true(column_is_of(list->columns[i], view->info->kind));
			assert_false(column_list_has(&setup_shown()->columns[SETUP_SHOWN],
						     list->columns[i]));
		}
		give_key(KEY_CODE_RIGHT);
	}
}

UNIT_TEST(setup_offers_no_column_of_counters_that_are_not_there)
{
	const struct column *miss = columns_find(engine_resolver(kit.engine)->columns, "mips");
	const struct column_list *list = &setup_shown()->columns[SETUP_AVAILABLE];

	run("setup");
	assert_true(column_list_has(list, miss));
	kit.source.session.has_pmu = false;
	strcpy(kit.source.session.pmu_words, "none here");
	setup_refresh(&kit.app);
	assert_false(column_list_has(list, miss));
	assert_true(list->count > 0);
}

/* Every column of every view explains itself here. */
UNIT_TEST(setup_explains_every_column)
{
	run("setup");
	give_key(KEY_CODE_TAB);
	for (size_t i = 0; i < setup_shown()->columns[SETUP_AVAILABLE].count; i++) {
		const struct column *column = setup_shown()->columns[SETUP_AVAILABLE].columns[i];
		char words[COLUMN_NAME_MAX + 16];

		snprintf(words, sizeof(words), "%s: %.8s", column->name, column_help(column));
		assert_sees(words);
		give_key(KEY_CODE_DOWN);
	}
}

UNIT_TEST(setup_chooses_settings)
{
	run("setup");
	go_to_setting("flame-colour");
	take_steps("screen object");
	give_key(KEY_CODE_ENTER);
	take_steps("key Down Down");
	give_key(KEY_CODE_ENTER);
	assert_int_equal(kit.app.request.settings.flame_colour, 2);
	take_steps("screen flame-colour    ipc");
	take_steps("screen ipc             current");
	give_key(KEY_CODE_UP);
	give_key(KEY_CODE_ENTER);
	assert_int_equal(kit.app.request.settings.flame_colour, 1);
}

/* What is set here is for later: the view does not change under the page. */
UNIT_TEST(setup_chooses_groups_without_showing_them)
{
	run("setup");
	const size_t view = kit.app.view;

	go_to_setting("group-by");
	give_key(KEY_CODE_ENTER);
	give_key(KEY_CODE_DOWN);
	give_key(KEY_CODE_ENTER);
	assert_string_equal(grouping_get(kit.app.request.settings.group_by)->name, "user");
	take_steps("screen user            current");
	assert_int_equal(kit.app.view, view);
}

UNIT_TEST(setup_writes_only_when_told)
{
	run("setup");
	char folder[] = "/tmp/perftop-setup-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/conf", folder);
	kit.options.config_path = path;
	give_key(KEY_CODE_DELETE);
	give_key(KEY_CODE_ESCAPE);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_non_null(strstr(kit.app.message.text, ":save keeps it"));
	run("setup");
	take_steps("screen not saved");
	give_key('s');
	assert_int_equal(access(path, F_OK), 0);
	take_steps("unseen not saved");
	assert_true(mode_is_open(&kit.app, &setup_mode));
	give_key('+');
	give_key(KEY_CODE_F10);
	assert_false(mode_is_open(&kit.app, &setup_mode));
	take_steps("screen saved to");
	unlink(path);
	rmdir(folder);
}

UNIT_TEST(setup_that_cannot_be_written_stays_open)
{
	run("setup");
	kit.options.no_config = true;
	give_key(KEY_CODE_DELETE);
	give_key(KEY_CODE_F10);
	assert_true(mode_is_open(&kit.app, &setup_mode));
	take_steps("screen --no-config");
	take_steps("screen not saved");
}

/* No line is wider than the screen, and the cursor's line is there. */
UNIT_TEST(setup_on_screens_of_any_size)
{
	run("setup");
	give_key(KEY_CODE_TAB);
	for (int height = 3; height < 60; height += HEIGHTS_APART) {
		for (int width = 20; width < 200; width += 13) {
			kit.app.screen.is_ascii = (width + height) % 2;
			screen_resize(&kit.app.screen, width, height);
			give_key(KEY_CODE_END);
			screen_shown();
			if (height > 3)
				assert_sees(setup_shown()
						    ->columns[1]
						    .columns[setup_shown()->cursors[1].at]
						    ->name);
			give_key(KEY_CODE_HOME);
			give_key(KEY_CODE_PAGE_DOWN);
			screen_shown();
		}
	}
}

/* What is typed and the chosen line are there on every screen. */
UNIT_TEST(browser_on_screens_of_any_size)
{
	run("events");
	take_steps("'rNNN");
	for (int height = 3; height < 60; height += HEIGHTS_APART) {
		for (int width = 20; width < 200; width += 13) {
			kit.app.screen.is_ascii = (width + height) % 2;
			screen_resize(&kit.app.screen, width, height);
			assert_sees("Search: rNNN");
			if (height > 4)
				assert_sees("\nrNNN ");
			for (const char *c = screen_shown(); kit.app.screen.is_ascii && *c != '\0';
			     c++)
				assert_true((unsigned char)*c < 0x80);
		}
	}
	screen_resize(&kit.app.screen, 19, 3);
	assert_sees("perftop: terminal ");
}

UNIT_TEST(browser_shows_details_at_the_side_or_below)
{
	run("events");
	take_steps("'sched_sw");
	screen_resize(&kit.app.screen, 120, 20);
	assert_sees("│ fields for a filter:");
	screen_resize(&kit.app.screen, 80, 20);
	assert_sees("\nfields for a filter:");
	screen_resize(&kit.app.screen, 80, 8);
	assert_null(strstr(screen_shown(), "fields for a filter:"));
}

/* What it has in common with its neighbours goes first. */
UNIT_TEST(browser_cuts_a_long_name_at_its_pmu)
{
	run("events");
	take_steps("'a_pmu_with_a_long_name::ITS_EVENT:UMASK");
	screen_resize(&kit.app.screen, 50, 12);
	assert_sees("\n…::ITS_EVENT:UMASK ");
}

UNIT_TEST(setup_takes_any_key)
{
	run("setup");
	unsigned int seed = 5;

	kit.options.no_config = true;
	for (int i = 0; i < RANDOM_KEYS; i++) {
		static const uint32_t keys[] = {
			KEY_CODE_UP,
			KEY_CODE_DOWN,
			KEY_CODE_LEFT,
			KEY_CODE_RIGHT,
			KEY_CODE_TAB,
			KEY_CODE_ENTER,
			KEY_CODE_DELETE,
			KEY_CODE_HOME,
			KEY_CODE_END,
			KEY_CODE_PAGE_UP,
			KEY_CODE_PAGE_DOWN,
			'[',
			']',
			'+',
			'-',
			'=',
			'r',
			's',
			'x',
			KEY_CODE_F1,
		};

		seed = seed * 1103515245 + 12345;
		give_key(keys[(seed >> 16) % (COUNT_OF(keys))]);
		assert_true(mode_is_open(&kit.app, &setup_mode));
		screen_shown();
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(kit_set_up, kit_tear_down);
}
