/*
 * The address spaces of the last processes are kept, since looking for the tables of all their
 * files takes longer than an unwinding. Separate debug files are not looked for: the tables are in
 * the file that runs. Memory other than the stack is not known.
 */
#include "symbol/unwind.h"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernel/decode.h"

#include "symbol/elf_file.h"
#include "symbol/store.h"

enum {
	SPACES_MAX = 8,
	DWARF_REGISTERS_MAX = 33
};

/* The address space of a process, until its mappings change. */
struct space {
	uint64_t used; /* when; 0: free */
	int32_t pid;
	uint64_t program, version;
	Dwfl *dwfl;                                /* owned; NULL: nothing can be unwound */
	const struct machine_registers *registers; /* NULL: of no file that is known */
};

/* While a stack is unwound. */
struct unwinding {
	const struct space *space;
	const struct symbol_stack *stack;
	uint64_t *frames;
	size_t count, max;
};

struct unwinder {
	struct store *store; /* borrowed */
	struct space spaces[SPACES_MAX];
	uint64_t now; /* calls so far */
	struct unwinding current;
};

/* --- registers: the kernel's numbers, and those of DWARF */

struct machine_registers {
	int number;         /* of ELF */
	uint8_t stack, pc;  /* the kernel's numbers of these two */
	uint8_t count;      /* of DWARF, from 0 on */
	bool has_pc_beside; /* it is none of them */
	uint8_t of_dwarf[DWARF_REGISTERS_MAX];
};

static const struct machine_registers machines[] = {
	{
		.number = EM_X86_64,
		.stack = 7,
		.pc = 8,
		.count = 17,
		/* ax dx cx bx si di bp sp r8-r15 ip */
		.of_dwarf = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8},
	},
	{
		.number = EM_AARCH64,
		.stack = 31,
		.pc = 32,
		.count = 32,
		.has_pc_beside = true,
		.of_dwarf = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
			     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
	},
};

static const struct machine_registers *find_registers(int number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

/* The registers in the mask follow each other. 0: it was not recorded. */
static uint64_t register_of(const struct symbol_stack *stack, unsigned int number)
{
	const uint64_t below = (UINT64_C(1) << number) - 1;
	const size_t index = (size_t)__builtin_popcountll(stack->mask & below);

	return stack->mask >> number & 1 && index < stack->register_count
		       ? decode_word_at(stack->registers, index * sizeof(uint64_t))
		       : 0;
}

/* --- what libdw asks for */

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	struct unwinding *unwinding = context;

	if (*thread)
		return 0;
	*thread = unwinding;
	return unwinding->space->pid;
}

static bool read_stack_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
	const struct unwinding *unwinding = context;
	const struct symbol_stack *stack = unwinding->stack;
	const uint64_t bottom = register_of(stack, unwinding->space->registers->stack);
	const uint64_t offset = address - bottom;

	if (address < bottom || stack->size < sizeof(uint64_t) ||
	    offset > stack->size - sizeof(uint64_t))
		return false;
	*word = decode_word_at(stack->bytes, (size_t)offset);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
	const struct unwinding *unwinding = context;
	const struct machine_registers *machine = unwinding->space->registers;
	Dwarf_Word values[DWARF_REGISTERS_MAX];

	for (size_t i = 0; i < machine->count; i++)
		values[i] = register_of(unwinding->stack, machine->of_dwarf[i]);
	if (!dwfl_thread_state_registers(thread, 0, machine->count, values))
		return false;
	if (machine->has_pc_beside)
		dwfl_thread_state_register_pc(thread, register_of(unwinding->stack, machine->pc));
	return true;
}

static int take_frame(Dwfl_Frame *frame, void *context)
{
	struct unwinding *unwinding = context;
	Dwarf_Addr address;

	if (unwinding->count >= unwinding->max || !dwfl_frame_pc(frame, &address, NULL) ||
	    address == 0)
		return DWARF_CB_ABORT;
	unwinding->frames[unwinding->count++] = address;
	return DWARF_CB_OK;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_stack_word,
	.set_initial_registers = set_registers,
};

/* --- spaces */

static int find_no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			      const char *path, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks file_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debug_file,
	.section_address = dwfl_offline_section_address,
};

static void release_space(struct space *space)
{
	if (space->dwfl)
		dwfl_end(space->dwfl);
	*space = (struct space){0};
}

static void report_files(struct unwinder *unwinder, struct space *space, struct codec *mappings)
{
	uint64_t before = 0, serial = 0; /* one part of a file is enough */

	while (mappings->at < mappings->end && !mappings->has_failed) {
		const uint64_t start = codec_u64(mappings), at = codec_u64(mappings);
		struct wire_object object = {0};
		int machine;

		wire_object(mappings, &object);
		if (mappings->has_failed || (object.serial == serial && start - at == before))
			continue;
		serial = object.serial;
		before = start - at;
		machine = elf_file_report(store_open(unwinder->store, &object), space->dwfl, start,
					  at);
		if (!space->registers)
			space->registers = find_registers(machine);
	}
}

static void open_space(struct unwinder *unwinder, struct space *space, struct codec *mappings)
{
	space->dwfl = dwfl_begin(&file_callbacks);
	if (!space->dwfl)
		return;
	dwfl_report_begin(space->dwfl);
	report_files(unwinder, space, mappings);
	if (dwfl_report_end(space->dwfl, NULL, NULL) == 0 && space->registers &&
	    dwfl_attach_state(space->dwfl, NULL, space->pid, &thread_callbacks, &unwinder->current))
		return;
	dwfl_end(space->dwfl);
	space->dwfl = NULL;
}

static struct space *find_space(struct unwinder *unwinder, const struct wire_object *process,
				uint64_t version, struct codec *mappings)
{
	struct space *oldest = &unwinder->spaces[0];

	for (struct space *space = unwinder->spaces; space < unwinder->spaces + SPACES_MAX;
	     space++) {
		if (space->used > 0 && space->pid == process->pid &&
		    space->program == process->serial && space->version == version)
			return space;
		if (space->used < oldest->used)
			oldest = space;
	}
	release_space(oldest);
	oldest->pid = process->pid;
	oldest->program = process->serial;
	oldest->version = version;
	open_space(unwinder, oldest, mappings);
	return oldest;
}

struct unwinder *unwinder_create(struct store *store)
{
	struct unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	unwinder->store = store;
	return unwinder;
}

void unwinder_destroy(struct unwinder *unwinder)
{
	for (size_t i = 0; i < SPACES_MAX; i++)
		release_space(&unwinder->spaces[i]);
	free(unwinder);
}

size_t unwind_stack(struct unwinder *unwinder, const struct wire_object *process,
		    struct codec *request, uint64_t *frames, size_t max)
{
	const uint64_t version = codec_u64(request);
	struct symbol_stack stack = {0};
	struct space *space;

	wire_stack(request, &stack);
	if (request->has_failed)
		return 0;
	space = find_space(unwinder, process, version, request);
	space->used = ++unwinder->now;
	if (!space->dwfl)
		return 0;
	unwinder->current = (struct unwinding){
		.space = space,
		.stack = &stack,
		.frames = frames,
		.max = max,
	};
	dwfl_getthread_frames(space->dwfl, space->pid, take_frame, &unwinder->current);
	return unwinder->current.count;
}
