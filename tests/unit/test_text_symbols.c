/* The kernel's functions, from texts as /proc/kallsyms has them. */
#include <fcntl.h>

#include "fake_root.h"
#include "symbol/table.h"
#include "symbol/text_symbols.h"

static struct function_table table;

static int tear_down(void **state)
{
	table_fini(&table);
	return fake_root_teardown(state);
}

static enum symbol_reason parse(const char *text)
{
	char *copy = strdup(text);
	uint64_t address;
	enum symbol_reason reason = kallsyms_parse(&table, copy, strlen(text), "", &address);

	free(copy);
	return reason;
}

static const struct function_row *find(uint64_t address)
{
	uint64_t start, end;

	return table_find(&table, address, &start, &end);
}

static void expect(uint64_t address, const char *name, const char *module)
{
	const struct function_row *function = find(address);

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

static uint64_t address;

static enum symbol_reason read_symbols(const char *name)
{
	table_fini(&table);
	return kallsyms_read(&table, open_file(), name, &address);
}

/* Where the symbol of a name is. */
static uint64_t read_address(const char *name)
{
	read_symbols(name);
	return address;
}

UNIT_TEST(read_takes_what_is_in_the_file)
{
	fake_root_file("/proc/kallsyms", "ffffffff81000000 T start_here\n");

	assert_int_equal(read_symbols(""), SYMBOL_REASON_NONE);
	expect(0xffffffff81000000, "start_here", "");
}

UNIT_TEST(read_finds_the_symbol_of_that_name)
{
	fake_root_file("/proc/kallsyms", "0000000000000040 A cpu_data\n"
					 "ffffffff81000000 T _stext\n"
					 "ffffffff81000000 T _text\n"
					 "ffffffffc0000000 t _text_of_it\t[usbcore]\n"
					 "ffffffffc0000040 t last\t[usbcore]\n");

	assert_true(read_address("_text") == 0xffffffff81000000);
	assert_true(read_address("last") == 0xffffffffc0000040);
	assert_true(read_address("_tex") == 0);
	assert_true(read_address("") == 0);
}

UNIT_TEST(read_without_a_file_says_so)
{
	assert_int_equal(read_symbols("_text"), SYMBOL_REASON_NO_KALLSYMS);
	assert_true(address == 0);
}

UNIT_MAIN(fake_root_setup, tear_down)
