/* The kernel's functions, from texts as /proc/kallsyms has them. */
#include <fcntl.h>

#include "fake_root.h"
#include "symbol/kallsyms.h"
#include "symbol/table.h"

static struct function_table table;

static int tear_down(void **state)
{
	table_fini(&table);
	return fake_root_teardown(state);
}

static enum symbol_reason parse(const char *text)
{
	char *copy = strdup(text);
	enum symbol_reason reason = kallsyms_parse(&table, copy, strlen(text));

	free(copy);
	return reason;
}

static const struct function *find(uint64_t address)
{
	uint64_t start, end;

	return table_find(&table, address, &start, &end);
}

static void expect(uint64_t address, const char *name, const char *module)
{
	const struct function *function = find(address);

	assert_non_null(function);
	assert_string_equal(table_text(&table, function->name), name);
	assert_string_equal(table_text(&table, function->module), module);
}

UNIT_TEST(parse_knows_functions_of_the_kernel_and_of_modules)
{
	assert_int_equal(
		parse("ffffffff81000000 T _stext\n"
		      "ffffffff81000000 T _text\n"
		      "ffffffff81000100 t do_work\n"
		      "ffffffff81000180 W weak_one\n"
		      "ffffffff81000200 D some_data\n"
		      "ffffffffc0000000 t probe\t[usbcore]\n"
		      "ffffffffc0000040 t attach\t[usbcore]\n"
		      "ffffffffc0100000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]\n"),
		SYMBOL_REASON_NONE);

	expect(0xffffffff81000150, "do_work", "");
	expect(0xffffffff81000180, "weak_one", "");
	expect(0xffffffffc0000010, "probe", "[usbcore]");
	expect(0xffffffffc0000050, "attach", "[usbcore]");
	expect(0xffffffffc0100001, "bpf_prog_6deef7357e7b4530_sd_fw_egress", "[bpf]");
	assert_null(find(0xffffffffc0080000));
	assert_null(find(0x1000));
}

UNIT_TEST(parse_of_addresses_that_are_hidden_says_so)
{
	assert_int_equal(parse("0000000000000000 T _text\n0000000000000000 t do_work\n"),
			 SYMBOL_REASON_KPTR_RESTRICT);
	assert_int_equal(table.count, 0);
}

UNIT_TEST(parse_of_anything_else_finds_nothing)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"hello\n",
		"ffffffff81000000",
		"ffffffff81000000 ",
		" ",
		"zz T name\n",
		"ffffffff81000000 T",
		"ffffffff81000000  T x\n",
		"\t[",
		"1 T\n",
		"1 TT x\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		begin_case(texts[i]);
		assert_int_equal(parse(texts[i]), SYMBOL_REASON_NO_KALLSYMS);
	}
}

UNIT_TEST(parse_of_a_file_without_a_last_line_end_has_the_last_line)
{
	assert_int_equal(parse("ffffffff81000000 T _text"), SYMBOL_REASON_NONE);
	expect(0xffffffff81000000, "_text", "");
}

static int open_file(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/kallsyms", fake_root);
	return open(path, O_RDONLY | O_CLOEXEC);
}

UNIT_TEST(read_takes_what_is_in_the_file)
{
	fake_root_file("/proc/kallsyms", "ffffffff81000000 T start_here\n");

	assert_int_equal(kallsyms_read(&table, open_file()), SYMBOL_REASON_NONE);
	expect(0xffffffff81000000, "start_here", "");
}

UNIT_TEST(find_takes_the_symbol_of_that_name)
{
	fake_root_file("/proc/kallsyms", "0000000000000040 A cpu_data\n"
					 "ffffffff81000000 T _stext\n"
					 "ffffffff81000000 T _text\n"
					 "ffffffffc0000000 t _text_of_it\t[usbcore]\n"
					 "ffffffffc0000040 t last\t[usbcore]\n");

	assert_true(kallsyms_find("_text", open_file()) == 0xffffffff81000000);
	assert_true(kallsyms_find("last", open_file()) == 0xffffffffc0000040);
	assert_true(kallsyms_find("_tex", open_file()) == 0);
	assert_true(kallsyms_find("", open_file()) == 0);
}

UNIT_TEST(find_without_a_file_finds_nothing)
{
	assert_true(kallsyms_find("_text", open_file()) == 0);
}

UNIT_TEST(read_without_a_file_says_so)
{
	assert_int_equal(kallsyms_read(&table, open_file()), SYMBOL_REASON_NO_KALLSYMS);
}

UNIT_MAIN(fake_root_setup, tear_down)
