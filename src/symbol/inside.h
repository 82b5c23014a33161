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
	/* Were killed, and are not gone yet: a disk may hang. 0: none */
	pid_t ending[HELPER_ENDING_MAX];
	int fd;    /* socket to it; -1 */
	int epoll; /* has fd in it, whichever that is; -1: could not be made */
};

/* Something to ask the helper for. */
struct symbol_job {
	enum wire_request what;
	uint32_t object;
	int32_t pid;      /* of MAPS and UNWIND */
	uint64_t program; /* of the process: another one by now is not asked for; of a LISTING: its
			     number, if that is still wanted */
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
	size_t count, answered; /* of the list of an object, from its beginning */
	bool has_name;          /* one of the answers */
	bool is_slow;           /* it is not waited for any more */
	uint64_t heard_ns;      /* when it began, or the last packet came */
	uint64_t *frames;       /* borrowed; of a stack: room for so many, and how many there are */
	size_t frame_max, frame_count;
};

/* The code of a function, as it was asked for last. */
struct wanted_listing {
	uint32_t function;   /* SYMBOL_NONE: nothing was asked */
	uint64_t number;     /* how many were asked for */
	struct strbuf parts; /* as wire_part() writes them, harmless */
	enum symbol_state state;
	enum symbol_reason reason;
};

struct symbols {
	struct symbols_options options;
	struct entries entries;
	struct code_objects objects;
	struct mappings mappings;
	struct map by_address; /* hash of object and address: id of what waits or waited for it */
	struct job_queue quick, slow; /* lines are slow */
	struct flight flight;
	struct wanted_listing listing;
	struct helper helper;
	uint32_t failures;    /* of the helper since its last answer */
	uint32_t pending;     /* ids that wait */
	uint32_t not_unwound; /* stacks, since the helper died or hung on others of their process */
	bool has_changed;     /* since symbols_work() said so */
	struct strbuf packet;
	char *answer;          /* owned; room for a packet */
	uint64_t past_cpu_ns;  /* of helpers that have ended */
	struct wire_head head; /* the last one */
};

/* The id of what is unknown in an object for that reason. */
uint32_t symbols_unknown(struct symbols *symbols, uint32_t object, enum symbol_reason reason);

/* An id that waits gets its answer. */
void symbols_settle(struct symbols *symbols, const struct asked *asked, uint32_t into);

/* Goes on with an address in memory whose process has its mappings now. */
void symbols_place(struct symbols *symbols, const struct process *process,
		   const struct asked *asked);

/* A mapping as it was reported. */
void symbols_add_mapping(struct symbols *symbols, struct process *process,
			 const struct decoded_mmap *mmap);

/* What is unknown in the kernel is in the module that was recorded at this address, if any. */
uint32_t symbols_in_module(struct symbols *symbols, uint32_t id, uint64_t address);

/* --- asking.c */

/* Ends the helper, whatever it does; one that does not go at once is collected later. */
void symbols_stop_helper(struct symbols *symbols);

/* Puts an address into the list of what the job is for, and the job into its queue. */
void symbols_ask(struct symbols *symbols, const struct symbol_job *job, const struct asked *asked);

/* What waits for the job; NULL: it is another process by now, or none waits for such a one. */
struct asked_list *symbols_list_of(const struct symbols *symbols, const struct symbol_job *job);

/* The process of the job; NULL: it is another one by now. */
struct process *symbols_process_of(const struct symbols *symbols, const struct symbol_job *job);

/* --- answers.c */

/* A packet of the reply that the flight waits for, behind its head. */
void answers_take(struct symbols *symbols, struct wire *wire);

/* That was the last one: NO_SYMBOL; or there are no more, for this reason. */
void answers_end(struct symbols *symbols, enum symbol_reason reason);

/* What waits for the mappings of a process gets them from elsewhere, or none. */
void answers_give_up(struct symbols *symbols, struct process *process);

#endif
