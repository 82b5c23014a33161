/*
 * Nothing here trusts the file: parts end where the bytes do. It knows the form
 * (perf.data-file-format of Linux) by itself and nothing of the reader that is tested with it.
 */

#include "shape.h"

#include <string.h>

enum {
	PIPE_SIZE = 16,
	HEADER_SIZE = 104,
	ATTRIBUTE_SIZE_AT = 16,
	ATTRIBUTES_AT = 24,
	DATA_AT = 40,
	FEATURES_AT = 72,
	PLACE_SIZE = 16,
	RECORD_SIZE_AT = 6,
	RECORD_MIN = 8
};

static uint64_t take(const struct shape *shape, size_t at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; at + size <= shape->size && i < size; i++)
		value |= (uint64_t)shape->bytes[at + i] << 8 * i;
	return value;
}

static void give(struct shape *shape, size_t at, size_t size, uint64_t value)
{
	for (size_t i = 0; at + size <= shape->size && i < size; i++)
		shape->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

uint64_t shape_u64(const struct shape *shape, size_t at)
{
	return take(shape, at, 8);
}

void shape_put_u64(struct shape *shape, size_t at, uint64_t value)
{
	give(shape, at, 8, value);
}

uint32_t shape_u32(const struct shape *shape, size_t at)
{
	return (uint32_t)take(shape, at, 4);
}

void shape_put_u32(struct shape *shape, size_t at, uint32_t value)
{
	give(shape, at, 4, value);
}

uint16_t shape_u16(const struct shape *shape, size_t at)
{
	return (uint16_t)take(shape, at, 2);
}

void shape_put_u16(struct shape *shape, size_t at, uint16_t value)
{
	give(shape, at, 2, value);
}

static void add(struct shape *shape, enum shape_kind kind, uint64_t at, uint64_t size)
{
	size_t *count = &shape->counts[kind];

	if (at >= shape->size || *count == SHAPE_PARTS_MAX)
		return;
	if (size > shape->size - at)
		size = shape->size - at;
	if (size > 0)
		shape->parts[kind][(*count)++] = (struct shape_part){(size_t)at, (size_t)size};
}

static void find_attributes(struct shape *shape)
{
	uint64_t size = shape_u64(shape, ATTRIBUTE_SIZE_AT);
	uint64_t at = shape_u64(shape, ATTRIBUTES_AT), all = shape_u64(shape, ATTRIBUTES_AT + 8);

	if (size <= PLACE_SIZE || at > shape->size || all > shape->size - at)
		return;
	for (; all >= size; at += size, all -= size) {
		size_t ids_at = (size_t)(at + size - PLACE_SIZE);

		add(shape, SHAPE_ATTRIBUTE, at, size);
		add(shape, SHAPE_IDS, shape_u64(shape, ids_at), shape_u64(shape, ids_at + 8));
	}
}

static void find_features(struct shape *shape, size_t place)
{
	for (size_t at = FEATURES_AT; at < HEADER_SIZE; at += 8) {
		for (uint64_t bits = shape_u64(shape, at); bits != 0; bits &= bits - 1) {
			add(shape, SHAPE_PLACE, place, PLACE_SIZE);
			add(shape, SHAPE_FEATURE, shape_u64(shape, place),
			    shape_u64(shape, place + 8));
			place += PLACE_SIZE;
		}
	}
}

static void find_records(struct shape *shape, size_t at, size_t end)
{
	while (end - at >= RECORD_MIN) {
		size_t size = shape_u16(shape, at + RECORD_SIZE_AT);

		if (size < RECORD_MIN || size > end - at)
			return;
		add(shape, SHAPE_RECORD, at, size);
		at += size;
	}
}

bool shape_find(struct shape *shape, uint8_t *bytes, size_t size, size_t room)
{
	memset(shape->counts, 0, sizeof(shape->counts));
	shape->bytes = bytes;
	shape->size = size;
	shape->room = room;
	if (size < PIPE_SIZE)
		return false;
	if (memcmp(bytes, "PERFILE2", 8) != 0)
		return false;
	shape->is_pipe = shape_u64(shape, 8) == PIPE_SIZE;
	if (shape->is_pipe) {
		find_records(shape, PIPE_SIZE, size);
		return true;
	}
	if (size < HEADER_SIZE)
		return false;

	uint64_t data = shape_u64(shape, DATA_AT), data_size = shape_u64(shape, DATA_AT + 8);

	add(shape, SHAPE_HEADER, 0, HEADER_SIZE);
	find_attributes(shape);
	if (data > size || data_size > size - data)
		return true;
	find_records(shape, (size_t)data, (size_t)(data_size > 0 ? data + data_size : size));
	if (data_size > 0)
		find_features(shape, (size_t)(data + data_size));
	return true;
}

/* An offset that lies behind the place moves with it. */
static void move_offset(struct shape *shape, size_t offset_at, size_t place, uint64_t by)
{
	uint64_t offset = shape_u64(shape, offset_at);

	if (offset > place)
		shape_put_u64(shape, offset_at, offset + by);
}

static void move_all(struct shape *shape, size_t place, uint64_t by)
{
	const struct shape_part *attributes = shape->parts[SHAPE_ATTRIBUTE];
	const struct shape_part *places = shape->parts[SHAPE_PLACE];
	uint64_t data_size = shape_u64(shape, DATA_AT + 8);

	for (size_t i = 0; i < shape->counts[SHAPE_ATTRIBUTE]; i++)
		move_offset(shape, attributes[i].at + attributes[i].size - PLACE_SIZE, place, by);
	for (size_t i = 0; i < shape->counts[SHAPE_PLACE]; i++)
		move_offset(shape, places[i].at, place, by);
	if (data_size > 0)
		shape_put_u64(shape, DATA_AT + 8, data_size + by);
}

bool shape_splice(struct shape *shape, size_t at, size_t removed, const uint8_t *bytes,
		  size_t count)
{
	size_t rest = shape->size - at - removed;

	if (at + count + rest > shape->room)
		return false;
	if (!shape->is_pipe)
		move_all(shape, at, (uint64_t)count - removed);
	memmove(shape->bytes + at + count, shape->bytes + at + removed, rest);
	if (count > 0)
		memcpy(shape->bytes + at, bytes, count);
	shape->size = at + count + rest;
	return true;
}
