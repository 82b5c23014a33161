/* Settings written into a configuration file: what stays, what goes, what comes; and the file. */

#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include "app_kit.h"
#include "error_name.h"
#include "mode/config_save.h"
#include "session/config.h"
#include "unit.h"

static char folder[64];
static struct strbuf result;

static int set_up(void **state)
{
	strcpy(folder, "/tmp/perftop-save-XXXXXX");
	if (mkdtemp(folder) == NULL)
		return -1;
	setenv("XDG_CONFIG_HOME", folder, 1);
	return kit_set_up(state);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int tear_down(void **state)
{
	char command[192];

	strbuf_fini(&result);
	snprintf(command, sizeof(command), "chmod -R u+w %s; rm -r %s", folder, folder);
	if (system(command) != 0)
		return -1;
	return kit_tear_down(state);
}

static const char *renew(const char *old)
{
	strbuf_clear(&result);
	config_text_renew(&kit.app, old, &result);
	return strbuf_text(&result);
}

/* As at a start with this text. */
static void start_with(const char *text)
{
	struct config config = {0};

	config_parse(&config, text);
	kit.app.is_starting = true;
	for (size_t i = 0; i < config.count; i++)
		command_configure(&kit.app, config.lines[i].text, NULL);
	kit.app.is_starting = false;
	config_fini(&config);
}

static void restart_with(const char *text)
{
	char *copy = strdup(text);

	kit_tear_down(NULL);
	kit_set_up(NULL);
	start_with(copy);
	free(copy);
}

/* Commands with " | " between them. */
static void run_all(const char *commands)
{
	char command[128];

	while (*commands != '\0') {
		const char *end = strstr(commands, " | ");
		const size_t length = end ? (size_t)(end - commands) : strlen(commands);

		snprintf(command, sizeof(command), "%.*s", (int)length, commands);
		run(command);
		commands += length + (end ? 3 : 0);
	}
}

/* clang-format off */
#define TITLE "# Saved by perftop: what holds is below. What is above is yours, and is left alone.\n"
#define FOREIGN "fly away\nfilter nginx\nview cpus\nuser root\nremove-event x\nin nowhere sort ipc\nin tasks nonsense\n" \
	"bind F13 quit\nsort bad\nwidth nonsense 3\nbind x nonsense\ncolumn bad\nevent bad\nmetric = 3\ntheme pink"
#define KEYS_TEXT "# head\n  delay 2 \n\n# keys\nbind PgUp first\n# end\n"
#define VIEWS_TEXT "sort ipc\nview cpus\nsort ipc\n"
#define EVENTS_TEXT "event page-faults,test:one\n"
#define METRICS_TEXT "define a = 2 * cycles; unit %\nmetric b = a + 1\n"
static const struct {
	const char *name;
	const char *old;      /* the program starts with it, and it is renewed */
	const char *commands; /* between the two */
	const char *expected;
} renewals[] = {
	{"defaults are not written", "", "", ""},
	{"comments stay", "# mine\n\n", "", "# mine\n\n"},
	{"a mark of UTF-8 stays", "\xef\xbb\xbf# mine\n", "delay 3", "\xef\xbb\xbf# mine\n" TITLE "delay 3\n"},
	{"what differs is written", "",
	 "budget 1% | delay 0.25 | threads | idle | command-lines | window interval | by name | colour ipc | theme dark | bind x sort ipc | "
	 "unbind q | width pid 9 | sort miss% | in pairs sort +times | in cpus reverse",
	 TITLE "in tasks sort miss%\nin cpus sort -cpu\nin pairs sort +times\nbind x sort ipc\nunbind q\nbudget 1\nby name\ncolour ipc\n"
	 "command-lines on\ndelay 0.25\nidle on\ntheme dark\nthreads on\nwidth pid 9\nwindow interval\n"},
	{"the user's lines stay and are taken back", KEYS_TEXT, "delay 5 | bind PageUp last", KEYS_TEXT TITLE "defaults\nbind PgUp last\ndelay 5\n"},
	{"also where all is as at first", KEYS_TEXT, "delay 1 | bind PgUp page-up", KEYS_TEXT TITLE "defaults\n"},
	{"the block is replaced", "# mine\n" TITLE "delay 3\n", "delay 4", "# mine\n" TITLE "delay 4\n"},
	{"and goes", "# mine\n" TITLE "delay 3\n", "delay 1", "# mine\n"},
	{"what is no setting, or was wrong, stays", FOREIGN, "", FOREIGN "\n" TITLE "defaults\n"},
	{"orders are of their view", VIEWS_TEXT, "", VIEWS_TEXT TITLE "defaults\nin tasks sort ipc\nin cpus sort ipc\n"},
	{"columns are of one view", "", "in cpus columns cpu,ipc | column ppid", TITLE "in tasks column ppid\nin cpus columns cpu,ipc\n"},
	{"columns as at first are not written", "", "in cpus columns cpu,ipc | remove-column user | columns", TITLE "in cpus columns cpu,ipc\n"},
	{"a set stays one by its name", "in cpus columns memory\ncolumns branches\n", "",
	 "in cpus columns memory\ncolumns branches\n" TITLE "defaults\nin tasks columns branches\nin cpus columns memory\n"},
	{"a set with more is a list", "", "in cpus columns branches | view cpus | column ghz",
	 TITLE "in cpus columns cpu,cpu%,ipc,branch_miss_pct,br-mpki,branch_pct,ghz\n"},
	{"what is added to all views is of each", "column ghz\n", "",
	 "column ghz\n" TITLE "defaults\nin switches column ghz\nin pairs column ghz\nin histogram column ghz\nin timeline column ghz\n"
	 "in functions column ghz\nin memory column ghz\n"},
	{"and of those that still have it", EVENTS_TEXT, "remove-event test:one | in cpus remove-column page-faults",
	 EVENTS_TEXT TITLE "defaults\nin tasks column page-faults\nin switches column page-faults\nin groups column page-faults\n"
	 "in pairs column page-faults\nin histogram column page-faults\nin timeline column page-faults\nin functions column page-faults\n"
	 "in memory column page-faults\n"},
	{"widths come behind the columns that they are of", "", "in cpus column test:one/prev_pid > 5/ | width test:one/prev_pid > 5/ 12",
	 TITLE "in cpus column test:one/prev_pid > 5/\nwidth test:one/prev_pid > 5/ 12\n"},
	{"metrics stay as they are", METRICS_TEXT, "in cpus columns b",
	 METRICS_TEXT TITLE "defaults\nin tasks column b\nin cpus columns b\nin switches column b\nin groups column b\nin pairs column b\n"
	 "in histogram column b\nin timeline column b\nin functions column b\nin memory column b\n"},
	{"the last definition of a metric is the user's", "define a = 2 * cycles\ndefine a = 3 * cycles\n",
	 "define a = 2 * cycles",
	 "define a = 2 * cycles\ndefine a = 3 * cycles\n" TITLE "defaults\ndefine a = 2 * cycles\n"},
	{"another unit is another definition", "define a = 2 * cycles; unit %\ndefine b = a+1\n", "define a = 2 * cycles; unit x",
	 "define a = 2 * cycles; unit %\ndefine b = a+1\n" TITLE "defaults\ndefine a = 2 * cycles; unit x\n"},
	{"a metric comes behind those that it names", "", "define a = 2 * cycles | define b = instructions + 1 | define a = b * 3",
	 TITLE "define b = instructions + 1\ndefine a = b * 3\n"},
	{"metrics are defined anew, and new ones", "define a = 2 * cycles; unit %\n",
	 "define a = 3 * cycles; unit x; width 9; help It is.; good low 1 2 3 4 | define c = 4 * cycles",
	 "define a = 2 * cycles; unit %\n" TITLE "defaults\ndefine a = 3 * cycles; unit x; width 9; help It is.; good low 1 2 3 4\n"
	 "define c = 4 * cycles\n"},
};
/* clang-format on */

UNIT_TEST(renewed_text_has_what_holds)
{
	for (size_t i = 0; i < COUNT_OF(renewals); i++) {
		begin_case(renewals[i].name);
		restart_with(renewals[i].old);
		run_all(renewals[i].commands);
		assert_string_equal(renew(renewals[i].old), renewals[i].expected);
		/* as at the next start */
		restart_with(renewals[i].expected);
		assert_string_equal(renew(renewals[i].expected), renewals[i].expected);
	}
}

UNIT_TEST(renewed_columns_are_all_of_the_view)
{
	run_all("column ppid | remove-column user");
	renew("");
	assert_non_null(strstr(strbuf_text(&result), "in tasks columns pid,cpu%,"));
	assert_non_null(strstr(strbuf_text(&result), ",ppid,command\n"));
	restart_with("event page-faults\nin tasks columns pid,ipc\n");
	assert_int_equal(kit.app.views[0].columns.count, 2);
	assert_int_equal(kit.app.views[1].extras.count, 1);
}

/* Written, read and written again it is the same: nothing is lost on the way. */
UNIT_TEST(renew_of_what_was_written_is_the_same)
{
	char *first;

	run_all("theme mono | bind gg first | unbind F5 | event page-faults,test:one | "
		"metric c = 4 * cycles | in pairs columns victim,lost | in cpus column c | "
		"in switches remove-column how | width c 12 | sort -c | window 90s | delay 0.5");
	first = strdup(renew("# mine\n"));
	restart_with(first);
	assert_string_equal(renew(first), first);
	assert_string_equal(renew("# mine\n"), first);
	free(first);
}

/* The cursor of another view is on no row that one sees. */
UNIT_TEST(commands_that_cannot_be_settings_are_refused)
{
	struct keys *keys = kit.app.parts[PART_keys];
	struct prompts *prompts = kit.app.parts[PART_prompts];
	static const struct {
		const char *command;
		enum error_code code;
	} cases[] = {
		{"in nowhere sort ipc", ERROR_VIEW_UNKNOWN},
		{"in cpus", ERROR_COMMAND_USAGE},
		{"in cpus in tasks threads", ERROR_COMMAND_USAGE},
		{"in cpus sort bad", ERROR_COLUMN_UNKNOWN},
		{"in cpus nice +1", ERROR_VIEW_SETTING},
		{"in cpus signal KILL", ERROR_VIEW_SETTING},
		{"in cpus sort-left", ERROR_VIEW_SETTING},
		{"in switches ask search", ERROR_VIEW_SETTING},
		{"in groups tag", ERROR_VIEW_SETTING},
		{"width pid 0", ERROR_WIDTH_BAD},
		{"width pid 81", ERROR_WIDTH_BAD},
		{"width nonsense 3", ERROR_COLUMN_HIDDEN},
		{"bind x", ERROR_COMMAND_USAGE},
		{"bind x fly", ERROR_COMMAND_UNKNOWN},
		{"bind Xyz quit", ERROR_KEY_UNKNOWN},
		{"unbind Xyz", ERROR_KEY_UNKNOWN},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};

		begin_case(cases[i].command);
		assert_false(command_run(&kit.app, cases[i].command, &error));
		assert_string_equal(error_name(error.code), error_name(cases[i].code));
		assert_false(kit.app.is_scoped || prompts->line.is_open);
		assert_int_equal(kit.app.view + keys->count, 0);
	}
	assert_true(command_is_setting(&command_table, "in cpus sort ipc", NULL));
	assert_false(command_is_setting(&command_table, "in cpus quit", NULL));
	assert_false(command_is_setting(&command_table, "in cpus", NULL));
}

