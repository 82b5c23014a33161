/*
 * Mutations for libFuzzer that know the parts of a recording: the fuzzer's own, within one part,
 * and records that come twice, go, grow, shrink, change places or become others. One in eight stays
 * with the fuzzer alone, for all that has no parts.
 */

#include "fuzz.h"
#include "shape.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max_size, unsigned seed);

enum {
	RECORD_MAX = 65528,
	TYPES_KERNEL = 23, /* one more than the kernel has */
	TYPES_USER = 64,
	TYPES_USER_COUNT = 21
};

static size_t below(uint64_t *random, size_t limit)
{
	return (size_t)((fuzz_random(random) >> 16) % (limit > 0 ? limit : 1));
}

static uint64_t seeded(unsigned seed)
{
	return seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* Any part of a kind that there is. */
static const struct shape_part *choose(const struct shape *shape, enum shape_kind kind,
				       uint64_t *random)
{
	size_t count = shape->counts[kind];

	return count > 0 ? &shape->parts[kind][below(random, count)] : NULL;
}

/* A word of it, or all of it; its size stays. */
static void mutate_within(struct shape *shape, const struct shape_part *part, uint64_t *random)
{
	static const size_t widths[] = {1, 2, 4, 8};
	uint8_t *bytes = shape->bytes + part->at;
	size_t width = widths[below(random, 4)];

	if (below(random, 4) == 0 || width > part->size) {
		LLVMFuzzerMutate(bytes, part->size, part->size);
		return;
	}

	size_t at = below(random, part->size / width) * width;

	if (below(random, 4) == 0)
		memcpy(bytes + at, bytes + below(random, part->size / width) * width, width);
	else
		LLVMFuzzerMutate(bytes + at, width, width);
}

static void change_type(struct shape *shape, const struct shape_part *record, uint64_t *random)
{
	size_t type = below(random, 2) ? below(random, TYPES_KERNEL)
				       : TYPES_USER + below(random, TYPES_USER_COUNT);

	shape_put_u32(shape, record->at, (uint32_t)type);
}

/* More bytes at its end, or fewer; it says so, or lies. */
static void resize(struct shape *shape, const struct shape_part *record, uint64_t *random)
{
	static const uint8_t zeros[64];
	size_t by = 8 * (1 + below(random, 7));
	bool is_longer = below(random, 2);

	if (is_longer ? record->size + by > RECORD_MAX : record->size < by + 8)
		return;

	size_t end = record->at + record->size;

	if (below(random, 4) > 0) {
		shape_put_u16(shape, record->at + 6,
			      (uint16_t)(is_longer ? record->size + by : record->size - by));
	}
	shape_splice(shape, is_longer ? end : end - by, is_longer ? 0 : by, zeros,
		     is_longer ? by : 0);
}

static void mutate_record(struct shape *shape, uint64_t *random)
{
	static uint8_t copy[RECORD_MAX + 8];
	const struct shape_part *record = choose(shape, SHAPE_RECORD, random);
	const struct shape_part *other = choose(shape, SHAPE_RECORD, random);

	if (!record)
		return;
	switch (below(random, 8)) {
	case 0:
		change_type(shape, record, random);
		break;
	case 1:
		resize(shape, record, random);
		break;
	case 2:
		shape_splice(shape, record->at, record->size, NULL, 0);
		break;
	case 3:
		memcpy(copy, shape->bytes + record->at, record->size);
		shape_splice(shape, other->at, 0, copy, record->size);
		break;
	case 4:
		memcpy(copy, shape->bytes + record->at, record->size);
		shape_splice(shape, other->at, other->size, copy, record->size);
		break;
	default:
		mutate_within(shape, record, random);
		break;
	}
}

static void mutate_part(struct shape *shape, uint64_t *random)
{
	enum shape_kind kind = (enum shape_kind)below(random, SHAPE_KINDS + 3);
	const struct shape_part *part;

	if (kind >= SHAPE_RECORD || shape->is_pipe) {
		mutate_record(shape, random);
		return;
	}
	part = choose(shape, kind, random);
	if (part)
		mutate_within(shape, part, random);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct shape shape;
	uint64_t random = seeded(seed);
	size_t rounds = 1 + below(&random, 4);

	if (below(&random, 8) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	for (size_t i = 0; i < rounds; i++) {
		if (!shape_find(&shape, data, size, max_size))
			return LLVMFuzzerMutate(data, size, max_size);
		mutate_part(&shape, &random);
		size = shape.size;
	}
	return size;
}

/* A record of the other one, or an attribute, comes to one's place. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max_size, unsigned seed)
{
	static struct shape shape, second;
	uint64_t random = seeded(seed);
	const struct shape_part *place, *part;
	enum shape_kind kind = below(&random, 4) ? SHAPE_RECORD : SHAPE_ATTRIBUTE;

	if (size > max_size)
		size = max_size;
	memcpy(out, data, size);
	/* it is only looked at */
	if (!shape_find(&second, (uint8_t *)(uintptr_t)other, other_size, other_size) ||
	    !shape_find(&shape, out, size, max_size))
		return size;
	place = choose(&shape, kind, &random);
	part = choose(&second, kind, &random);
	if (!place || !part)
		return size;
	if (kind == SHAPE_RECORD) {
		shape_splice(&shape, place->at, 0, other + part->at, part->size);
	} else {
		memcpy(out + place->at, other + part->at,
		       place->size < part->size ? place->size : part->size);
	}
	return shape.size;
}
