/* What the helper keeps of files: symbol_sample.c under several names. */
#include <sys/stat.h>

#include "symbol/elf_file.h"
#include "symbol/opener.h"
#include "symbol/store.h"
#include "unit.h"

enum {
	KEPT_BESIDE = 15 /* the one in use */
};

static struct opener opener;
static struct store *store;

static int set_up(void **state)
{
	assert_true(opener_start(&opener));
	store = store_create(&opener);
	return 0;
}

static int tear_down(void **state)
{
	store_destroy(store);
	opener_stop(&opener);
	return 0;
}

static struct stored *open_sample(uint64_t serial, const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return store_open(store, &(struct wire_object){
					 .serial = serial,
					 .kind = SYMBOL_OBJECT_FILE,
					 .inode = status.st_ino,
					 .name = path,
				 });
}

static bool is_open(struct stored *stored)
{
	return elf_file_is_open(stored_file(stored));
}

/* A program and its libraries take turns. */
UNIT_TEST(has_lines_keeps_those_of_others)
{
	struct stored *program = open_sample(1, SAMPLE), *library;

	assert_true(stored_has_lines(store, program));
	library = open_sample(2, SAMPLE);
	assert_true(stored_has_lines(store, library));
	assert_true(is_open(program));
	assert_true(is_open(library));
}

UNIT_TEST(has_lines_of_many_gives_back_those_used_longest_ago)
{
	struct stored *first = open_sample(1, SAMPLE), *second;

	assert_true(stored_has_lines(store, first));
	second = open_sample(2, SAMPLE);
	assert_true(stored_has_lines(store, second));
	for (uint64_t i = 2; i <= KEPT_BESIDE + 1; i++) {
		open_sample(1, SAMPLE);
		assert_true(stored_has_lines(store, open_sample(i + 1, SAMPLE)));
	}
	assert_true(is_open(first));
	assert_false(is_open(second));
	assert_true(stored_has_lines(store, open_sample(2, SAMPLE)));
}

UNIT_TEST(has_lines_keeps_nothing_of_a_file_that_has_none)
{
	struct stored *stored = open_sample(1, SAMPLE_BARE);

	assert_false(stored_has_lines(store, stored));
	assert_false(is_open(stored));
}

UNIT_MAIN(set_up, tear_down)
