/*
 * Names of functions for golden screens, in place of src/symbol, which would look for the programs
 * of a recording: those of tests/guest/functions.c, by the offsets that they had in the recording
 * that is kept; and those of made_kernel.h. They are known at once. What is mapped at an address of
 * data is that of made_faults.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "made_kernel.h"
#include "symbol/symbols.h"

uint32_t __wrap_symbols_find(struct symbols *symbols, const struct symbol_address *address,
			     uint64_t *at);
uint32_t __wrap_symbols_find_line(struct symbols *symbols, uint32_t function, uint64_t at);
struct symbol __wrap_symbol_get(const struct symbols *symbols, uint32_t id);
struct symbol_object __wrap_symbol_object(const struct symbols *symbols, uint32_t object);
enum symbol_state __wrap_symbols_list(struct symbols *symbols, uint32_t function,
				      enum symbol_reason *reason);
bool __wrap_symbols_next_part(const struct symbols *symbols, size_t *cursor,
			      struct code_part *part);
bool __wrap_symbols_work(struct symbols *symbols);
uint32_t __wrap_symbols_find_data(struct symbols *symbols, int32_t pid, uint64_t address);

enum {
	PROGRAM = 1,
	LIBC,
	KERNEL,
	HEAP,
	STACK,
	TABLE,
	ANONYMOUS,
	OBJECTS,
	PAGE = 0x1000
};

static const struct {
	uint32_t end; /* in the page */
	const char *name;
	uint32_t object;
} functions[] = {
	{0x149, "_start", PROGRAM},
	{0x1a4, "now_ns", PROGRAM},
	{0x1de, "quick", PROGRAM},
	{0x226, "slow", PROGRAM},
	{0x2c8, "work", PROGRAM},
	{PAGE, "main", PROGRAM},
	{0, "__libc_start_call_main", LIBC},
	{0, "asm_sysvec_apic_timer_interrupt", KERNEL},
};

static const char *const objects[] = {
	[PROGRAM] = "functions", [LIBC] = "libc.so.6", [KERNEL] = "[kernel]",  [HEAP] = "[heap]",
	[STACK] = "[stack]",     [TABLE] = "table.db", [ANONYMOUS] = "[anon]",
};

enum {
	FUNCTIONS = sizeof(functions) / sizeof(*functions),
	LIBRARY_FUNCTION = FUNCTIONS - 1,
	KERNEL_FUNCTION,
	MADE_FUNCTION, /* the first one of made_kernel.h */
	INLINED = MADE_FUNCTION +
		  MADE_KERNEL_FUNCTIONS, /* a function, as if the last line of quick() were of it */
	DATA_OF,                         /* an object */
	INLINED_AT = 0x1c0,
	LINE_BYTES = 32, /* as if all were as long as that */
	LINES = DATA_OF + OBJECTS,
	LINES_OF_FUNCTION = PAGE / LINE_BYTES
};

/* A program that may be anywhere is below libraries. */
uint32_t __wrap_symbols_find(struct symbols *symbols, const struct symbol_address *address,
			     uint64_t *at)
{
	const bool is_library = address->address >> 40 == 0x7f;
	uint32_t index = 0;

	*at = address->address % PAGE;
	if (address->address >= made_kernel_begin)
		return MADE_FUNCTION +
		       (uint32_t)((address->address - made_kernel_begin) / MADE_KERNEL_PAGE);
	if (address->address >> 63 != 0)
		return KERNEL_FUNCTION;
	if (is_library)
		return LIBRARY_FUNCTION;
	while (address->address % PAGE >= functions[index].end)
		index++;
	return index + 1;
}

uint32_t __wrap_symbols_find_line(struct symbols *symbols, uint32_t function, uint64_t at)
{
	if (function > FUNCTIONS || functions[function - 1].object != PROGRAM)
		return function;
	return LINES + (function - 1) * LINES_OF_FUNCTION + (uint32_t)at / LINE_BYTES;
}

uint32_t __wrap_symbols_find_data(struct symbols *symbols, int32_t pid, uint64_t address)
{
	switch (address >> 32) {
	case 0x5555:
		return DATA_OF + HEAP;
	case 0x7ffd:
		return DATA_OF + STACK;
	case 0x7f42:
		return DATA_OF + TABLE;
	case 0x7f43:
		return DATA_OF + ANONYMOUS;
	default:
		return SYMBOL_NONE;
	}
}

static struct symbol get_inlined(void)
{
	return (struct symbol){
		.name = "add",
		.same_as = INLINED,
		.object = PROGRAM,
		.state = SYMBOL_FOUND,
		.function = INLINED,
		.is_inlined = true,
	};
}

static struct symbol get_line(uint32_t id)
{
	const uint32_t function = (id - LINES) / LINES_OF_FUNCTION;
	const uint32_t index = (id - LINES) % LINES_OF_FUNCTION;
	const bool is_inlined =
		index == INLINED_AT / LINE_BYTES && strcmp(functions[function].name, "quick") == 0;

	return (struct symbol){
		.name = is_inlined ? get_inlined().name : functions[function].name,
		.same_as = id,
		.object = PROGRAM,
		.state = SYMBOL_FOUND,
		.file = "/src/functions.c",
		.line = index + 1,
		.inlined_in = is_inlined ? id - 1 : SYMBOL_NONE,
		.inlined = is_inlined ? INLINED : SYMBOL_NONE,
		.function = function + 1,
	};
}

struct symbol __wrap_symbol_get(const struct symbols *symbols, uint32_t id)
{
	if (id >= LINES)
		return get_line(id);
	if (id == INLINED)
		return get_inlined();
	if (id >= DATA_OF)
		return (struct symbol){.same_as = id, .object = id - DATA_OF, .function = id};
	const bool is_made = id >= MADE_FUNCTION;

	return (struct symbol){
		.name = is_made ? made_kernel_functions[id - MADE_FUNCTION]
				: functions[id - 1].name,
		.same_as = id,
		.object = is_made ? KERNEL : functions[id - 1].object,
		.state = SYMBOL_FOUND,
		.function = id,
	};
}

struct symbol_object __wrap_symbol_object(const struct symbols *symbols, uint32_t object)
{
	return (struct symbol_object){.name = objects[object], .short_name = objects[object]};
}

enum symbol_state __wrap_symbols_list(struct symbols *symbols, uint32_t function,
				      enum symbol_reason *reason)
{
	const bool has_code = symbol_get(symbols, function).object == PROGRAM;

	*reason = has_code ? SYMBOL_REASON_NONE : SYMBOL_REASON_NO_CODE;
	return has_code ? SYMBOL_FOUND : SYMBOL_UNKNOWN;
}

/* As if each were an instruction of each line of the file. */
bool __wrap_symbols_next_part(const struct symbols *symbols, size_t *cursor, struct code_part *part)
{
	const size_t index = (*cursor)++;

	*part = (struct code_part){.kind = CODE_FILE, .file = 1, .text = "/src/functions.c"};
	if (index < LINES_OF_FUNCTION)
		*part = (struct code_part){
			.kind = CODE_INSTRUCTION,
			.at = index * LINE_BYTES,
			.address = index * LINE_BYTES,
			.file = 1,
			.line = (uint32_t)index + 1,
			.text = "nop",
		};
	else if (index > LINES_OF_FUNCTION)
		*part = (struct code_part){
			.kind = CODE_LINE,
			.file = 1,
			.line = (uint32_t)(index - LINES_OF_FUNCTION),
			.text = "statement;",
		};
	return index <= 2 * LINES_OF_FUNCTION;
}

bool __wrap_symbols_work(struct symbols *symbols)
{
	return false;
}
