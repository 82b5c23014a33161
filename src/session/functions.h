#ifndef PERFTOP_SESSION_FUNCTIONS_H
#define PERFTOP_SESSION_FUNCTIONS_H

/*
 * From the addresses of samples to the functions that the model counts, and from these to names:
 * what the engine does with symbol/symbols.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/build_id.h"
#include "model/record.h"
#include "view/listing.h"
#include "view/names.h"

struct build_ids;
struct snapshot;
struct symbols;

/* Zeros at first, but for is_live. */
struct functions {
	bool is_live;            /* processes are those of this machine, now */
	struct symbols *symbols; /* owned; NULL until something is asked */
	uint64_t forgotten_ns;   /* numbers of intervals that ended before mean nothing any more */
	uint64_t calls[SAMPLE_FRAMES_MAX];  /* of the stack that was unwound last */
	uint64_t frames[SAMPLE_FRAMES_MAX]; /* of the sample taken last */
	uint64_t at[SAMPLE_FRAMES_MAX];     /* of each */
	uint64_t cpu_ns;                    /* of the helper, as far as it was noted */
	bool has_news;                      /* names have come */
	struct listing listing;             /* of the function asked for last; owns its parts */
	struct build_ids *build_ids; /* owned; of files of this machine that were asked for */
	char build_id[2 * BUILD_ID_MAX + 1];
	char mark[128], object[280], source[256]; /* of the name that was asked for last */
};

void functions_fini(struct functions *functions);

/* RECORD_MAPPING: which code is where. */
void functions_map(struct functions *functions, const struct record *record);

/* All of it comes once more, from the beginning. */
void functions_rewind(struct functions *functions);

/* A RECORD_SAMPLE with the calls in its stack in place of that, good until the next one. */
struct record functions_unwind(struct functions *functions, const struct record *record);

/* A RECORD_SAMPLE with functions in place of its addresses, good until the next one. */
struct record functions_resolve(struct functions *functions, const struct record *record);

/* Takes the answers that are there; functions.has_news says whether there were some. */
void functions_work(struct functions *functions);

/* Waits for all of them, where rows are written once and for all. */
void functions_finish(struct functions *functions);

/* Makes room where there are too many: only those of this snapshot are kept, which is the last. */
void functions_tidy(struct functions *functions, const struct snapshot *snapshot);

/* A function_namer; the context is the struct functions. */
struct function_name functions_name(void *context, uint32_t number, uint64_t time_ns);

/* A function_map_asker; the context is the struct functions. */
bool functions_lacks_map(void *context, int32_t pid);

/* A function_placer; the context is the struct functions. */
struct function_object functions_object(void *context, uint32_t number, uint64_t time_ns);

/* A function_variable_namer; the context is the struct functions. */
struct variable_name functions_variable(void *context, int32_t pid, uint64_t address);

/* A function_liner; the context is the struct functions. */
uint32_t functions_line(void *context, uint32_t number, uint64_t at, uint64_t time_ns);

/* A function_lister; the context is the struct functions. */
const struct listing *functions_list(void *context, uint32_t number, uint64_t time_ns);

/* CPU time that the lookups have taken since the last call, and the memory that they use now. */
uint64_t functions_take_cpu_ns(struct functions *functions);
uint64_t functions_bytes(const struct functions *functions);

/* Addresses that have no answer yet; stacks that were given up. */
uint32_t functions_pending(const struct functions *functions);
uint32_t functions_not_unwound(const struct functions *functions);

/* Readable when answers have come; -1: none are expected. */
int functions_fd(const struct functions *functions);

#endif
