/* Code made at run time: the text of /tmp/perf-PID.map, and which such files count. */
#include <errno.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "symbol/store.h"
#include "symbol/text_symbols.h"
#include "unit.h"

static struct opener opener;
static struct store *store;
static struct stored *map;
static char path[64];

static void update(void)
{
	map = store_open(store, &(struct wire_object){.serial = 1,
						      .kind = SYMBOL_OBJECT_JIT,
						      .is_live = true,
						      .pid = getpid(),
						      .name = "[JIT]"});
}

static void remove_file(void)
{
	unlink(path);
	rmdir(path);
}

static int set_up(void **state)
{
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	remove_file();
	assert_true(opener_start(&opener));
	store = store_create(&opener);
	update();
	return 0;
}

static int tear_down(void **state)
{
	remove_file();
	store_destroy(store);
	opener_stop(&opener);
	while (wait(NULL) > 0) /* it ends with its socket */
		;
	return 0;
}

static void write_map(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void expect(uint64_t address, const char *name, uint64_t start, uint64_t end)
{
	struct address_answer answer;

	stored_find(map, address, false, &answer);
	assert_string_equal(answer.name ? answer.name : "none", name);
	assert_true(answer.name == NULL || answer.start == start);
	assert_true(answer.name == NULL || answer.end == end);
	assert_true(answer.name != NULL || answer.reason != SYMBOL_REASON_NONE);
}

static void parse(const char *text)
{
	char *copy = strdup(text);

	jit_map_parse(&map->table, copy, strlen(text));
	map->facts.reason = SYMBOL_REASON_NONE;
	free(copy);
}

UNIT_TEST(parse_takes_lines_as_perf_does)
{
	parse("7f001000 40 LazyCompile:~add shop.js:1:2\n"
	      "0x7f001040 0x20 stub with  blanks\n");

	expect(0x7f00103f, "LazyCompile:~add shop.js:1:2", 0x7f001000, 0x7f001040);
	expect(0x7f001040, "stub with  blanks", 0x7f001040, 0x7f001060);
}

UNIT_TEST(parse_believes_the_last_line)
{
	parse("1000 100 old\n1080 10 inner\n1000 40 new\n");

	expect(0x1000, "new", 0x1000, 0x1040);
	expect(0x1080, "inner", 0x1080, 0x1090);
}

UNIT_TEST(parse_leaves_out_lines_that_make_no_sense)
{
	parse("\n \nhello\n1000\n1000 \n1000 20\n1000 20 \n1000 0 nothing\n"
	      "1000 x y\n0 20 null\nffffffffffffffff 20 around\n-1 -1 negative\n"
	      "2000 20 not yet who");

	assert_int_equal(map->table.count, 0);
}

UNIT_TEST(update_reads_what_the_process_wrote)
{
	write_map("1000 10 one\n");

	update();
	expect(0x1000, "one", 0x1000, 0x1010);

	write_map("1000 10 one\n2000 10 two\n");
	update();
	expect(0x2000, "two", 0x2000, 0x2010);
}

/* A large one that grows. */
UNIT_TEST(update_does_not_read_it_again_before_it_is_due)
{
	write_map("1000 10 one\n");
	update();
	assert_int_equal(map->due_ns, 0);
	map->due_ns = UINT64_MAX;
	write_map("1000 10 one\n2000 10 two\n");
	update();
	expect(0x2000, "none", 0, 0);
	map->due_ns = 0;
	update();
	expect(0x2000, "two", 0x2000, 0x2010);
}

UNIT_TEST(update_without_a_file_says_so)
{
	update();

	assert_int_equal(map->facts.reason, SYMBOL_REASON_NO_JIT_MAP);
	expect(0x1234, "none", 0, 0);
}

UNIT_TEST(update_refuses_whatever_is_no_plain_file)
{
	begin_case("link");
	assert_return_code(symlink("/etc/hostname", path), errno);
	update();
	assert_int_not_equal(map->facts.reason, SYMBOL_REASON_NO_SYMBOL);
	assert_int_equal(map->table.count, 0);

	begin_case("pipe");
	remove_file();
	assert_return_code(mkfifo(path, 0666), errno);
	update();
	assert_int_equal(map->facts.reason, SYMBOL_REASON_JIT_REFUSED);

	begin_case("folder");
	remove_file();
	assert_return_code(mkdir(path, 0777), errno);
	update();
	assert_int_equal(map->facts.reason, SYMBOL_REASON_JIT_REFUSED);
}

UNIT_TEST(update_refuses_the_file_of_another_user)
{
	if (geteuid() != 0)
		skip(); /* only root can give files away */
	write_map("1000 10 one\n");
	assert_return_code(chown(path, 65534, 65534), errno);

	update();

	assert_int_equal(map->facts.reason, SYMBOL_REASON_JIT_REFUSED);
	assert_int_equal(map->table.count, 0);
}

UNIT_TEST(update_forgets_what_a_file_said_that_is_refused_now)
{
	if (geteuid() != 0)
		skip();
	write_map("1000 10 one\n");
	update();
	assert_int_equal(map->table.count, 1);
	assert_return_code(chown(path, 65534, 65534), errno);

	update();

	assert_int_equal(map->table.count, 0);
}

UNIT_TEST(update_reads_the_end_of_a_file_of_10_gigabytes)
{
	FILE *file;

	write_map("");
	assert_return_code(truncate(path, INT64_C(10) << 30), errno);
	file = fopen(path, "a");
	assert_non_null(file);
	fputs("\n1000 10 one\n", file);
	fclose(file);

	update();

	expect(0x1000, "one", 0x1000, 0x1010);
}

/* More than is read: the first name goes, the last one is there. */
UNIT_TEST(update_of_a_large_map_has_the_newest_names)
{
	struct address_answer answer;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("1000 10 first\n", file);
	assert_int_equal(fseek(file, 64 << 20, SEEK_SET), 0);
	fputs(" cut\n2000 10 last\n", file);
	fclose(file);
	update();

	expect(0x2000, "last", 0x2000, 0x2010);
	stored_find(map, 0x1000, false, &answer);
	assert_null(answer.name);
	assert_int_equal(answer.reason, SYMBOL_REASON_JIT_LARGE);
}

UNIT_MAIN(set_up, tear_down)
