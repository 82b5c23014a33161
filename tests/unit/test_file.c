/* Small files read whole, and keys in them. */

#include <errno.h>
#include <unistd.h>

#include "kernel/file.h"

#include "unit.h"

static void write_file(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

UNIT_TEST(file_read_missing_file_returns_negative_errno_and_empty_text)
{
	char text[8] = "before";

	assert_int_equal(file_read("/nonexistent/file", text, sizeof(text)), -ENOENT);
	assert_string_equal(text, "");
}

UNIT_TEST(file_read_directory_returns_negative_errno)
{
	char text[8];

	assert_int_equal(file_read("/", text, sizeof(text)), -EISDIR);
}

UNIT_TEST(file_read_long_file_is_cut_and_ended)
{
	char path[] = "/tmp/perftop-file-XXXXXX";
	char text[5];

	close(mkstemp(path));
	write_file(path, "0123456789", 10);

	long length = file_read(path, text, sizeof(text));

	unlink(path);
	assert_int_equal(length, 4);
	assert_string_equal(text, "0123");
}

UNIT_TEST(file_read_keeps_inner_nul_bytes)
{
	char path[] = "/tmp/perftop-file-XXXXXX";
	char text[16];

	close(mkstemp(path));
	write_file(path, "a\0b", 3);

	long length = file_read(path, text, sizeof(text));

	unlink(path);
	assert_int_equal(length, 3);
	assert_memory_equal(text, "a\0b", 4);
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

int main(void)
{
	return unit_run(NULL, NULL);
}
