/* Settings written into a configuration file: what stays, what goes, what comes; and the file. */

#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include "fake_app.h"
#include "mode/command.h"
#include "mode/commands.h"
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
		if (!command_configure(&kit.app, config.lines[i].text, NULL))
			strbuf_printf(&kit.app.refused, "\n%s\n", config.lines[i].text);
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

UNIT_TEST(renew_defaults_are_not_written)
{
	assert_string_equal(renew(""), "");
	assert_string_equal(renew("# mine\n\n"), "# mine\n\n");
}

UNIT_TEST(renew_mark_of_utf8_stays_before_a_line_that_does)
{
	assert_string_equal(renew("\xef\xbb\xbf# mine\n"), "\xef\xbb\xbf# mine\n");
	run("delay 0.25");
	assert_string_equal(renew("\xef\xbb\xbf"
				  "delay 3\n"),
			    "delay 0.25\n");
}

UNIT_TEST(renew_writes_what_differs)
{
	run("delay 0.25");
	run("threads");
	run("idle");
	run("command-lines");
	run("window interval");
	run("by name");
	run("colour ipc");
	run("key-profile vim");
	run("bind x sort ipc");
	run("unbind q");
	run("width pid 9");
	run("sort miss%");
	run("in pairs sort +times");
	run("in cpus reverse");
	assert_string_equal(renew(""), "bind x sort ipc\nunbind q\nby name\ncolour ipc\n"
				       "command-lines on\ndelay 0.25\nidle on\nkey-profile vim\n"
				       "threads on\nwidth pid 9\nwindow interval\n"
				       "in tasks sort miss%\nin cpus sort -cpu\n"
				       "in pairs sort +times\n");
}

UNIT_TEST(renew_changes_lines_where_they_stand)
{
	static const char old[] = "# head\n  delay 2 \n\n# keys\nbind PgUp first\n# end\n";

	start_with(old);
	assert_string_equal(renew(old), old);
	run("delay 5");
	run("bind PageUp last");
	assert_string_equal(renew(old), "# head\ndelay 5\n\n# keys\nbind PgUp last\n# end\n");
	run("delay 1");
	run("bind PgUp page-up");
	assert_string_equal(renew(old), "# head\n\n# keys\n# end\n");
}

UNIT_TEST(renew_finds_keys_by_any_of_their_names)
{
	static const char old[] = "bind PageUp first\nbind x quit\nunbind ^l\n# x\n";

	start_with(old);
	assert_string_equal(renew(old), "bind PgUp first\nbind x quit\nunbind ^L\n# x\n");
}

UNIT_TEST(renew_keeps_what_is_not_ours)
{
	static const char old[] = "fly away\nfilter nginx\nview cpus\nuser root\nremove-event x\n"
				  "in nowhere sort ipc\nin tasks nonsense\nbind F13 quit\n"
				  "sort bad\nwidth nonsense 3\nbind x nonsense\n"
				  "column bad\nevent bad\nmetric = 3\nkey-profile emacs";

	start_with(old);
	assert_string_equal(renew(old), "fly away\nfilter nginx\nview cpus\nuser root\n"
					"remove-event x\nin nowhere sort ipc\nin tasks nonsense\n"
					"bind F13 quit\nsort bad\nwidth nonsense 3\n"
					"bind x nonsense\ncolumn bad\nevent bad\nmetric = 3\n"
					"key-profile emacs\n");
}

UNIT_TEST(renew_lines_are_for_the_view_before_them)
{
	static const char old[] = "sort ipc\nview cpus\nsort ipc\n";

	start_with(old);
	assert_string_equal(renew(old), "in tasks sort ipc\nview cpus\nin cpus sort ipc\n");
	run("in tasks sort cpu%");
	assert_string_equal(renew(old), "view cpus\nin cpus sort ipc\n");
}

UNIT_TEST(renew_columns_of_one_view)
{
	run("in cpus columns cpu,ipc");
	run("column ppid");
	assert_string_equal(renew(""), "in tasks column ppid\nin cpus columns cpu,ipc\n");
	run("remove-column user");
	renew("");
	assert_non_null(strstr(strbuf_text(&result), "in tasks columns pid,cpu%,"));
	assert_non_null(strstr(strbuf_text(&result), ",ppid,command\n"));
	run("columns");
	assert_string_equal(renew(""), "in cpus columns cpu,ipc\n");
}

/* A line that adds columns adds them to all views, so what one of them has for itself must come
 * after it. */
