#ifndef PERFTOP_TESTS_FUZZ_SHAPE_H
#define PERFTOP_TESTS_FUZZ_SHAPE_H

/*
 * The parts of a recording, in place: where its header, attributes, ids, features and records lie,
 * and how to change one of them so that the others still lie where the file says.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_kind {
	SHAPE_HEADER,
	SHAPE_ATTRIBUTE,
	SHAPE_IDS,
	SHAPE_PLACE, /* of a feature: offset and size */
	SHAPE_FEATURE,
	SHAPE_RECORD,
	SHAPE_KINDS
};

enum {
	SHAPE_PARTS_MAX = 4096 /* of a kind; those behind are not seen */
};

struct shape_part {
	size_t at, size;
};

struct shape {
	uint8_t *bytes;
	size_t size, room;
	bool is_pipe;
	struct shape_part parts[SHAPE_KINDS][SHAPE_PARTS_MAX];
	size_t counts[SHAPE_KINDS];
};

/* Finds the parts of what lies in `room` bytes. False: it does not begin as a recording does. */
bool shape_find(struct shape *shape, uint8_t *bytes, size_t size, size_t room);

/* Of a part of any kind but the pipe's header: the numbers at a place, as the file has them. */
uint64_t shape_u64(const struct shape *shape, size_t at);
void shape_put_u64(struct shape *shape, size_t at, uint64_t value);
uint16_t shape_u16(const struct shape *shape, size_t at);
void shape_put_u16(struct shape *shape, size_t at, uint16_t value);
uint32_t shape_u32(const struct shape *shape, size_t at);
void shape_put_u32(struct shape *shape, size_t at, uint32_t value);

/*
 * Among the records, at a place: takes out `removed` bytes and puts `count` others in. What lies
 * behind is moved, and header and features say so. The parts are to be found anew. False: there is
 * no room.
 */
bool shape_splice(struct shape *shape, size_t at, size_t removed, const uint8_t *bytes,
		  size_t count);

#endif