UNIT_TEST(in_runs_in_a_view_and_comes_back)
{
	run_all("view pairs | in cpus sort ipc");
	assert_string_equal(kit.app.views[kit.app.view].info->name, "pairs");
	assert_string_equal(kit.app.views[1].order.sort->name, "ipc");
}

UNIT_TEST(width_sets_and_takes_back)
{
	const struct column *column = columns_find(kit.engine->resolver.columns, "pid");
	const int own = column->width;

	run_all("width pid 12 | width pid 13");
	assert_int_equal(column->width, 13);
	assert_int_equal(columns_set_width_of(kit.engine->resolver.columns, column), 13);
	run("width pid");
	assert_int_equal(column->width, own);
	assert_int_equal(columns_set_width_of(kit.engine->resolver.columns, column), 0);
}

UNIT_TEST(width_of_a_name_with_blanks)
{
	const struct column *column;

	run_all("event test:one/prev_pid > 5/ | width test:one/prev_pid > 5/ 12");
	column = columns_find(kit.engine->resolver.columns, "test:one/prev_pid > 5/");
	assert_int_equal(column->width, 12);
	run("width test:one/prev_pid > 5/");
	assert_int_equal(columns_set_width_of(kit.engine->resolver.columns, column), 0);
}

/* The command of the key is in what it changes. */
UNIT_TEST(bind_of_a_key_by_itself)
{
	run("bind x unbind x");
	run(keys_bound(kit.app.parts[PART_keys], 'x'));
	assert_string_equal(kit.app.message.text, "x is unbound");
	run("bind x bind x in tasks sort ipc");
	run(keys_bound(kit.app.parts[PART_keys], 'x'));
	assert_string_equal(keys_bound(kit.app.parts[PART_keys], 'x'), "in tasks sort ipc");
}

