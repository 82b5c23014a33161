/* Completion and history of prompts, and a walk through the table: every command completes. */

#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include "app_story.h"
#include "mode/complete.h"

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		prompt_mode.key(&kit.app, (uint32_t)(unsigned char)*text);
}

static const char *typed(void)
{
	return prompt_text(&prompts_shown()->line);
}

/* Opens a prompt, types, and presses Tab. */
static void tab_after(const char *prompt, const char *text)
{
	char command[64];

	prompt_close(&prompts_shown()->line);
	snprintf(command, sizeof(command), "ask %s", prompt);
	run(command);
	type(text);
	prompt_mode.key(&kit.app, KEY_CODE_TAB);
}

static void assert_completes(const char *prompt, const char *text, const char *whole)
{
	tab_after(prompt, text);
	assert_string_equal(typed(), whole);
}

static bool is_offered(const char *text, const char *name)
{
	complete_find(&prompts_shown()->complete, &kit.app, text);
	for (size_t i = 0; i < prompts_shown()->complete.count; i++)
		if (strcmp(prompts_shown()->complete.words[i].name, name) == 0)
			return true;
	return false;
}

/* clang-format off */
static const struct {
	const char *prompt, *text, *whole;
} completions[] = {
	{"command", "rev", "reverse"}, {"command", "vi", "view "}, {"command", "nothing", "nothing"},
	/* by what the command takes */
	{"command", "sort pi", "sort pid"}, {"command", "sort -pi", "sort -pid"},
	{"command", "columns sche", "columns scheduling"}, {"command", "columns pid,sche", "columns pid,sche"},
	{"command", "columns def", "columns default"}, {"command", "view hi", "view histogram"}, {"command", "columns pid,use", "columns pid,user"},
	{"command", "colour i", "colour ipc"}, {"command", "theme da", "theme dark"},
	{"command", "window int", "window interval"}, {"command", "ask hand", "ask hand-over"},
	{"command", "width slice-m", "width slice-max"}, {"command", "width pid 1", "width pid 1"},
	{"command", "in pai", "in pairs"}, {"command", "in pairs so", "in pairs sort "},
	{"command", "in pairs qui", "in pairs qui"}, {"command", "in pairs sort +tak", "in pairs sort +taker"},
	{"command", "bind x view tim", "bind x view timeline"}, {"command", "bind x bind y thr", "bind x bind y threads "},
	{"command", "attach 7", "attach 7"}, {"command", "attach redi", "attach redis"}, {"command", "user al", "user all"},
	{"command", "remove-event cycl", "remove-event cycles"}, {"command", "event sched:sched_s", "event sched:sched_switch"},
	{"command", "event cycles,page-f", "event cycles,page-faults"}, {"command", "unbind BackT", "unbind BackTab"},
	/* in the prompt of a command */
	{"column", "pid,br-m", "pid,br-mpki"}, {"user", "roo", "root"}, {"filter", "ipc < 0.5 && comma", "ipc < 0.5 && command"},
	{"filter", "(comma", "(command"}, {"filter", "command = \"x || comma", "command = \"x || comma"},
	{"filter", "user = comma", "user = comma"}, {"metric", "x = page-f", "x = page-faults"},
	{"metric", "x = 2 * branch_mp", "x = 2 * branch_mpki"}, {"metric", "page-f", "page-f"}, /* the user makes up a name */
	{"delay", "1", "1"},
};
/* clang-format on */

UNIT_TEST(completions_are_what_can_follow)
{
	for (size_t i = 0; i < COUNT_OF(completions); i++) {
		begin_case(completions[i].text);
		kit_tear_down(NULL);
		kit_set_up(NULL);
		assert_completes(completions[i].prompt, completions[i].text, completions[i].whole);
	}
	assert_completes("command", "so", "sort");
}

/* Both names below begin so, but no letter is the same in both. */
UNIT_TEST(complete_leaves_what_was_typed_where_capitals_differ)
{
	run("event cycles/name=Sorted-by-us/");
	assert_completes("command", "columns SOR", "columns Sorted-by-us");
	run("event cycles/name=SORTED/");
	assert_completes("command", "columns sor", "columns sor");
	assert_int_equal(prompts_shown()->complete.count, 2);
	prompt_mode.key(&kit.app, KEY_CODE_TAB);
	assert_string_equal(typed(), "columns Sorted-by-us");
}

UNIT_TEST(complete_of_too_many_counts_the_rest)
{
	struct complete complete = {.prefix = "a"};
	char name[16];

	for (int i = 0; i < COMPLETE_MOST + 10; i++) {
		snprintf(name, sizeof(name), "a%05d", i);
		complete_add(&complete, name, NULL);
		complete_add(&complete, name + 1, NULL);
	}
	assert_int_equal(complete.count, COMPLETE_MOST);
	assert_int_equal(complete.left_out, 10);
	assert_int_equal(complete_common(&complete), 0);
	complete_fini(&complete);
}

