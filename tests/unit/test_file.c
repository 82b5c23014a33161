/* Small files read whole, and keys in them. */

#include <errno.h>
#include <unistd.h>

#include "kernel/file.h"

#include "unit.h"

UNIT_TEST(file_read_is_cut_ended_and_keeps_nul_bytes)
{
	static const struct {
		const char *bytes;
		size_t size, room;
		long length;
		const char *text;
	} cases[] = {{"0123456789", 10, 5, 4, "0123"}, {"a\0b", 3, 16, 3, "a\0b"}};
	char text[16] = "before";

	assert_int_equal(file_read("/nonexistent/file", text, sizeof(text)), -ENOENT);
	assert_string_equal(text, "");
	assert_int_equal(file_read("/", text, sizeof(text)), -EISDIR);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char path[] = "/tmp/perftop-file-XXXXXX";
		const int fd = mkstemp(path);

		assert_int_equal(write(fd, cases[i].bytes, cases[i].size), cases[i].size);
		close(fd);
		const long length = file_read(path, text, cases[i].room);
		unlink(path);
		assert_int_equal(length, cases[i].length);
		assert_memory_equal(text, cases[i].text, (size_t)length + 1);
	}
}

UNIT_TEST(file_find_key_in_any_line_returns_its_value)
{
	static const char text[] = "Name:\tx\nCapEff:\t0000\nflags\t\t: fpu vme\n";

	assert_memory_equal(file_find_key(text, "Name"), "x\n", 2);
	assert_memory_equal(file_find_key(text, "CapEff"), "0000\n", 5);
	assert_memory_equal(file_find_key(text, "flags"), "fpu vme", 7);
}

UNIT_TEST(file_find_key_matches_whole_keys_at_line_starts_only)
{
	static const char text[] = "nonvoluntary:\t7\nvoluntary_more: 8\n";

	assert_null(file_find_key(text, "voluntary"));
	assert_null(file_find_key("", "voluntary"));
}

UNIT_MAIN(NULL, NULL)
