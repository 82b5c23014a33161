#ifndef PERFTOP_KERNEL_GENERIC_H
#define PERFTOP_KERNEL_GENERIC_H

/*
 * perf's names of events that every kernel knows: generic hardware and software events, and cache
 * events, which consist of a cache, an operation and a result; its words for branches. Pure
 * tables.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct generic_event {
	const char *name;
	const char *alias; /* NULL: none */
	uint32_t type;     /* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	uint64_t config;
	const char *description; /* one sentence without a full stop */
};

/* The whole table. */
const struct generic_event *generic_events(size_t *count);

/* By name or alias, without regard to case; NULL: none. */
const struct generic_event *generic_find(const char *name, size_t length);

/* By type and config; NULL: none. */
const struct generic_event *generic_of(uint32_t type, uint64_t config);

/* Names of events that perf stat measures itself: duration_time and the like. */
bool generic_is_tool(const char *name, size_t length);

enum cache_answer {
	CACHE_FOUND,
	CACHE_NO_NAME,   /* not the name of a cache event */
	CACHE_IMPOSSIBLE /* it is one, but this cache has no such operation: stores into iTLB... */
};

/* The config of a PERF_TYPE_HW_CACHE event from its name, in any of perf's spellings. */
enum cache_answer cache_find(const char *name, size_t length, uint64_t *config);

enum {
	CACHE_NAME_MAX = 64
};

/* The name that perf lists for the config of a PERF_TYPE_HW_CACHE event. False: it has none. */
bool cache_name(uint64_t config, char name[static CACHE_NAME_MAX]);

/* The same in words: "loads looked up in the first-level data cache". Only of what has a name. */
void cache_describe(uint64_t config, char *text, size_t size);

/* Calls visit with the name of every cache event, as perf lists it. */
void cache_visit(void (*visit)(const char *name, uint64_t config, void *context), void *context);

/* The PERF_SAMPLE_BRANCH_* bit of a word of perf record -j; 0: it is none. */
uint64_t branch_bit(const char *word, size_t length);

/*
 * Reads which branches are meant, as perf record -j has them ("any_call,u"; no types: any), into
 * these bits. False: one of the words is none.
 */
bool branch_words_parse(const char *text, uint64_t *branch_type);

#endif
