/*
 * The code of a function of symbol_sample.c as the helper reads it: its lines and instructions. No
 * process is asked, so that it is proved for other machines, too.
 */
#include <dlfcn.h>
#include <string.h>

#include <sys/stat.h>

#include "base/memory.h"

#include "symbol/listing.h"
#include "symbol/opener.h"
#include "symbol/store.h"
#include "unit.h"

enum {
	CODE_END = 0x4000, /* of the library, far behind its last function */
	PARTS_MAX = 400
};

static struct opener opener;
static struct store *store;
static struct stored *stored;
static struct code_part parts[PARTS_MAX]; /* texts owned */
static size_t count;

static int set_up(void **state)
{
	assert_true(opener_start(&opener));
	store = store_create(&opener);
	return 0;
}

static void forget(void)
{
	while (count > 0)
		free((char *)parts[--count].text);
}

static int tear_down(void **state)
{
	forget();
	store_destroy(store);
	opener_stop(&opener);
	return 0;
}

static void take(const struct code_part *part, void *context)
{
	assert_true(count < PARTS_MAX);
	parts[count] = *part;
	parts[count++].text = xstrdup(part->text);
}

static void open_sample(const char *path)
{
	struct stat status = {0};

	stat(path, &status);
	stored = store_open(store, &(struct wire_object){
					   .serial = 1,
					   .kind = SYMBOL_OBJECT_FILE,
					   .inode = status.st_ino,
					   .name = path,
				   });
}

static struct address_answer find(const char *function)
{
	struct address_answer answer;

	for (uint64_t offset = 0; offset < CODE_END; offset++) {
		stored_find(stored, offset, false, &answer);
		if (answer.name && strcmp(answer.name, function) == 0)
			return answer;
	}
	fail_msg("no %s", function);
	return answer;
}

static enum symbol_reason list(const char *function)
{
	const struct address_answer answer = find(function);

	return listing_make(stored, answer.function_start, answer.function_end, take, NULL);
}

/* A line of symbol_sample.c, as the compiler was told. */
static uint32_t marked_line(const char *name)
{
	void *library = dlopen(SAMPLE, RTLD_NOW | RTLD_LOCAL);
	const void *at = library ? dlsym(library, name) : NULL;
	uint32_t line = 0;

	assert_non_null(at);
	memcpy(&line, at, sizeof(line));
	dlclose(library);
	return line;
}

static const struct code_part *find_part(enum code_part_kind kind, uint32_t line)
{
	for (size_t i = 0; i < count; i++)
		if (parts[i].kind == kind && (line == 0 || parts[i].line == line))
			return &parts[i];
	return NULL;
}

UNIT_TEST(listing_has_instructions_of_all_of_the_function)
{
	struct address_answer answer;
	uint64_t last = 0;

	open_sample(SAMPLE);
	answer = find("sample_work");
	assert_int_equal(list("sample_work"), SYMBOL_REASON_NONE);
	for (size_t i = 0; i < count; i++) {
		if (parts[i].kind != CODE_INSTRUCTION)
			continue;
		assert_true(last == 0 ? parts[i].at == answer.function_start : parts[i].at > last);
		assert_int_not_equal(parts[i].text[0], '.');
		last = parts[i].at;
	}
	assert_in_range(last, answer.function_start, answer.function_end - 1);
}

UNIT_TEST(listing_has_the_text_of_the_lines)
{
	const uint32_t line = marked_line("sample_hidden_line");
	const struct code_part *part;

	open_sample(SAMPLE);
	assert_int_equal(list("sample_hidden"), SYMBOL_REASON_NONE);
	part = find_part(CODE_FILE, 0);
	assert_non_null(part);
	assert_int_not_equal(part->source, CODE_SOURCE_ABSENT);
	assert_string_equal(strrchr(part->text, '/'), "/symbol_sample.c");
	part = find_part(CODE_LINE, line);
	assert_non_null(part);
	assert_string_equal(part->text, "        sample_sink += rounds;");
	assert_non_null(find_part(CODE_INSTRUCTION, line));
}

UNIT_TEST(listing_has_lines_that_were_inlined)
{
	const uint32_t line = marked_line("sample_inner_line");

	open_sample(SAMPLE);
	assert_int_equal(list("sample_work"), SYMBOL_REASON_NONE);
	assert_string_equal(find_part(CODE_LINE, line)->text, "        sample_sink ^= rounds;");
}

UNIT_TEST(listing_without_debug_information_has_instructions_alone)
{
	open_sample(SAMPLE_BARE);
	assert_int_equal(list("sample_work"), SYMBOL_REASON_NONE);
	assert_true(count > 0);
	assert_null(find_part(CODE_FILE, 0));
	assert_null(find_part(CODE_LINE, 0));
}

UNIT_TEST(listing_of_a_file_that_is_not_there_says_so)
{
	open_sample("/nonexistent/library.so");
	assert_int_equal(listing_make(stored, 1, 2, take, NULL), SYMBOL_REASON_NO_FILE);
	assert_int_equal(count, 0);
}

UNIT_TEST(listing_of_what_is_no_code_is_refused)
{
	open_sample(SAMPLE);
	assert_int_equal(listing_make(stored, UINT64_MAX - 9, UINT64_MAX, take, NULL),
			 SYMBOL_REASON_NO_SYMBOL);
	assert_int_equal(listing_make(stored, 9, 8, take, NULL), SYMBOL_REASON_NO_SYMBOL);
}

UNIT_MAIN(set_up, tear_down)
