#ifndef PERFTOP_SOURCE_CONVERT_H
#define PERFTOP_SOURCE_CONVERT_H

/* Records of the kernel into records of the model, for what means the same wherever it comes from.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoded;
struct record;
struct record_stack;

/*
 * Fills kind and the fields of the kind; FORK, EXIT and COMM also set pid and tid. The caller has
 * set cpu, pid, tid and time before. A name is copied into `name`, which must live as long as the
 * record. False for what the model does not use, and for samples: their meaning depends on the
 * group.
 */
bool convert_record(const struct decoded *decoded, char *name, size_t name_size,
		    struct record *record);

/*
 * Makes it a RECORD_SAMPLE of a sample that has a call chain or at least its own address; without
 * weight and losses. frames: room for SAMPLE_FRAMES_MAX of them, which must live as long as the
 * record.
 */
void convert_sample(const struct decoded *decoded, uint64_t *frames, struct record *record);

/* Likewise of one that says which memory was accessed, which it is made of alone; false: none. */
bool convert_access(const struct decoded *decoded, uint64_t *frames, struct record *record);

enum {
	BRANCH_ENDS = 2 /* frames of one: to where, from where */
};

/*
 * Makes it a RECORD_SAMPLE of a branch with these flags (struct perf_branch_entry). ends: as long
 * as the record.
 */
void convert_branch(const uint64_t ends[static BRANCH_ENDS], uint64_t flags, struct record *record);

/*
 * Where a sample has the registers in the mask and a copy of the user's stack, of a program of 64
 * bits; as long as what was decoded.
 */
bool convert_stack(const struct decoded *decoded, uint64_t mask, struct record_stack *stack);

/*
 * The same of records that change what is mapped, as RECORD_MAPPING: those of threads do not. False
 * for all others.
 */
bool convert_mapping(const struct decoded *decoded, struct record *record);

#endif
