/* The lines of a function's page: source, instructions, and what of it is hot. */
#include "base/strbuf.h"
#include "view/function_addresses.h"
#include "view/listing.h"
#include "view/text_marks.h"

#include "unit.h"

/* Two lines of one file and an inlined one of another; the loop is at 0x114. */
static struct code_part parts[] = {
	{.kind = CODE_INSTRUCTION,
	 .at = 0x110,
	 .address = 0x1110,
	 .file = 1,
	 .line = 3,
	 .text = "push"},
	{.kind = CODE_INSTRUCTION,
	 .at = 0x114,
	 .address = 0x1114,
	 .file = 2,
	 .line = 7,
	 .text = "add"},
	{.kind = CODE_INSTRUCTION,
	 .at = 0x118,
	 .address = 0x1118,
	 .target = 0x114,
	 .file = 1,
	 .line = 30,
	 .text = "jne 0x1114"},
	{.kind = CODE_INSTRUCTION, .at = 0x11a, .address = 0x111a, .text = "ret"},
	{.kind = CODE_FILE, .file = 1, .text = "/src/a.c"},
	{.kind = CODE_LINE, .file = 1, .line = 3, .text = "void f(void)"},
	{.kind = CODE_LINE, .file = 1, .line = 4, .text = "{"},
	{.kind = CODE_LINE, .file = 1, .line = 30, .text = "} while (n < 9);"},
	{.kind = CODE_FILE, .file = 2, .source = CODE_SOURCE_NEWER, .text = "/src/b.h"},
	{.kind = CODE_LINE, .file = 2, .line = 7, .text = "sum += n;"},
};

static struct function_address addresses[] = {
	{.at = 0x114, .samples = 6, .weight = 60},
	{.at = 0x116, .samples = 1, .weight = 10},
	{.at = 0x118, .samples = 2, .weight = 20},
	{.at = 0x11a, .samples = 1, .weight = 10},
};

static struct strbuf text;
static struct text_marks marks;
static struct listing listing;
static struct listing_input input;
static struct function_addresses all;

static int set_up(void **state)
{
	listing = (struct listing){.why = "", .parts = parts, .count = COUNT_OF(parts)};
	all = (struct function_addresses){.items = addresses,
					  .count = COUNT_OF(addresses),
					  .samples = 10,
					  .weight = 100,
					  .all_weight = 400};
	input = (struct listing_input){.listing = &listing,
				       .addresses = &all,
				       .width = 60,
				       .ascii = true,
				       .marks = &marks};
	return 0;
}

static int tear_down(void **state)
{
	strbuf_fini(&text);
	text_marks_fini(&marks);
	return 0;
}

static size_t write(void)
{
	strbuf_clear(&text);
	return listing_write(&text, &input);
}

UNIT_TEST(listing_of_source_has_the_shares_of_lines)
{
	assert_int_equal(write(), 8);
	assert_string_equal(strbuf_text(&text), "self 25.0 %, 10 samples\n"
						"SHARE %  SAMPLES   LINE  SOURCE\n"
						"# /src/a.c\n"
						"                      3  void f(void)\n"
						"                      4  {\n"
						"                    ...\n"
						"   20.0        2     30  } while (n < 9);\n"
						"# /src/b.h (newer than the program)\n"
						"   70.0        7      7  sum += n;\n");
}

UNIT_TEST(listing_finds_the_line_that_is_asked_for)
{
	input.file = "/src/a.c";
	input.line = 4;
	assert_int_equal(write(), 4);
	input.line = 7; /* in the other file only */
	assert_int_equal(write(), 8);
	input.is_assembler = true;
	input.line = 4;
	assert_int_equal(write(), 5);
}

UNIT_TEST(listing_of_assembler_has_the_shares_of_instructions)
{
	input.is_assembler = true;
	assert_int_equal(write(), 5);
	assert_string_equal(strbuf_text(&text),
			    "self 25.0 %, 10 samples\n"
			    "SHARE %  SAMPLES     ADDRESS    INSTRUCTION (>: a jump le...\n"
			    "                      3  void f(void)\n"
			    "                        1110    push\n"
			    "                      7  sum += n;\n"
			    "   70.0        7        1114 >  add\n"
			    "                     30  } while (n < 9);\n"
			    "   20.0        2        1118    jne 0x1114\n"
			    "   10.0        1        111a    ret\n");
	assert_int_equal(marks.count, 3);
	assert_int_equal(marks.marks[0].goodness, 0);
	assert_int_equal(marks.marks[2].goodness, 1);
}

UNIT_TEST(listing_says_what_is_missing)
{
	all.samples = 12;
	input.width = 80;
	parts[4].source = CODE_SOURCE_ABSENT;
	listing.why = "something is not there";
	write();
	parts[4].source = CODE_SOURCE_READ;
	assert_non_null(strstr(strbuf_text(&text), "2 of them at addresses that are not known"));
	assert_non_null(strstr(strbuf_text(&text), "\nsomething is not there\n"));
	assert_non_null(strstr(strbuf_text(&text), "# /src/a.c (cannot be read)\n"));
}

UNIT_TEST(listing_without_source_is_known_to_have_none)
{
	assert_true(listing_has_source(&listing));
	listing.count = 4;
	assert_false(listing_has_source(&listing));
	input.is_assembler = true;
	write();
	assert_non_null(strstr(strbuf_text(&text), "no lines of source: the file"));
}

UNIT_TEST(listing_that_is_not_there_has_addresses)
{
	listing.count = 0;
	listing.why = "not read";
	all.count = 1;
	assert_int_equal(write(), 3);
	assert_string_equal(strbuf_text(&text),
			    "self 25.0 %, 10 samples, 4 of them at addresses that are ...\n"
			    "not read\n"
			    "SHARE %  SAMPLES     ADDRESS\n"
			    "   60.0        6         114\n");
	listing.is_pending = true;
	write();
	assert_non_null(strstr(strbuf_text(&text), "the code is being read\n"));
}

UNIT_TEST(listing_with_parts_in_a_wrong_order_is_harmless)
{
	struct code_part wrong[] = {parts[5], parts[0], parts[9], parts[8], parts[2], parts[4]};

	listing.parts = wrong;
	listing.count = COUNT_OF(wrong);
	write();
	input.is_assembler = true;
	write();
	input.width = 1;
	write();
}

UNIT_MAIN(set_up, tear_down)
