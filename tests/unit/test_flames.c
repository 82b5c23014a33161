/* The flame graph on the screen: arrows, zoom, search, colours, mouse, and rows that go. */

#include "model/profile.h"
#include "model/stream.h"
#include "view/names.h"

#include "app_story.h"

static int pointer_x, pointer_y;

void __wrap_term_pointer(const struct term *term, int *x, int *y)
{
	*x = pointer_x;
	*y = pointer_y;
}

enum {
	START = 1,
	MAIN,
	HOT,
	WARM,
	COOL,
	FUNCTIONS,
	NUMBERS = READING_VALUES + WORLD_EVENTS
};

/* start -> main -> hot 60, warm 29 -> cool 10; and cool alone 1. */
static struct profile_node nodes[] = {
	{.function = 0},
	{.parent = 0, .function = START},
	{.parent = 1, .function = MAIN},
	{.parent = 2, .function = HOT},
	{.parent = 2, .function = WARM},
	{.parent = 4, .function = COOL},
	{.parent = 0, .function = COOL},
};
static struct profile_entry entries[] = {
	{.pid = 7, .tid = 7, .node = 3, .samples = 60, .weight = 60, .counts = 1},
	{.pid = 7, .tid = 7, .node = 4, .samples = 29, .weight = 29, .counts = 1 + NUMBERS},
	{.pid = 7, .tid = 7, .node = 5, .samples = 10, .weight = 10},
	{.pid = 7, .tid = 7, .node = 6, .samples = 1, .weight = 1},
};
static uint64_t numbers[1 + 2 * NUMBERS];
static uint32_t renamed; /* which is HOT as it turns out; 0: none */
static struct profile profile;

static struct function_name find(void *context, uint32_t number, uint64_t time_ns)
{
	static const char *const words[FUNCTIONS] = {"[unknown]", "start", "main",
						     "hot",       "warm",  "cool"};

	return (struct function_name){
		.same_as = number == renamed ? HOT : number,
		.whole = number,
		.function = words[number],
		.object = number == START ? "libc" : "program",
	};
}

static const struct function_names names = {.find = find};

static void counted(struct profile_entry *entry, uint64_t cycles, uint64_t instructions)
{
	const struct layout *layout = &kit.source.layout;
	uint64_t *of = &numbers[entry->counts];

	of[READING_ENABLED_NS] = of[READING_RUNNING_NS] = 1000;
	of[READING_VALUES + layout_find_event(layout, "cycles")] = cycles;
	of[READING_VALUES + layout_find_event(layout, "instructions")] = instructions;
	entry->generation = layout->groups[0].generation;
}

static int set_up(void **state)
{
	kit_set_up(state);
	renamed = 0;
	kit.app.screen.is_ascii = true;
	profile = (struct profile){
		.nodes = nodes,
		.node_count = COUNT_OF(nodes),
		.entries = entries,
		.entry_count = COUNT_OF(entries),
		.numbers = numbers,
		.number_count = COUNT_OF(numbers),
	};
	counted(&entries[0], 1000, 400);
	counted(&entries[1], 1000, 2000);
	((struct snapshot *)(uintptr_t)engine_snapshot(kit.engine))->profile = &profile;
	view_table_name_functions(kit.app.table, &names);
	screen_resize(&kit.app.screen, 100, 24);
	kit_build();
	return 0;
}

static void click(int x, int y)
{
	uint32_t key;

	draw_shown();
	pointer_x = x;
	pointer_y = y;
	key = mouse_take(&kit.app, KEY_CODE_CLICK);
	if (key != KEY_CODE_NONE)
		give_key(key);
}

static enum style style_of(const char *text)
{
	int x, y;

	find_shown(text, &x, &y);
	return kit.app.screen.cells[y * kit.app.screen.width + x].style;
}

static bool take_own_step(const char *step)
{
	int x, y;
	unsigned int style;
	char text[32];

	if (strncmp(step, "click ", 6) == 0) {
		find_shown(step + 6, &x, &y);
		click(x, y);
	} else if (sscanf(step, "style %u %31[^|]", &style, text) == 2) {
		assert_int_equal(style_of(text), STYLE_FRAME_0 + style);
	} else if (strcmp(step, "no cool") == 0) {
		profile.entry_count = 2;
		kit_build();
	} else if (strcmp(step, "no samples") == 0) {
		profile.entry_count = 0;
		kit_build();
	} else {
		return false;
	}
	return true;
}