static bool is_free(const char *argument)
{
	/* of hosts there are names where there are several */
	static const char *const free_kinds[] = {"HOST", "N", "PERCENT", "SECONDS", "TEXT", "TIME"};
	char word[64];
	const size_t length =
		strspn(argument[0] == '[' ? argument + 1 : argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	snprintf(word, sizeof(word), "%.*s", (int)length,
		 argument[0] == '[' ? argument + 1 : argument);
	for (size_t i = 0; i < COUNT_OF(free_kinds); i++)
		if (strcmp(word, free_kinds[i]) == 0)
			return true;
	return false;
}

/* Its name, and its argument wherever somebody can know what that may be. */
UNIT_TEST(every_command_completes)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		char text[64];

		if (!is_offered(table[i].name, table[i].name))
			fail_msg("%s is not offered", table[i].name);
		if (table[i].argument[0] == '\0' || is_free(table[i].argument))
			continue;
		snprintf(text, sizeof(text), "%s ", table[i].name);
		/* a new metric has a name that nobody can know */
		if (strcmp(table[i].argument, "DEFINITION") == 0)
			snprintf(text, sizeof(text), "%s x = ", table[i].name);
		complete_find(&prompts_shown()->complete, &kit.app, text);
		if (prompts_shown()->complete.count == 0)
			fail_msg("%s: nothing is offered for %s", table[i].name, table[i].argument);
	}
}

/* What needs counters is no choice where there are none; what it means can be asked. */
UNIT_TEST(complete_offers_no_column_of_counters_that_are_not_there)
{
	assert_true(is_offered("sort ip", "ipc"));
	kit.source.session.has_pmu = false;
	strcpy(kit.source.session.pmu_words, "none here");
	assert_false(is_offered("sort ip", "ipc"));
	assert_false(is_offered("column l1", "l1d-lmpki"));
	assert_true(is_offered("help ip", "ipc"));
	assert_true(is_offered("sort faul", "fault/s"));
}

/* A word in capitals that is no kind would be offered as it stands. */
UNIT_TEST(every_kind_of_argument_is_known)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		const char *at = table[i].argument;
		struct complete complete = {0};
		char word[64];

		while (*(at += strcspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) != '\0') {
			const size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

			snprintf(word, sizeof(word), "%.*s", (int)length, at);
			complete_clear(&complete);
			if (!complete_kind(&complete, &kit.app, word, strchr("set ", ' ') + 1))
				fail_msg("%s: %s", table[i].name, word);
			at += length;
		}
		complete_fini(&complete);
	}
}

/* A folder with files, which is where we are and what PATH names. */
static char folder[64];

static void make_file(const char *name, mode_t mode)
{
	char path[160];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	close(fd);
}

static int set_up_folder(void **state)
{
	char path[160];

	strcpy(folder, "/tmp/perftop-complete-XXXXXX");
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return -1;
	make_file("run-all", 0755);
	make_file("run-notes", 0644);
	make_file("two words", 0755);
	make_file("evil\033[2J", 0755);
	make_file(".hidden", 0644);
	snprintf(path, sizeof(path), "%s/runs", folder);
	if (mkdir(path, 0700) != 0)
		return -1;
	make_file("runs/one.data", 0644);
	setenv("HOME", folder, 1);
	setenv("PATH", folder, 1);
	return kit_set_up(state);
}

