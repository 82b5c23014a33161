#ifndef PERFTOP_SYMBOL_WIRE_H
#define PERFTOP_SYMBOL_WIRE_H

/*
 * What the program and its helper say to each other: packets of numbers and texts, written and read
 * in the same order. Both are the same program; still, a file may have taken over the helper, and
 * whatever it sends is read without harm: after a fault all that follows is 0 and "".
 *
 * A request is an enum wire_request, a struct wire_object, and what the request says; a reply is a
 * struct wire_head and then its parts, to the end of the packet. A reply may be of several packets,
 * which all begin alike.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/codec.h"

#include "symbol/symbols.h"

struct decoded_mmap;

enum {
	WIRE_PACKET_BYTES = 1 << 16,
	WIRE_HEAD_BYTES = 31,   /* of a packet */
	WIRE_TEXT_BYTES = 4096, /* of one text, without NUL; longer ones are cut */
	WIRE_NAME_BYTES = 1100, /* of one in an answer */
	WIRE_FIND_MAX = 256,    /* addresses of one request */
	WIRE_REGISTERS_MAX = 64,
	WIRE_FRAMES_MAX = 256 /* of a reply */
};

/* What is asked for, of which object; by what; and the parts of the reply. */
enum wire_request {
	WIRE_MAPS,      /* executable mappings of the process `pid`: struct decoded_mmap */
	WIRE_FUNCTIONS, /* by addresses: of each, in the same order, a struct address_answer */
	WIRE_LINES,     /* the same, with lines */
	WIRE_LISTING,   /* the code of a function, by its start and end: struct code_part */
	WIRE_UNWIND,    /* of a process, `serial` being its program, by the version of its mappings,
			   a struct symbol_stack, and of each mapping start, start in the object,
			   struct wire_object: addresses, innermost first */
	WIRE_REQUESTS
};

/* How the helper finds an object. `serial` identifies what it has read of it. */
struct wire_object {
	uint64_t serial;
	enum symbol_object_kind kind;
	bool is_live;        /* `pid` is a process of this machine */
	int32_t pid;         /* that has it mapped */
	uint64_t start, end; /* where; of a kernel that was recorded: where its symbol `name` was */
	uint64_t inode;      /* 0: not known */
	uint32_t major, minor;
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0: not known */
	const char *name;      /* path */
};

/* What is true of an object, or a reply, as a whole. */
struct wire_facts {
	enum symbol_reason reason; /* why some or all of it is missing */
	bool is_deleted;
	bool has_no_lines; /* there is no debug information */
	uint64_t version;  /* a change makes earlier answers doubtful */
};

struct wire_head {
	bool is_last;            /* packet of the reply */
	uint64_t cpu_ns;         /* that the helper has used, and its opener */
	uint64_t opener_bytes;   /* memory of that */
	struct wire_facts facts; /* of the last packet they count */
};

/* --- what the helper finds out about one address */

enum {
	ANSWER_LINES_MAX = 16 /* functions that were inlined into each other, and the outer one */
};

struct answer_line {
	const char *function; /* NULL: as the answer's */
	const char *file;     /* never NULL */
	uint32_t line;
};

struct address_answer {
	/* Function and reason are the same from start on and below end: offsets in the file, or
	   addresses if there is none. */
	uint64_t start, end;
	enum symbol_reason reason;             /* NONE: there is a function */
	uint64_t function_start, function_end; /* in the same numbers */
	const char *name;                      /* as the linker knows it; NULL: none */
	const char *module;                    /* of the kernel; NULL: none */
	/* What was executed, then what that was inlined into; 0: no lines are known. */
	struct answer_line lines[ANSWER_LINES_MAX];
	size_t line_count;
};

/* Write or read a structure. Read into a zeroed one; its texts then point into the packet. */
void wire_object(struct codec *codec, struct wire_object *object);
void wire_stack(struct codec *codec, struct symbol_stack *stack);
void wire_head(struct codec *codec, struct wire_head *head);
void wire_answer(struct codec *codec, struct address_answer *answer);
void wire_part(struct codec *codec, struct code_part *part);
void wire_mapping(struct codec *codec, struct decoded_mmap *mapping);

#endif