/* clang-format off */
static const struct story stories[] = {
	{"frames are below their callers", ":calls flame | view functions | screen [start | screen |main | screen |hot | screen |warm"},
	{"arrows go from frame to frame",
	 ":calls flame | key Down | screen [main | key Down | screen [hot | key Right | screen [warm | key Left | screen [hot | key Up | "
	 "screen [main | key Home | screen [start | key End | screen [hot"},
	{"to the right of the last frame there is none", ":calls flame | key Right | screen |start | key Right | screen |start | key Left | screen [start"},
	{"what is selected is said", ":calls flame | key Down Down Right | screen warm (program): total 39.0 %, self 29.0 %, IPC 2.00, 39 samples"},
	{"enter zooms, and backspace goes back",
	 ":calls flame | screen all samples | key Down Down Right Enter | screen warm (39.0 % of all), called by main, start | unseen |hot | "
	 "key Down Enter | screen cool (10.0 % of all), called by warm, main | key Backspace | screen warm (39.0 % of all) | "
	 "key Esc | screen all samples | key Backspace | says nothing was opened here"},
	{"zooming twice into one frame is once", ":calls flame | key Down Enter Enter | key Esc Esc | screen all samples"},
	{"matches are marked, and their share is said",
	 ":calls flame | :search cool | screen [*cool | screen * matches: 11.0 % | style 5 *cool | key Esc | screen [cool | unseen matches:"},
	{"a match outside of what is zoomed into is shown",
	 ":calls flame | key Down Down Enter | screen hot (60.0 % | :search warm | screen [*warm | screen all samples"},
	{"colours are by self", ":calls flame | style 0 main | style 4 hot | style 4 warm | style 3 cool"},
	{"colours are by object", ":calls flame | :flame-colour object | screen  a program   b libc | screen b]"},
	{"colours are by ipc",
	 ":calls flame | :flame-colour ipc | style 0 main | style 4 hot | style 1 warm | style 0 cool | screen 0.40 | "
	 "screen  IPC unknown   below 0.5   from 0.5   from 1   from 1.5"},
	{"a click selects, and again zooms, and on the path goes back",
	 ":calls flame | click warm | screen [warm | click warm | screen warm (39.0 % of all) | click warm (39 | screen [warm | screen all samples"},
	{"the frame that is zoomed into goes", ":calls flame | key Down Down Right Down Enter | screen cool (10.0 | no cool | screen all samples"},
	{"without samples there is nothing", ":calls flame | key Down Enter | no samples | key Down | key Right | key Enter | key Esc | unseen main"},
	{"it cannot be sorted or folded", ":calls flame | :sort self% | says always in the order of their width | sort total% | :fold | says folding needs the tree view"},
	{"a filter leaves what leads to the rows", ":calls flame | :filter function = \"warm\" | screen |main | screen |warm | unseen hot"},
	{"forms follow one another",
	 ":view functions | key t | screen functions: callees | key t | screen functions: callers | key t | screen functions: flame | key t | unseen all samples | "
	 "sort self% | :view tasks | key t | tree yes"},
	{"the list's order stays its own", ":view functions | :sort samples | key t | sort samples | :calls flame | sort total% | :calls list | sort samples"},
	{"the cursor stays on its function",
	 ":view functions | key Down | key G | screen [warm | key t | key t | key G | screen [warm"},
	{"lists follow one another, and trees",
	 ":view functions | key b | screen [8 functions: objects] | columns  self% total% samples ipc mpki object  | key b | screen [8 functions: threads] | "
	 "key b | screen lines | key b | rows 5 | key b t | rows 5"},
	{"enter on a CPU shows its functions, and escape goes back",
	 ":view cpus | key Enter | says functions of the CPU; Esc: back | filter cpu = 0 | screen [8 functions] | key Esc | screen [2 cpus] | filter -"},
	{"enter on an object shows its functions, and escape goes back",
	 ":calls objects | rows 2 | key Enter | says functions of the object; Esc: back | rows 4 | key Esc | rows 2 | screen objects"},
	{"x on a function proposes perf annotate",
	 ":view functions | key Down x | screen perf annotate | screen -s warm"},
	{"enter on a thread shows its page", ":calls threads | rows 1 | key Enter | open page"},
	{"the key of samples shows what wakes the task of a page",
	 ":calls threads | key Enter | open page | screen O wakers | key O | says functions: what wakes tasks | screen of  | key Esc | open page | key Esc | :view functions | unseen samples: wakers"},
	{"whichever key that is", ":bind O next-form | :bind ^P samples | :calls threads | key Enter | screen ^P wakers | key ^P | says functions: what wakes tasks"},
	{"a search of other rows marks nothing",
	 ":view tasks | :search cool | :calls flame | screen cool | unseen matches:"},
	{"a tree of callers unfolds", ":calls callers | rows 5 | key - | rows 7 | key * | rows 13 | key * | rows 5"},
};
/* clang-format on */

UNIT_TEST(flame_graph_stories)
{
	more_steps = take_own_step;
	for (size_t i = 0; i < COUNT_OF(stories); i++) {
		begin_case(stories[i].name);
		kit_tear_down(NULL);
		set_up(NULL);
		take_steps(stories[i].steps);
	}
}

/* Others wait for the next interval, where it is near and comes. */
UNIT_TEST(names_that_are_on_the_screen_are_due_at_once)
{
	static const char *const forms[] = {":calls flame | view functions", ":calls list"};

	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		renamed = 0;
		take_steps(forms[i]);
		draw_shown();
		assert_false(names_are_due(&kit.app));
		kit_rounds()->has_names = true;
		assert_false(names_are_due(&kit.app));
		renamed = WARM;
		assert_true(names_are_due(&kit.app));
	}
	renamed = 0;
	kit.app.delay_s = 10;
	assert_true(names_are_due(&kit.app));
	kit.app.delay_s = 1;
	take_steps(":freeze");
	assert_true(names_are_due(&kit.app));
}

/* With a cursor in the deepest frame, which is not on a low screen at first. */
UNIT_TEST(flame_graph_fits_every_size)
{
	kit_tear_down(NULL);
	set_up(NULL);
	take_steps(":calls flame | :search cool | key Down Down Right Down");
	for (int width = 1; width <= 60; width++) {
		for (int height = 1; height <= 24; height++) {
			screen_resize(&kit.app.screen, width, height);
			draw_shown();
			take_steps("key Up Left | key Right Down | key Enter | key Backspace");
		}
	}
}

int main(void)
{
	return unit_run(set_up, kit_tear_down);
}