UNIT_TEST(renew_columns_stand_behind_what_adds_some)
{
	static const char old[] = "in tasks columns pid,ipc\n# more\nevent page-faults\n";

	start_with(old);
	renew(old);
	assert_string_equal(strbuf_text(&result), "# more\nevent page-faults\n"
						  "in tasks columns pid,ipc,page-faults\n");
	run("remove-column page-faults");
	assert_string_equal(renew(old), "# more\nevent page-faults\nin tasks columns pid,ipc\n");
	restart_with(strbuf_text(&result));
	assert_int_equal(kit.app.views[0].columns.count, 2);
	assert_int_equal(kit.app.views[1].extras.count, 1);
}

UNIT_TEST(renew_events_that_nobody_shows_go)
{
	start_with("event page-faults,one\nevent two\n");
	run("remove-event one");
	run("remove-event two");
	assert_string_equal(renew("event page-faults,one\nevent two\n"), "event page-faults\n");
}

UNIT_TEST(renew_metrics_are_defined)
{
	static const char old[] = "metric a = 2 * cycles; unit %\nmetric b = a + 1\n";

	start_with(old);
	assert_string_equal(renew(old), old);
	run("metric a = 3 * cycles; unit x; width 9; help It is.; good low 1 2 3 4");
	run("metric c = 4 * cycles");
	assert_string_equal(renew(old), "metric a = 3 * cycles; unit x; width 9; help It is.; "
					"good low 1 2 3 4\n"
					"metric b = a + 1\ndefine c = 4 * cycles\n"
					"in tasks column c\n");
}

/* Shown nowhere it must not come back as a column of all views. */
UNIT_TEST(renew_metric_that_nobody_shows_is_only_defined)
{
	static const char old[] = "metric a = 2 * cycles; unit %\n";
	char command[64];

	start_with(old);
	for (size_t i = 0; i < kit.app.view_count; i++) {
		snprintf(command, sizeof(command), "in %s remove-column a",
			 kit.app.views[i].info->name);
		run(command);
	}
	assert_string_equal(renew(old), "define a = 2 * cycles; unit %\n");
}

/* Written, read and written again it is the same: nothing is lost on the way. */
UNIT_TEST(renew_of_what_was_written_is_the_same)
{
	char *first;

	run("key-profile top");
	run("bind gg first");
	run("unbind F5");
	run("event page-faults,one");
	run("metric c = 4 * cycles");
	run("in pairs columns victim,lost");
	run("in cpus column c");
	run("in switches remove-column how");
	run("width c 12");
	run("sort -c");
	run("window 90s");
	run("delay 0.5");
	first = strdup(renew("# mine\n"));
	restart_with(first);
	assert_string_equal(renew(first), first);
	assert_string_equal(kit.app.refused.length > 0 ? kit.app.refused.text : "", "");
	assert_string_equal(renew("# mine\n"), first);
	free(first);
}

UNIT_TEST(in_runs_in_a_view_and_comes_back)
{
	struct error error = {0};

	run("view pairs");
	run("in cpus sort ipc");
	assert_string_equal(kit.app.views[kit.app.view].info->name, "pairs");
	assert_string_equal(kit.app.views[1].sort->name, "ipc");
	assert_false(command_run(&kit.app, "in nowhere sort ipc", &error));
	assert_int_equal(error.code, ERROR_VIEW_UNKNOWN);
	assert_false(command_run(&kit.app, "in cpus", &error));
	assert_int_equal(error.code, ERROR_COMMAND_USAGE);
	assert_false(command_run(&kit.app, "in cpus in tasks threads", &error));
	assert_int_equal(error.code, ERROR_COMMAND_USAGE);
	assert_false(command_run(&kit.app, "in cpus sort bad", &error));
	assert_false(kit.app.is_scoped);
	assert_string_equal(kit.app.views[kit.app.view].info->name, "pairs");
	assert_true(command_is_setting(&command_table, "in cpus sort ipc", NULL));
	assert_false(command_is_setting(&command_table, "in cpus quit", NULL));
	assert_false(command_is_setting(&command_table, "in cpus", NULL));
}

/* The cursor of another view is on no row that one sees. */
UNIT_TEST(in_does_nothing_to_rows)
{
	static const char *const commands[] = {"in cpus nice +1", "in cpus signal KILL",
					       "in cpus sort-left", "in switches ask search",
					       "in groups tag"};

	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		struct error error = {0};

		assert_false(command_run(&kit.app, commands[i], &error));
		assert_int_equal(error.code, ERROR_VIEW_SETTING);
	}
	assert_false(kit.app.prompt.is_open);
}

