#ifndef PERFTOP_SYMBOL_SYMBOLS_H
#define PERFTOP_SYMBOL_SYMBOLS_H

/*
 * Addresses to functions, and on request to lines of source and the functions inlined there.
 *
 * What must be read for that (ELF files, debug information, /proc/kallsyms, /proc/PID/maps, JIT
 * maps) is read by a helper process with limits on its memory and CPU time. A file that makes it
 * crash or hang costs the answers for that file. Nothing here waits but symbols_finish() and
 * symbols_unwind(), and these not for a helper that hangs.
 *
 * symbols_find() returns an id at once. Until the answer has come it stands for the address itself
 * (SYMBOL_PENDING); then `same_as` is the id of the function or line, to which the counts of the
 * first one have to be added:
 *
 *	counts[symbols_find(symbols, &address)]++;
 *	...
 *	if (symbols_work(symbols))
 *		for (id of each that is counted) {
 *			uint32_t to = symbol_get(symbols, id).same_as;
 *
 *			if (to != id)
 *				move counts[id] to counts[to]
 *		}
 *
 * Ids are small numbers and may index arrays. They stay valid until symbols_forget_rest().
 *
 * Mappings of processes come from records, see symbols_map(); with `is_live` also from
 * /proc/PID/maps, read when no mapping is known for an address. Either way exec, fork and exit must
 * be reported in the order of the records, before the samples that follow them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code_part.h"

struct decoded_mmap;
struct symbols; /* opaque */

/* The argument that makes the program the helper, see symbols_serve(). */
#define SYMBOLS_HELPER_ARGUMENT "--symbol-helper"

enum {
	SYMBOL_NONE = 0,       /* no id */
	SYMBOL_NAME_MAX = 1024 /* bytes of a text with NUL; longer ones are cut and end in "..." */
};

struct symbols_options {
	/* Started as helper with SYMBOLS_HELPER_ARGUMENT, for example "/proc/self/exe"; if that
	   fails, or NULL: a fork of this process. Borrowed. */
	const char *program;
	bool is_live;         /* processes are those of this machine, now */
	uint32_t symbol_max;  /* ids at once; 0: 262144 */
	uint32_t process_max; /* with mappings; the least recently used is dropped; 0: 16384 */
	int patience_ms;      /* with a helper that says nothing; 0: a minute */
};

/* The helper is started when the first address must be asked for. */
struct symbols *symbols_create(const struct symbols_options *options);
void symbols_destroy(struct symbols *symbols); /* NULL is allowed; kills the helper */

/* --- mappings, from records */

/* A mapping; pid -1: of the kernel, else of a process. Everything is copied. */
void symbols_map(struct symbols *symbols, const struct decoded_mmap *mmap);
/* The process runs another program from now on. */
void symbols_exec(struct symbols *symbols, int32_t pid);
/* A process, not a thread, was born: it has the mappings of its parent. */
void symbols_fork(struct symbols *symbols, int32_t parent_pid, int32_t pid);
/* The last thread of a process has ended. */
void symbols_exit(struct symbols *symbols, int32_t pid);

/* Of a recording that is read from its beginning again. */
void symbols_unmap_all(struct symbols *symbols);

/* --- addresses */

struct symbol_address {
	int32_t pid; /* process; ignored for addresses of the kernel */
	bool is_kernel;
	bool is_return;   /* it follows a call, as in call chains: the call is meant */
	bool is_data;     /* a variable of a program or library is meant, not a function */
	uint64_t address; /* in memory */
};

/* The registers and a copy of the stack of a thread, for its calls. */
struct symbol_stack {
	uint64_t mask;             /* which registers there are, by the kernel's numbers */
	const uint64_t *registers; /* those in the mask, aligned or not */
	size_t register_count;
	const void *bytes; /* from the stack pointer on */
	size_t size;
};

/*
 * Where the thread was, and by which calls, in the mappings of its process as they are now:
 * addresses, innermost first. Returns how many; 0: nothing is known but the registers. It waits for
 * the helper; of a process on the stacks of which that dies or hangs there are none from then on.
 * In a live run it waits for at most a quarter of the time; what is beyond that is not unwound.
 */
size_t symbols_unwind(struct symbols *symbols, int32_t pid, const struct symbol_stack *stack,
		      uint64_t *frames, size_t max);

/* Stacks that were not unwound for these reasons. */
uint32_t symbols_not_unwound(const struct symbols *symbols);

/*
 * Never SYMBOL_NONE. *at becomes where that is in its object, in the numbers of struct symbol; 0:
 * the mappings of its process do not say it, or not yet.
 */
uint32_t symbols_find(struct symbols *symbols, const struct symbol_address *address, uint64_t *at);

/*
 * What is mapped at an address of data of a process: an id of which the object says it, as "[heap]"
 * or the name of a file; SYMBOL_NONE: it is not known. It knows what has been mapped since it was
 * asked first, or since symbols_map() was given data; in a live run it reads the rest where it is
 * needed, for at most a hundredth of the time.
 */
uint32_t symbols_find_data(struct symbols *symbols, int32_t pid, uint64_t address);