UNIT_TEST(define_adds_no_column)
{
	run("define c = 4 * cycles");
	assert_int_equal(kit.app.views[0].extras.count, 0);
	run("column c");
	assert_int_equal(kit.app.views[0].extras.count, 1);
}

/* --- the file */

static const char *read_back(const char *name)
{
	static struct strbuf text;

	strbuf_clear(&text);
	if (!config_read_text(path_of(name), &text, NULL))
		return "(cannot be read)";
	return strbuf_text(&text);
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static mode_t mode_of(const char *name)
{
	struct stat file;

	assert_int_equal(lstat(path_of(name), &file), 0);
	return file.st_mode & 07777;
}

static size_t files_in(const char *name)
{
	char command[160];
	FILE *pipe;
	int count = 0;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", path_of(name));
	pipe = popen(command, "r");
	assert_int_equal(fscanf(pipe, "%d", &count), 1);
	pclose(pipe);
	return (size_t)count;
}

static void assert_not_saved(enum error_code code)
{
	struct error error = {0};

	assert_false(config_save(&kit.app, "", &error));
	if (error.code != code)
		fail_msg("%s", error.text);
}

UNIT_TEST(save_makes_folder_and_file)
{
	run("delay 2");
	run("save");
	assert_string_equal(read_back("perftop/perftop.conf"), TITLE "delay 2\n");
	assert_int_equal(mode_of("perftop"), 0700);
	assert_int_equal(files_in("perftop"), 1);
	assert_non_null(strstr(kit.app.message.text, "saved to "));
	run("save");
	assert_non_null(strstr(kit.app.message.text, "no changes to save"));
}

UNIT_TEST(save_without_a_change_and_a_file_writes_none_and_says_so)
{
	run("save");
	assert_non_null(strstr(kit.app.message.text, "nothing differs from the defaults; "));
	assert_int_equal(access(path_of("perftop"), F_OK), -1);
}

UNIT_TEST(save_writes_how_it_looks)
{
	run_all("theme mono | cpu-strips miss | head line | group-by user | mouse off | tree | "
		"exited | kernel-threads | save");
	assert_string_equal(
		read_back("perftop/perftop.conf"),
		TITLE "cpu-strips miss\nexited off\ngroup-by user\nhead line\nkernel-threads off\n"
		      "mouse off\ntheme mono\ntree on\n");
}

UNIT_TEST(save_keeps_the_mode_and_leaves_nothing_behind)
{
	mkdir(path_of("perftop"), 0755);
	write_file("perftop/perftop.conf", "# mine\ndelay 3\n");
	assert_int_equal(chmod(path_of("perftop/perftop.conf"), 0640), 0);
	run("delay 2");
	run("save");
	assert_string_equal(read_back("perftop/perftop.conf"),
			    "# mine\ndelay 3\n" TITLE "defaults\ndelay 2\n");
	assert_int_equal(mode_of("perftop/perftop.conf"), 0640);
	assert_int_equal(mode_of("perftop"), 0755);
	assert_int_equal(files_in("perftop"), 1);
}

UNIT_TEST(save_follows_a_link_to_a_file)
{
	char target[128];

	mkdir(path_of("perftop"), 0755);
	mkdir(path_of("dots"), 0755);
	write_file("dots/conf", "delay 3\n");
	snprintf(target, sizeof(target), "%s", "../dots/conf");
	assert_int_equal(symlink(target, path_of("perftop/perftop.conf")), 0);
	run("delay 2");
	run("save");
	assert_string_equal(read_back("dots/conf"), "delay 3\n" TITLE "defaults\ndelay 2\n");
	assert_int_equal(files_in("perftop"), 1);
	assert_int_equal(files_in("dots"), 1);
	assert_true(readlink(path_of("perftop/perftop.conf"), target, sizeof(target)) > 0);
}

UNIT_TEST(save_leaves_other_links_and_kinds_alone)
{
	run("delay 2");
	mkdir(path_of("perftop"), 0755);
	assert_int_equal(symlink("nowhere", path_of("perftop/perftop.conf")), 0);
	assert_not_saved(ERROR_CONFIG_LINK);
	unlink(path_of("perftop/perftop.conf"));
	assert_int_equal(symlink("/dev/zero", path_of("perftop/perftop.conf")), 0);
	assert_not_saved(ERROR_CONFIG_LINK);
	unlink(path_of("perftop/perftop.conf"));
	mkdir(path_of("perftop/perftop.conf"), 0755);
	assert_not_saved(ERROR_CONFIG_KIND);
	rmdir(path_of("perftop/perftop.conf"));
	assert_int_equal(mkfifo(path_of("perftop/perftop.conf"), 0600), 0);
	assert_not_saved(ERROR_CONFIG_KIND);
	assert_int_equal(files_in("perftop"), 1);
}

/* Whoever may make a link here could have root write where he may not. Only root can try it. */
UNIT_TEST(save_does_not_follow_the_link_of_somebody_else)
{
	if (geteuid() != 0)
		skip();
	run("delay 2");
	mkdir(path_of("perftop"), 0755);
	write_file("other", "delay 3\n");
	assert_int_equal(symlink("../other", path_of("perftop/perftop.conf")), 0);
	assert_int_equal(lchown(path_of("perftop/perftop.conf"), 1000, 1000), 0);
	assert_not_saved(ERROR_CONFIG_LINK);
	assert_string_equal(read_back("other"), "delay 3\n");
}

UNIT_TEST(save_leaves_alone_what_is_no_text)
{
	struct strbuf text = {0};
	FILE *file;

	run("delay 2");
	mkdir(path_of("perftop"), 0755);
	file = fopen(path_of("perftop/perftop.conf"), "w");
	fwrite("delay 3\n\0x", 1, 10, file);
	fclose(file);
	assert_not_saved(ERROR_CONFIG_STRANGE);
	strbuf_add_repeated(&text, 'x', 10 << 20);
	write_file("perftop/perftop.conf", strbuf_text(&text));
	assert_not_saved(ERROR_FILE_OPEN);
	strbuf_fini(&text);
}

UNIT_TEST(save_without_a_place_says_so)
{
	struct error error = {0};

	run("delay 2");
	setenv("XDG_CONFIG_HOME", "/proc/self", 1); /* nobody may make a folder there */
	assert_not_saved(ERROR_CONFIG_WRITE);
	setenv("XDG_CONFIG_HOME", "/sys/kernel", 1); /* nor here, and the reason is said */
	assert_false(config_save(&kit.app, "", &error));
	assert_null(strstr(error.text, "No such file"));
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	assert_not_saved(ERROR_CONFIG_NOWHERE);
	kit.options.no_config = true;
	assert_not_saved(ERROR_CONFIG_NONE);
}

/* A home that is not there is not for us to make: who has none is not to get one. */
UNIT_TEST(save_makes_no_home)
{
	struct stat file;

	run("delay 2");
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", path_of("home"), 1);
	assert_not_saved(ERROR_CONFIG_WRITE);
	assert_int_equal(stat(path_of("home"), &file), -1);
	assert_int_equal(mkdir(path_of("home"), 0700), 0);
	run("save");
	assert_string_equal(read_back("home/.config/perftop/perftop.conf"), TITLE "delay 2\n");
}

UNIT_TEST(save_writes_the_file_that_was_named)
{
	run("delay 2");
	kit.options.config_path = "/dev/full";
	assert_not_saved(ERROR_CONFIG_KIND);
	kit.options.config_path = path_of("mine");
	run("save");
	assert_string_equal(read_back("mine"), TITLE "delay 2\n");

	/* in the folder where we are */
	assert_int_equal(chdir(path_of("")), 0);
	kit.options.config_path = "here";
	run("save");
	assert_int_equal(chdir("/"), 0);
	assert_string_equal(read_back("here"), TITLE "delay 2\n");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
