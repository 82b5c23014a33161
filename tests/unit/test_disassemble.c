/* Machine code of several machines, on whichever machine the test runs. */
#include <elf.h>

#include "base/strbuf.h"

#include "symbol/disassemble.h"
#include "unit.h"

static struct strbuf text;

static int tear_down(void **state)
{
	strbuf_fini(&text);
	return 0;
}

static void take(const struct instruction_text *instruction, void *context)
{
	strbuf_printf(&text, "%s%llx %s", text.length > 0 ? ", " : "",
		      (unsigned long long)instruction->address, instruction->text);
	if (instruction->leads)
		strbuf_printf(&text, " -> %llx", (unsigned long long)instruction->target);
}

static void expect(uint16_t number, const void *code, size_t size, const char *expected)
{
	const struct code_machine machine = {.number = number};

	strbuf_clear(&text);
	assert_true(disassemble(&machine, code, size, 0x1000, take, NULL));
	assert_string_equal(strbuf_text(&text), expected);
}

UNIT_TEST(disassemble_of_x86_is_as_objdump_writes_it)
{
	static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x75, 0xfa, 0xe8, 0x10,
				       0,    0,    0,    0xff, 0x25, 1,    0,    0,
				       0,    0xb8, 0x34, 0x12, 0,    0,    0xc3};

	expect(EM_X86_64, code, sizeof(code),
	       "1000 pushq %rbp, 1001 movq %rsp, %rbp, 1004 jne 0x1000 -> 1000, "
	       "1006 callq 0x101b -> 101b, 100b jmpq *1(%rip), 1011 movl $0x1234, %eax, "
	       "1016 retq");
}

UNIT_TEST(disassemble_of_arm64_knows_jumps)
{
	static const uint8_t code[] = {0xfd, 0x7b, 0xbf, 0xa9, 0x40, 0x00, 0x00, 0x54, 0x00, 0x00,
				       0x00, 0x94, 0x40, 0x00, 0x18, 0x36, 0xc0, 0x03, 0x5f, 0xd6};

	expect(EM_AARCH64, code, sizeof(code),
	       "1000 stp x29, x30, [sp, #-0x10]!, 1004 b.eq #0x100c -> 100c, "
	       "1008 bl #0x1008 -> 1008, 100c tbz w0, #3, #0x1014 -> 1014, 1010 ret");
}

UNIT_TEST(disassemble_of_s390x_is_big_endian)
{
	static const uint8_t code[] = {0xb9, 0x04, 0x00, 0x12, 0x07, 0xfe};

	expect(EM_S390, code, sizeof(code), "1000 lgr %r1, %r2, 1004 br %r14");
}

UNIT_TEST(disassemble_of_what_is_no_code_goes_on_behind_it)
{
	static const uint8_t code[] = {0x06, 0xc3, 0xe8};

	expect(EM_X86_64, code, sizeof(code), "1000 .byte 0x06, 1001 retq, 1002 .byte 0xe8");
}

UNIT_TEST(disassemble_of_an_unknown_machine_is_refused)
{
	assert_false(disassemble(&(struct code_machine){.number = EM_VAX}, (const uint8_t *)"x", 1,
				 0, take, NULL));
}

UNIT_MAIN(NULL, tear_down)