/* The line of source of code of a function; the function itself where it is known to have none. */
uint32_t symbols_find_line(struct symbols *symbols, uint32_t function, uint64_t at);

enum symbol_state {
	SYMBOL_PENDING, /* no answer yet; the name is the address */
	SYMBOL_FOUND,
	SYMBOL_UNKNOWN /* the name is "[unknown]"; one id for each object and reason */
};

enum symbol_reason {
#define REASON(name, text) SYMBOL_REASON_##name,
#include "symbol/reason.def"
#undef REASON
	SYMBOL_REASON_COUNT
};

/* The text in reason.def. */
const char *symbol_reason_text(enum symbol_reason reason);

/*
 * What an id stands for by now. Texts are valid UTF-8 without control characters (text_safe()).
 * They are good until the next call of a function that changes `symbols`.
 */
struct symbol {
	const char *name; /* demangled; never NULL */
	uint32_t same_as; /* the id asked for, or the one to use instead */
	uint32_t object;  /* for symbol_object() */
	enum symbol_state state;
	enum symbol_reason reason; /* why it is unknown, else NONE */

	/* Of a whole function: offsets in its file, or addresses if it is in none. 0: not known. */
	uint64_t start, end;
	/* The same of the address, if that had no answer when it was asked for. */
	uint64_t at;

	/* Of a line. */
	const char *file;    /* with its folder if that is known; NULL: pending, or no line */
	uint32_t line;       /* from 1; 0: not known */
	uint32_t inlined_in; /* id of the line where it was inlined; SYMBOL_NONE: it was not */
	uint32_t inlined;    /* id of the function that was, for all places where it was */
	uint32_t function;   /* id of the whole function that has the code, or its own */
	bool is_inlined;     /* it is no line but such a function, which has no code of its own */
};

enum symbol_object_kind {
	SYMBOL_OBJECT_KERNEL,
	SYMBOL_OBJECT_MODULE, /* of the kernel; BPF programs too */
	SYMBOL_OBJECT_FILE,   /* a program or library */
	SYMBOL_OBJECT_VDSO,
	SYMBOL_OBJECT_JIT,    /* code made at run time, of one process */
	SYMBOL_OBJECT_UNKNOWN /* nothing is mapped there, or it is not known yet what */
};

struct symbol_object {
	const char *name;       /* path, "[kernel]", "[usbcore]", "[bpf]", "[vdso]" or "[JIT] 12" */
	const char *short_name; /* what follows the last slash */
	enum symbol_object_kind kind;
	const uint8_t *build_id; /* as it was reported */
	size_t build_id_size;    /* 0: it was not */
	uint64_t inode;          /* 0: not known */
	bool is_deleted;         /* the file that has the name now is another one, or none */
};

/* Of an id that symbols_find() or a struct symbol gave. */
struct symbol symbol_get(const struct symbols *symbols, uint32_t id);
struct symbol_object symbol_object(const struct symbols *symbols, uint32_t id);

/* --- the code of one function */

/*
 * Asks for the code of a function, in place of what was asked before. Pending until symbols_work()
 * says that something has changed; then NONE, or why it cannot be read, and it stays until
 * something else is asked. That of the function asked for may be asked again: nothing is read.
 */
enum symbol_state symbols_list(struct symbols *symbols, uint32_t function,
			       enum symbol_reason *reason);

/* Its parts, with `at` in the numbers of struct symbol and texts as its own, one after the other
 * from *cursor = 0 on. False: that were all. */
bool symbols_next_part(const struct symbols *symbols, size_t *cursor, struct code_part *part);

/* --- answers */

/* Readable when answers have come; the same one all the time. -1: there was no descriptor left. */
int symbols_fd(const struct symbols *symbols);

/*
 * Asks for what is pending and takes the answers that have come. True: what symbol_get() or
 * symbols_list() gave as pending has changed.
 */
bool symbols_work(struct symbols *symbols);

/* Waits until nothing is pending, for a batch run over a recording. */
void symbols_finish(struct symbols *symbols);

/* Addresses that have no answer yet. */
uint32_t symbols_pending(const struct symbols *symbols);

/*
 * When symbols_are_crowded(), new addresses soon get no id but one that says SYMBOL_REASON_CROWDED.
 * To make room, call symbols_keep() for each id that is still in use (what its struct symbol refers
 * to is kept with it), then symbols_forget_rest(): all other ids may be given again.
 */
bool symbols_are_crowded(const struct symbols *symbols);
void symbols_keep(struct symbols *symbols, uint32_t id);
void symbols_forget_rest(struct symbols *symbols);

/* CPU time that helpers have used; memory that the present one uses. */
uint64_t symbols_cpu_ns(const struct symbols *symbols);
uint64_t symbols_memory_bytes(const struct symbols *symbols);

/*
 * Whether the standard input leads to the parent, as it does for a helper. Never true of a program
 * that has more rights than who has started it: whoever speaks to the helper uses them.
 */
bool symbols_is_helper(void);

/*
 * The helper: answers what comes over the socket that is its standard input, until that is closed.
 * Returns the exit status.
 */
int symbols_serve(void);

#endif
