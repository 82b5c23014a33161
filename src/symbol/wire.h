#ifndef PERFTOP_SYMBOL_WIRE_H
#define PERFTOP_SYMBOL_WIRE_H

/*
 * What the program and its helper say to each other: packets of numbers and texts, written and read
 * in the same order. Both are the same program; still, a file may have taken over the helper, and
 * whatever it sends is read without harm: after a fault all that follows is 0 and "".
 *
 *	request		enum wire_request, then
 *	  MAPS		pid
 *	  FIND		struct wire_object, wants_line, then addresses to the end
 *	  UNWIND	struct wire_stack, then of each mapping start, start in the object,
 *			struct wire_object
 *	  LIST		struct wire_object, start, end
 *	reply		struct wire_head, then to the end of the packet
 *	  to MAPS	enum symbol_reason, any number of struct decoded_mmap
 *	  to FIND	struct wire_facts, any number of struct answer, in the order of the request
 *	  to UNWIND	addresses, innermost first
 *	  to LIST	enum symbol_reason, that of the last packet counts; any number of
 *			struct code_part
 *
 * A reply may be of several packets, which all begin alike.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/answer.h"

struct decoded_mmap;
struct strbuf;

enum {
	WIRE_PACKET_BYTES = 1 << 16,
	WIRE_TEXT_BYTES = 4096, /* of one text, without NUL; longer ones are cut */
	WIRE_NAME_BYTES = 1100, /* of one in an answer */
	WIRE_FIND_MAX = 256,    /* addresses of one request */
	WIRE_REGISTERS_MAX = 64,
	WIRE_FRAMES_MAX = 256 /* of a reply */
};

enum wire_request {
	WIRE_MAPS, /* the executable mappings of a process */
	WIRE_FIND, /* functions or lines of an object */
	WIRE_UNWIND,
	WIRE_LIST /* the code of a function */
};

/* What is written to a packet, or read from one. */
struct wire {
	const char *at, *end; /* to be read */
	bool has_failed;
	struct strbuf *packet; /* to be written; NULL: it is read */
};

void wire_put(struct strbuf *packet, uint64_t number);
void wire_put_text(struct strbuf *packet, const char *text, size_t limit); /* NULL is "" */
uint64_t wire_get(struct wire *wire);
const char *wire_get_text(struct wire *wire); /* in the packet; never NULL */

struct wire_head {
	bool is_last;          /* packet of the reply */
	uint64_t cpu_ns;       /* that the helper has used, and its opener */
	uint64_t opener_bytes; /* memory of that */
};

/* At the beginning of a packet, which may have been written already. */
void wire_set_head(struct strbuf *packet, const struct wire_head *head);
void wire_get_head(struct wire *wire, struct wire_head *head);

/* How the helper finds an object; what it keeps of it, it keeps by `serial`. */
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

/* Where a thread was. Its process has another version when its mappings have changed. */
struct wire_stack {
	int32_t pid;
	uint64_t program, version;
	uint64_t mask;             /* which registers there are, by the kernel's numbers */
	const uint64_t *registers; /* those in the mask, aligned or not */
	size_t register_count;
	const void *bytes; /* of the stack, from the stack pointer on */
	size_t size;
};

/* What is true of an object as a whole. */
struct wire_facts {
	enum symbol_reason reason;
	bool is_deleted;
	bool has_no_lines; /* lines were asked for in vain: there is no debug information */
	uint64_t version;  /* another one: what was said before may be wrong now */
	uint8_t build_id[20];
	uint8_t build_id_size;
};

/* Write or read a structure; what is read into has zeros, and then points into the packet. */
void wire_object(struct wire *wire, struct wire_object *object);
void wire_stack(struct wire *wire, struct wire_stack *stack);
void wire_facts(struct wire *wire, struct wire_facts *facts);
void wire_answer(struct wire *wire, struct answer *answer);
void wire_part(struct wire *wire, struct code_part *part);
void wire_mapping(struct wire *wire, struct decoded_mmap *mapping);

#endif
