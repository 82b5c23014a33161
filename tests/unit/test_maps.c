/* The mappings of a process, as /proc/PID/maps has them. */
#include <errno.h>
#include <unistd.h>

#include <sys/mman.h>

#include "kernel/maps.h"

#include "unit.h"

static char line[200];

static bool parse(const char *text, struct decoded_mmap *mapping)
{
	assert_true(strlen(text) < sizeof(line));
	strcpy(line, text);
	return maps_parse_line(line, mapping);
}

UNIT_TEST(parse_line_of_a_file_has_all_of_it)
{
	struct decoded_mmap mapping;

	assert_true(parse("7f00a000-7f00c000 r-xp 00003000 fe:1f 12345                      "
			  "/usr/lib/lib a.so",
			  &mapping));
	assert_int_equal(mapping.address, 0x7f00a000);
	assert_int_equal(mapping.length, 0x2000);
	assert_int_equal(mapping.page_offset, 0x3000);
	assert_int_equal(mapping.major, 0xfe);
	assert_int_equal(mapping.minor, 0x1f);
	assert_int_equal(mapping.inode, 12345);
	assert_int_equal(mapping.protection, PROT_READ | PROT_EXEC);
	assert_false(mapping.is_data);
	assert_int_equal(mapping.flags, MAP_PRIVATE);
	assert_string_equal(mapping.file, "/usr/lib/lib a.so");
	assert_int_equal(mapping.file_length, strlen("/usr/lib/lib a.so"));
}

UNIT_TEST(parse_line_of_no_file_has_a_name_for_it)
{
	struct decoded_mmap mapping;

	assert_true(parse("7f00a000-7f00c000 rwxs 00000000 00:00 0 ", &mapping));
	assert_string_equal(mapping.file, "//anon");
	assert_int_equal(mapping.protection, PROT_READ | PROT_WRITE | PROT_EXEC);
	assert_int_equal(mapping.flags, MAP_SHARED);
}

UNIT_TEST(parse_line_of_what_is_not_executable_is_data)
{
	struct decoded_mmap mapping;

	assert_true(parse("55d0a000-55d0c000 rw-p 00000000 00:00 0          [heap]", &mapping));
	assert_true(mapping.is_data);
	assert_string_equal(mapping.file, "[heap]");
	assert_int_equal(mapping.protection, PROT_READ | PROT_WRITE);
}

UNIT_TEST(parse_line_with_a_line_end_in_the_name_has_it_back)
{
	struct decoded_mmap mapping;

	assert_true(parse("1000-2000 r-xp 00000000 00:01 7 /tmp/a\\012b\\\\c", &mapping));
	assert_string_equal(mapping.file, "/tmp/a\nb\\\\c");
}

UNIT_TEST(parse_line_of_anything_else_is_none)
{
	static const char *const lines[] = {
		"2000-1000 r-xp 00000000 00:01 7 /tmp/a",
		"1000-2000 r-xp 00000000 00:01",
		"1000 r-xp 00000000 00:01 7 /tmp/a",
		"1000-2000 r-x 00000000 00:01 7 /tmp/a",
		"",
	};
	struct decoded_mmap mapping;

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_false(parse(lines[i], &mapping));
}

/* Whether the code that runs here is among them. */
static void look_for_this(const struct decoded_mmap *mapping, void *context)
{
	const uint64_t here = (uintptr_t)look_for_this;

	if (here >= mapping->address && here - mapping->address < mapping->length &&
	    strstr(mapping->file, program_invocation_short_name) != NULL)
		*(bool *)context = true;
}

UNIT_TEST(walk_of_this_process_finds_this_code)
{
	bool was_found = false;

	assert_true(maps_walk((int32_t)getpid(), look_for_this, &was_found));
	assert_true(was_found);
}

UNIT_TEST(walk_of_no_process_is_false)
{
	bool was_found = false;

	assert_false(maps_walk(INT32_MAX, look_for_this, &was_found));
}

UNIT_MAIN(NULL, NULL)