UNIT_TEST(width_sets_and_takes_back)
{
	const struct column *column = columns_find(kit.engine.resolver.columns, "pid");
	const int own = column->width;
	struct error error = {0};

	run("width pid 12");
	assert_int_equal(column->width, 12);
	run("width pid 13");
	assert_int_equal(columns_set_width_of(kit.engine.resolver.columns, column), 13);
	run("width pid");
	assert_int_equal(column->width, own);
	assert_int_equal(columns_set_width_of(kit.engine.resolver.columns, column), 0);
	assert_false(command_run(&kit.app, "width pid 0", &error));
	assert_int_equal(error.code, ERROR_WIDTH_BAD);
	assert_false(command_run(&kit.app, "width pid 81", &error));
	assert_false(command_run(&kit.app, "width nonsense 3", &error));
	assert_int_equal(error.code, ERROR_COLUMN_HIDDEN);
}

UNIT_TEST(bind_refuses_what_does_not_exist)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, "bind x", &error));
	assert_int_equal(error.code, ERROR_COMMAND_USAGE);
	assert_false(command_run(&kit.app, "bind x fly", &error));
	assert_int_equal(error.code, ERROR_COMMAND_UNKNOWN);
	assert_false(command_run(&kit.app, "bind Xyz quit", &error));
	assert_int_equal(error.code, ERROR_KEY_UNKNOWN);
	assert_false(command_run(&kit.app, "unbind Xyz", &error));
	assert_int_equal(kit.app.keys.count, 0);
}

/* The command of the key stands in what it changes. */
UNIT_TEST(bind_of_a_key_by_itself)
{
	struct error error = {0};

	run("bind x unbind x");
	assert_true(command_run(&kit.app, keys_bound(&kit.app.keys, 'x'), &error));
	assert_string_equal(kit.app.message, "x is unbound");
	run("bind x bind x in tasks sort ipc");
	assert_true(command_run(&kit.app, keys_bound(&kit.app.keys, 'x'), &error));
	assert_string_equal(keys_bound(&kit.app.keys, 'x'), "in tasks sort ipc");
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

	assert_false(config_save(&kit.app, &error));
	if (error.code != code)
		fail_msg("%s", error.text);
}

UNIT_TEST(save_makes_folder_and_file)
{
	run("delay 2");
	run("save");
	assert_string_equal(read_back("perftop/perftop.conf"), "delay 2\n");
	assert_int_equal(mode_of("perftop"), 0700);
	assert_int_equal(files_in("perftop"), 1);
	assert_non_null(strstr(kit.app.message, "saved to "));
	run("save");
	assert_non_null(strstr(kit.app.message, "no changes to save"));
}

UNIT_TEST(save_without_a_change_and_a_file_writes_none_and_says_so)
{
	run("save");
	assert_non_null(strstr(kit.app.message, "nothing differs from the defaults; "));
	assert_int_equal(access(path_of("perftop"), F_OK), -1);
}

UNIT_TEST(save_writes_how_it_looks)
{
	run("theme mono");
	run("cpu-strips miss");
	run("machine-line");
	run("group-by user");
	run("mouse off");
	run("tree");
	run("exited");
	run("kernel-threads");
	run("save");
	assert_string_equal(read_back("perftop/perftop.conf"),
			    "cpu-strips miss\nexited off\ngroup-by user\nkernel-threads off\n"
			    "machine-line on\nmouse off\ntheme mono\ntree on\n");
}

UNIT_TEST(save_keeps_the_mode_and_leaves_nothing_behind)
{
	mkdir(path_of("perftop"), 0755);
	write_file("perftop/perftop.conf", "# mine\ndelay 3\n");
	assert_int_equal(chmod(path_of("perftop/perftop.conf"), 0640), 0);
	run("delay 2");
	run("save");
	assert_string_equal(read_back("perftop/perftop.conf"), "# mine\ndelay 2\n");
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
	assert_string_equal(read_back("dots/conf"), "delay 2\n");
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
	assert_false(config_save(&kit.app, &error));
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
	assert_string_equal(read_back("home/.config/perftop/perftop.conf"), "delay 2\n");
}

UNIT_TEST(save_writes_the_file_that_was_named)
{
	run("delay 2");
	kit.options.config_path = "/dev/full";
	assert_not_saved(ERROR_CONFIG_KIND);
	kit.options.config_path = path_of("mine");
	run("save");
	assert_string_equal(read_back("mine"), "delay 2\n");

	/* in the folder where we are */
	assert_int_equal(chdir(path_of("")), 0);
	kit.options.config_path = "here";
	run("save");
	assert_int_equal(chdir("/"), 0);
	assert_string_equal(read_back("here"), "delay 2\n");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