static int tear_down_folder(void **state)
{
	static const char *const names[] = {"runs/one.data", "runs",        "run-all", "run-notes",
					    "two words",     "evil\033[2J", ".hidden"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		remove(names[i]);
	if (chdir("/") != 0 || rmdir(folder) != 0)
		return -1;
	setenv("PATH", "/usr/bin:/bin", 1);
	return kit_tear_down(state);
}

UNIT_TEST_WITH(complete_files_as_a_shell_does, set_up_folder, tear_down_folder)
{
	assert_completes("command", "record r", "record run");
	assert_completes("command", "record runs", "record runs/");
	assert_completes("command", "record runs/", "record runs/one.data");
	assert_completes("command", "record two", "record two words");
	assert_completes("command", "record ~/runs/o", "record ~/runs/one.data");
	assert_completes("command", "record nowhere/x", "record nowhere/x");
	assert_false(is_offered("record ", ".hidden"));
	assert_true(is_offered("record .", ".hidden"));
	assert_false(is_offered("record e", "evil\033[2J"));
	assert_int_equal(prompts_shown()->complete.count, 0);
}

/* The first word is a program, what follows are files; nothing that a shell would take apart. */
UNIT_TEST_WITH(complete_programs_and_their_files, set_up_folder, tear_down_folder)
{
	assert_completes("command", "hand-over run", "hand-over run-all");
	assert_false(is_offered("hand-over two", "two words"));
	assert_completes("command", "hand-over ./runs/", "hand-over ./runs/");
	assert_true(is_offered("hand-over run-all -o runs/", "runs/one.data"));
	assert_completes("command", "hand-over run-all run-n", "hand-over run-all run-notes");
	setenv("PATH", "", 1);
	assert_false(is_offered("hand-over run", "run-all"));
	unsetenv("PATH");
	assert_false(is_offered("hand-over run", "run-all"));
}

UNIT_TEST_WITH(record_knows_the_home, set_up_folder, tear_down_folder)
{
	struct error error = {0};

	run("record ~/runs/two.data");
	run("ask record"); /* the key ends it */
	assert_int_equal(remove("runs/two.data"), 0);
	assert_false(command_run(&kit.app, "record a~/x", &error));
	assert_ptr_equal(strstr(error.text, "a~/x: "), error.text);
}

UNIT_TEST(complete_any_text_comes_to_its_end)
{
	static const char *const texts[] = {"in",
					    "in ",
					    "in in in ",
					    "bind",
					    "bind ",
					    "bind a ",
					    "sort -",
					    "sort +",
					    "columns ,,",
					    "columns a,",
					    " ",
					    "filter (((",
					    "metric =",
					    "metric ==",
					    "metric a = ,",
					    "width a b c d e",
					    "nonsense and more",
					    "view  tasks "};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		complete_find(&prompts_shown()->complete, &kit.app, texts[i]);
		assert_true(prompts_shown()->complete.begin <= strlen(texts[i]));
		tab_after("command", texts[i]);
		prompt_mode.key(&kit.app, KEY_CODE_TAB);
	}
}

/* clang-format off */
static const struct story stories[] = {
	{"before the cursor only",
	 ":ask command | 'sort mi,x | key Left Left | 'gr | key Tab | typed sort migr/s,x | cursor 11"},
	{"again it goes round both ways",
	 ":ask command | 'scroll- | key Tab | typed scroll- | key Tab | typed scroll-left | key Tab | typed scroll-right | key Tab | "
	 "typed scroll-left | key BackTab | typed scroll-right | candidates 2 | 'x | candidates 0 | typed scroll-rightx"},
	/* as if it was typed */
	{"each is on a line with what it is", ":ask command | 'so | key Tab | typed sort | candidates 4 | screen sort the rows"},
	{"what has no room is counted, and comes into sight",
	 ":ask command | key Tab | screen all  | unseen zoom-out | screen  more | key BackTab | screen zoom-out | unseen  more"},
	{"a filter holds at once", ":ask filter | 'nginx || use | key Tab | typed nginx || user | filter nginx || user"},
	{"recall walks back and on again",
	 ":ask command | 'threads | key Enter | :ask command | 'idle | key Enter | :ask command | 'hal | key Up | typed idle | key Up | "
	 "typed threads | key Up | typed threads | key Down Down | typed hal | key Down | typed hal"},
	{"recall has a memory for each prompt",
	 ":ask command | 'threads | key Enter | :ask user | key Up | typed  | 'root | key Enter | :ask user | key Up | typed root"},
	/* so that it can be mended */
	{"recall has what was refused, and nothing twice",
	 ":ask command | 'fly | key Enter Esc | :ask command | 'idle | key Enter | :ask command | 'fly | key Enter Esc | :ask command | "
	 "key Up | typed fly | key Up | typed idle | key Up | typed idle"},
	{"recall is live where the prompt is",
	 ":ask filter | 'redis | key Enter | :filter | :ask filter | key Up | filter redis"},
};
/* clang-format on */

UNIT_TEST(prompts_do_what_their_stories_say)
{
	take_stories(stories, COUNT_OF(stories));
}

UNIT_TEST(recall_keeps_a_hundred)
{
	struct recall recall = {0};
	char text[16];

	for (int i = 0; i < 250; i++) {
		snprintf(text, sizeof(text), "text %d", i);
		recall_add(&recall, "command", text);
	}
	assert_int_equal(recall.lists[0].count, RECALL_TEXTS_MAX);
	assert_string_equal(recall_step(&recall, "command", "", true), "text 249");
	for (int i = 0; i < 98; i++)
		recall_step(&recall, "command", "", true);
	assert_string_equal(recall_step(&recall, "command", "", true), "text 150");
	assert_null(recall_step(&recall, "command", "", true));
	recall_fini(&recall);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
