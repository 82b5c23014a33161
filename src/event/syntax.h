#ifndef PERFTOP_EVENT_SYNTAX_H
#define PERFTOP_EVENT_SYNTAX_H

/*
 * The text of a list of events taken apart (its grammar is in event.h). Pure: what the names mean
 * is decided by the finder (event.c).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/spec.h"

enum syntax_form {
	SYNTAX_NAME,       /* any name; its colons and modifiers are the finder's */
	SYNTAX_SLASHES,    /* NAME/.../ */
	SYNTAX_RAW,        /* rNNN */
	SYNTAX_BREAKPOINT, /* mem:ADDRESS... */
	SYNTAX_UPROBE,     /* uprobe:, uretprobe: */
	SYNTAX_KPROBE      /* kprobe:, kretprobe: */
};

enum {
	MODIFIER_USER = 1,
	MODIFIER_KERNEL = 2,
	MODIFIER_HYPERVISOR = 4,
	MODIFIER_HOST = 8,
	MODIFIER_GUEST = 16,
	MODIFIER_IDLE = 32,
	MODIFIER_MOST_PRECISE = 64
};

struct syntax_modifiers {
	unsigned int letters; /* MODIFIER_ bits */
	uint8_t precise;      /* number of p, 0 to 3 */
};

enum {
	SYNTAX_LETTERS_MAX = 16 /* of modifiers, and more than there can be */
};

enum {
	ACCESS_READ = 1,
	ACCESS_WRITE = 2,
	ACCESS_EXECUTE = 4
};

struct syntax_event {
	enum syntax_form form;
	size_t position;                 /* byte offset in the list */
	char text[EVENT_SPEC_NAME_MAX];  /* with its modifiers, without braces; not empty */
	char parts[EVENT_SPEC_NAME_MAX]; /* the same in parts, each with a NUL behind it: */
	size_t name; /* where it begins; up to its first colon, or the slash; a probe's function */
	size_t tail; /* what is behind the colon of a name; 0: it has none */
	size_t inside;         /* between the slashes; a probe's file */
	uint64_t number;       /* raw: config; breakpoint: address; probe: offset */
	uint64_t length;       /* breakpoint: bytes; 0 not given */
	unsigned int access;   /* breakpoint: ACCESS_ bits; 0 not given */
	bool returns;          /* probe: at the function's return */
	bool is_forced;        /* uprobe: whatever is there is taken for an instruction */
	uint64_t period, freq; /* of what has no other terms: as in struct event_spec */
	struct syntax_modifiers modifiers; /* its own; of a name always none */
	struct syntax_modifiers outer;     /* those of the braces around it */
	char outer_text[SYNTAX_LETTERS_MAX];
	int brace; /* number of the braces, from 0; -1: none */
};

struct syntax_list {
	struct syntax_event *events; /* owned */
	size_t count, capacity;
};

/*
 * Takes a list apart. False: *position is the byte offset of the fault, *message one sentence about
 * it (static), and the list is empty.
 */
bool syntax_parse(const char *text, struct syntax_list *list, size_t *position,
		  const char **message);
void syntax_list_fini(struct syntax_list *list);

/* Reads letters such as "ukH" or "ppp"; false: *message says why not (static). */
bool syntax_modifiers_parse(const char *letters, struct syntax_modifiers *modifiers,
			    const char **message);

/* r or r0x, followed by up to 16 hexadecimal digits. */
bool syntax_raw_parse(const char *name, uint64_t *config);

/*
 * Puts an event's own modifiers and those of its braces onto a spec as perf does: a letter of u, k,
 * h excludes the other two, unless some are excluded already: then it only lets its own in. The
 * same for H and G. An event without own modifiers leaves guests out, and so does one with u, p or
 * P.
 */
void syntax_modifiers_apply(const struct syntax_modifiers *own,
			    const struct syntax_modifiers *outer, struct event_spec *spec);

#endif
