#include "symbol/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

static uint32_t add_code_object(struct code_objects *objects, const char *path,
				enum symbol_object_kind kind);

void objects_init(struct code_objects *objects, bool is_live)
{
	*objects = (struct code_objects){.bound = 1, .free = 1};
	add_code_object(objects, "[unknown]", SYMBOL_OBJECT_UNKNOWN);
	add_code_object(objects, "[kernel]", SYMBOL_OBJECT_KERNEL);
	objects->items[OBJECT_KERNEL].wire.is_live = is_live;
	objects_forget_names(objects);
}

static void release_object(struct code_object *object)
{
	free(object->name);
	free(object->path);
	free(object->ranges);
	*object = (struct code_object){0};
}

void objects_fini(struct code_objects *objects)
{
	for (uint32_t id = 1; id < objects->bound; id++)
		release_object(&objects->items[id]);
	free(objects->items);
	map_fini(&objects->by_key);
	*objects = (struct code_objects){0};
}

struct code_object *objects_get(const struct code_objects *objects, uint32_t id)
{
	return &objects->items[id];
}

static uint32_t take_object_id(struct code_objects *objects)
{
	while (objects->free < objects->bound && objects->items[objects->free].name)
		objects->free++;
	if (objects->free < objects->bound)
		return objects->free++;
	array_reserve(&objects->items, &objects->capacity, (size_t)objects->bound + 1,
		      sizeof(*objects->items));
	objects->free = objects->bound + 1;
	return objects->bound++;
}

static uint32_t add_code_object(struct code_objects *objects, const char *path,
				enum symbol_object_kind kind)
{
	uint32_t id = take_object_id(objects);
	struct code_object *object = &objects->items[id];
	char name[WIRE_TEXT_BYTES];
	const char *slash;

	text_safe(name, sizeof(name), path, false);
	*object = (struct code_object){
		.name = xstrdup(name),
		.path = xstrdup(path),
		.wire = {.kind = kind, .serial = ++objects->serial},
	};
	slash = strrchr(object->name, '/');
	object->short_name = slash && slash[1] != '\0' ? slash + 1 : object->name;
	objects->count++;
	return id;
}

static void drop_object(struct code_objects *objects, uint32_t id)
{
	map_remove(&objects->by_key, objects->items[id].key);
	release_object(&objects->items[id]);
	objects->count--;
	if (id < objects->free)
		objects->free = id;
}

void objects_note_named(struct code_objects *objects, uint32_t id)
{
	objects->named += !objects->items[id].is_named;
	objects->items[id].is_named = true;
}

void objects_hold(struct code_objects *objects, uint32_t id)
{
	objects->items[id].mappings++;
}

void objects_release(struct code_objects *objects, uint32_t id)
{
	struct code_object *object = &objects->items[id];

	if (--object->mappings == 0 && !object->is_named)
		drop_object(objects, id);
}

uint32_t objects_intern(struct code_objects *objects, uint64_t key, const struct wire_object *wire)
{
	uint32_t id = (uint32_t)(uintptr_t)map_get(&objects->by_key, key);
	uint64_t serial;

	if (id == 0) {
		if (objects->count >= OBJECTS_MAX)
			return OBJECT_UNKNOWN;
		id = add_code_object(objects, wire->name, wire->kind);
		objects->items[id].key = key;
		map_put(&objects->by_key, key, (void *)(uintptr_t)id);
	}
	serial = objects->items[id].wire.serial;
	objects->items[id].wire = *wire;
	objects->items[id].wire.serial = serial;
	return id;
}

uint32_t objects_intern_module(struct code_objects *objects, const char *name)
{
	const struct wire_object wire = {.kind = SYMBOL_OBJECT_MODULE, .name = name};

	return objects_intern(objects, hash_text(wire.kind, name), &wire);
}

uint32_t objects_intern_function(struct code_objects *objects, const char *name, bool is_bpf)
{
	const struct wire_object wire = {.kind = SYMBOL_OBJECT_MODULE, .name = name};
	const uint64_t key = hash_mix(hash_text(wire.kind, name), is_bpf ? 2 : 1);
	const uint32_t id = objects_intern(objects, key, &wire);

	if (id != OBJECT_UNKNOWN) {
		objects->items[id].is_function = true;
		objects->items[id].is_bpf = is_bpf;
	}
	return id;
}

/* No code of it is asked for. */
uint32_t objects_intern_data(struct code_objects *objects, const char *name)
{
	const struct wire_object wire = {.kind = SYMBOL_OBJECT_UNKNOWN, .name = name};

	return objects_intern(objects, hash_mix(hash_text(wire.kind, name), 3), &wire);
}

/* --- ranges */

uint32_t object_find(const struct code_object *object, uint64_t address)
{
	size_t before =
		array_not_above(object->ranges, object->sorted, sizeof(*object->ranges), address);

	return before > 0 && address < object->ranges[before - 1].end
		       ? object->ranges[before - 1].id
		       : SYMBOL_NONE;
}

void object_add_range(struct code_object *object, const struct object_range *range)
{
	array_reserve(&object->ranges, &object->range_capacity, object->range_count + 1,
		      sizeof(*object->ranges));
	object->ranges[object->range_count++] = *range;
}

static int compare_object_ranges(const void *a, const void *b)
{
	const struct object_range *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

/* Addresses asked for together often share a range. */
static size_t drop_equal(struct object_range *ranges, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (kept == 0 || ranges[kept - 1].start != ranges[i].start)
			ranges[kept++] = ranges[i];
	return kept;
}

void object_sort(struct code_object *object)
{
	size_t new_count = object->range_count - object->sorted;
	struct object_range *added;

	if (new_count == 0)
		return;
	added = xcalloc(new_count, sizeof(*added));
	memcpy(added, object->ranges + object->sorted, new_count * sizeof(*added));
	qsort(added, new_count, sizeof(*added), compare_object_ranges);
	for (size_t to = object->range_count, old = object->sorted, new = new_count; new > 0;) {
		bool is_old = old > 0 && object->ranges[old - 1].start > added[new - 1].start;

		object->ranges[--to] = is_old ? object->ranges[--old] : added[--new];
	}
	free(added);
	object->range_count = drop_equal(object->ranges, object->range_count);
	object->sorted = object->range_count;
}

void object_forget_ranges(struct code_object *object)
{
	object->range_count = object->sorted = 0;
}

/* --- memory */

void objects_forget_names(struct code_objects *objects)
{
	objects->named = 0;
	for (uint32_t id = 1; id < objects->bound; id++) {
		struct code_object *object = &objects->items[id];

		object->is_named = false;
		if (id <= OBJECT_KERNEL || object->functions.is_queued || object->lines.is_queued)
			objects_note_named(objects, id);
	}
}

static void forget_ranges(struct code_object *object, const struct entries *entries)
{
	size_t kept = 0;

	for (size_t i = 0; i < object->range_count; i++)
		if (entries_get(entries, object->ranges[i].id)->name)
			object->ranges[kept++] = object->ranges[i];
	object->range_count = object->sorted = kept;
	array_shrink(&object->ranges, &object->range_capacity, kept, sizeof(*object->ranges));
}

void objects_forget_rest(struct code_objects *objects, const struct entries *entries)
{
	for (uint32_t id = 1; id < objects->bound; id++) {
		struct code_object *object = &objects->items[id];

		if (object->is_named || object->mappings > 0)
			forget_ranges(object, entries);
		else if (object->name)
			drop_object(objects, id);
	}
}
