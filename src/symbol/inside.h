#ifndef PERFTOP_SYMBOL_INSIDE_H
#define PERFTOP_SYMBOL_INSIDE_H

/* What symbols.c, mappings.c, asking.c and answers.c share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/map.h"
#include "base/strbuf.h"

#include "symbol/entries.h"
#include "symbol/mappings.h"
#include "symbol/objects.h"
#include "symbol/symbols.h"
#include "symbol/wire.h"

enum {
	HELPER_ENDING_MAX = 16
};

/* The helper process. */
struct helper {
	pid_t pid; /* 0: none runs */
	/* killed, but not ended yet: a disk may hang; 0: none */
	pid_t ending[HELPER_ENDING_MAX];
	int fd;    /* socket to it; -1 */
	int epoll; /* has fd in it, whichever that is; -1: could not be made */
};

/* Something to ask the helper. */
struct symbol_job {
	enum wire_request what;
	uint32_t object;
	int32_t pid;      /* of MAPS and UNWIND */
	uint64_t program; /* of the process, to notice an exec; of a LISTING: its number */
};

/* First in, first out; jobs[first] is next. */
struct job_queue {
	struct symbol_job *jobs; /* owned */
	size_t first, end, capacity;
};

/* The request that has no whole answer yet. */
struct flight {
	bool is_on;
	struct symbol_job job;
	size_t left;       /* addresses, the first ones in the object's list */
	size_t packets;    /* of the reply so far */
	bool has_name;     /* an answer had a name */
	bool is_slow;      /* a live run gave up waiting for it */
	uint64_t heard_ns; /* when it began, or the last packet came */
	uint64_t *frames;  /* borrowed; the calls of a stack */
	size_t frame_max, frame_count;
};

/* The listing that was asked for last. */
struct wanted_listing {
	uint32_t function;   /* SYMBOL_NONE: nothing was asked */
	uint64_t number;     /* counts the listings asked for */
	struct strbuf parts; /* as wire_part() writes them, harmless */
	enum symbol_state state;
	enum symbol_reason reason;
};

struct symbols {
	struct symbols_options options;
	struct entries entries;
	struct code_objects objects;
	struct mappings mappings; /* executable ones */
	struct mappings data;     /* all of them, from when on that is asked for: */
	bool has_data;
	struct map by_address; /* by hash of object and address: the id that waits or waited */
	struct job_queue quick, slow; /* lines are slow */
	struct flight flight;
	struct wanted_listing listing;
	struct helper helper;
	uint32_t failures;     /* of the helper since its last answer */
	uint32_t pending;      /* ids that wait */
	uint32_t not_unwound;  /* stacks: the helper died or hung on one of their process, or there
				  is none */
	uint64_t unwinding_ns; /* that unwinding has taken beyond its share of the time, */
	uint64_t unwound_ns;   /* when it was looked at last */
	uint64_t reading_ns, read_ns; /* the same of reading mappings for data */
	bool has_changed;             /* since symbols_work() said so */
	struct strbuf packet;
	char *answer;          /* owned; room for a packet */
	uint64_t past_cpu_ns;  /* of helpers that have ended */
	struct wire_head head; /* the last one */
};

/* The id for unknown code of an object, for a reason. */
uint32_t symbols_unknown(struct symbols *symbols, uint32_t object, enum symbol_reason reason);

/* Gives a waiting id its answer. */
void symbols_settle(struct symbols *symbols, uint32_t id, uint32_t into);

/* Looks up a waiting address in the mappings of its process. */
void symbols_place(struct symbols *symbols, const struct process *process, uint32_t id);

/* Adds a mapping as it was reported. */
void symbols_add_mapping(struct symbols *symbols, struct process *process,
			 const struct decoded_mmap *mmap);

/* The function that the kernel has made at run time at the address; SYMBOL_NONE: none is known. */
uint32_t symbols_made_function(struct symbols *symbols, uint64_t address);

/* If the id is unknown code of the kernel: that of the module recorded at the address, if any. */
uint32_t symbols_in_module(struct symbols *symbols, uint32_t id, uint64_t address);

/* --- asking.c */

/* Kills the helper; one that does not end at once is reaped later. */
void symbols_stop_helper(struct symbols *symbols);

/* Adds a pending id to the job's list, if it has one, and the job to its queue. */
void symbols_ask(struct symbols *symbols, const struct symbol_job *job, uint32_t id,
		 uint64_t address);

/*
 * What waits for a job; NULL: the process has changed, or the kind of job has no list.
 */
struct waiting_list *symbols_list_of(const struct symbols *symbols, const struct symbol_job *job);

/* The process of a job; NULL: it ended or ran another program. */
struct process *symbols_process_of(const struct symbols *symbols, const struct symbol_job *job);

/* --- answers.c */

/* Takes a packet of the reply, after its head. */
void answers_take(struct symbols *symbols, struct codec *wire);

/* Ends the reply: NO_SYMBOL after its last packet, else why there is none. */
void answers_end(struct symbols *symbols, enum symbol_reason reason);

/* Settles what waits for a process's mappings with those known so far. */
void answers_give_up(struct symbols *symbols, struct process *process);

#endif
