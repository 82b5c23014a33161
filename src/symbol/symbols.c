/*
 * An address is looked for in the mappings of its process, which say the object, and in the ranges
 * of that object that are known. What is not known there becomes an entry of its own and waits: for
 * the mappings of its process (waiting), or for the symbols of its object (functions, lines).
 * asking.c asks, answers.c takes the answers.
 */
#include "symbol/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#include "symbol/inside.h"

enum {
	SYMBOLS_USUAL = 1 << 18,
	PROCESSES_USUAL = 1 << 14,
	PATIENCE_MS = 60000
};

struct symbols *symbols_create(const struct symbols_options *options)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->options = *options;
	if (options->patience_ms == 0)
		symbols->options.patience_ms = PATIENCE_MS;
	symbols->mappings.max = options->process_max > 0 ? options->process_max : PROCESSES_USUAL;
	symbols->answer = xcalloc(1, WIRE_PACKET_BYTES);
	objects_init(&symbols->objects, options->is_live);
	entries_init(&symbols->entries,
		     options->symbol_max > 0 ? options->symbol_max : SYMBOLS_USUAL, OBJECT_UNKNOWN);
	helper_init(&symbols->helper);
	return symbols;
}

void symbols_destroy(struct symbols *symbols)
{
	if (!symbols)
		return;
	helper_fini(&symbols->helper);
	mappings_fini(&symbols->mappings);
	objects_fini(&symbols->objects);
	entries_fini(&symbols->entries);
	map_fini(&symbols->by_address);
	free(symbols->quick.jobs);
	free(symbols->slow.jobs);
	strbuf_fini(&symbols->packet);
	strbuf_fini(&symbols->listing.parts);
	free(symbols->answer);
	free(symbols);
}

const char *symbol_reason_text(enum symbol_reason reason)
{
	static const char *const texts[] = {
#define REASON(name, text) [SYMBOL_REASON_##name] = text,
#include "symbol/reason.def"
#undef REASON
	};

	return texts[reason];
}

/* --- addresses */

uint32_t symbols_unknown(struct symbols *symbols, uint32_t object, enum symbol_reason reason)
{
	return entries_intern(&symbols->entries, &(struct entry){
							 .name = "[unknown]",
							 .object = object,
							 .state = SYMBOL_UNKNOWN,
							 .reason = reason,
						 });
}

void symbols_settle(struct symbols *symbols, const struct asked *asked, uint32_t into)
{
	entries_merge(&symbols->entries, asked->id, into);
	symbols->pending--;
	symbols->has_changed |= entries_get(&symbols->entries, asked->id)->is_awaited;
}

static uint64_t hash_address(uint64_t space, uint64_t address, bool is_line)
{
	return hash_mix(hash_mix(hash_mix(0, space), address), is_line);
}

/* What waits for this address, or what it was found to be. */
static uint32_t find_asked(const struct symbols *symbols, uint64_t key)
{
	uint32_t id = (uint32_t)(uintptr_t)map_get(&symbols->by_address, key);

	return id != SYMBOL_NONE ? entries_resolve(&symbols->entries, id) : SYMBOL_NONE;
}

static bool is_pending(const struct symbols *symbols, uint32_t id)
{
	return entries_get(&symbols->entries, id)->state == SYMBOL_PENDING;
}

/* An id for an address that waits from now on; SYMBOL_NONE: no room. */
static uint32_t add_pending(struct symbols *symbols, uint64_t key, uint32_t object,
			    uint64_t address)
{
	char name[32];
	uint32_t id;

	snprintf(name, sizeof(name), "0x%" PRIx64, address);
	id = entries_add(&symbols->entries, &(struct entry){
						    .name = name,
						    .object = object,
						    .state = SYMBOL_PENDING,
					    });
	if (id == SYMBOL_NONE)
		return id;
	map_put(&symbols->by_address, key, (void *)(uintptr_t)id);
	symbols->pending++;
	return id;
}

static bool is_power_of_two(uint32_t number)
{
	return (number & (number - 1)) == 0;
}

/* Why it is not worth asking for an address of this object; NONE: it is. */
static enum symbol_reason why_not_ask(struct object *object)
{
	if (object->wire.kind == SYMBOL_OBJECT_UNKNOWN)
		return SYMBOL_REASON_NO_SYMBOL;
	if (object->is_refused)
		return SYMBOL_REASON_TOO_COSTLY;
	if (object->skips == 0)
		return SYMBOL_REASON_NONE;
	object->skips--;
	return object->facts.reason != SYMBOL_REASON_NONE ? object->facts.reason
							  : SYMBOL_REASON_NO_SYMBOL;
}

/* Where an address is mapped. */
struct place {
	int32_t pid;
	const struct mapping *mapping; /* NULL: it is the kernel's */
	uint32_t object;
	uint64_t at; /* in its numbers */
};

/* Where the helper may find what is asked for now. */
static void note_place(struct object *object, const struct place *place)
{
	if (!place->mapping || object->wire.kind == SYMBOL_OBJECT_JIT)
		return;
	object->wire.pid = place->pid;
	object->wire.start = place->mapping->start;
	object->wire.end = place->mapping->end;
}

/* The id if it is known or waits already; NONE: it is worth asking. */
static uint32_t find_known(struct symbols *symbols, const struct place *place)
{
	struct object *object = objects_get(&symbols->objects, place->object);
	enum symbol_reason reason;
	uint32_t id = object_find(object, place->at);

	objects_note_asked(&symbols->objects, place->object);
	if (id == SYMBOL_NONE)
		id = find_asked(symbols, hash_address(place->object, place->at, false));
	/* Where code is made all the time, what was unknown may be known now. */
	if (object->wire.kind == SYMBOL_OBJECT_JIT && id != SYMBOL_NONE &&
	    entries_get(&symbols->entries, id)->state == SYMBOL_UNKNOWN)
		id = SYMBOL_NONE;
	if (id != SYMBOL_NONE)
		return id;
	reason = why_not_ask(object);
	return reason == SYMBOL_REASON_NONE ? SYMBOL_NONE
					    : symbols_unknown(symbols, place->object, reason);
}

static uint32_t find_in_place(struct symbols *symbols, const struct place *place,
			      const struct symbol_address *address)
{
	struct object *object = objects_get(&symbols->objects, place->object);
	uint32_t id = find_known(symbols, place);

	if (id != SYMBOL_NONE)
		return id;
	id = add_pending(symbols, hash_address(place->object, place->at, false), place->object,
			 address->address);
	if (id == SYMBOL_NONE)
		return symbols->entries.crowded;
	entries_get(&symbols->entries, id)->at = place->at;
	note_place(object, place);
	ask_for_symbol(symbols, place->object, &(struct asked){place->at, id});
	return id;
}

static struct place place_of(const struct process *process, const struct mapping *mapping,
			     uint64_t address)
{
	return (struct place){
		.pid = process->pid,
		.mapping = mapping,
		.object = mapping->object,
		.at = address - mapping->start + mapping->at,
	};
}

static enum symbol_reason why_unmapped(const struct process *process, uint64_t address)
{
	if (process->reason != SYMBOL_REASON_NONE)
		return process->reason;
	return process_find(process, address) ? SYMBOL_REASON_CROWDED : SYMBOL_REASON_NO_MAPPING;
}

void symbols_place(struct symbols *symbols, const struct process *process,
		   const struct asked *asked)
{
	const struct mapping *mapping = symbols_find_mapping(symbols, process, asked->address);
	struct asked there = *asked;
	struct place place;
	uint32_t id;

	if (!mapping) {
		symbols_settle(symbols, asked,
			       symbols_unknown(symbols, OBJECT_UNKNOWN,
					       why_unmapped(process, asked->address)));
		return;
	}
	place = place_of(process, mapping, asked->address);
	there.address = place.at;
	entries_get(&symbols->entries, asked->id)->at = place.at;
	id = find_known(symbols, &place);
	if (id != SYMBOL_NONE) {
		symbols_settle(symbols, asked, id);
		return;
	}
	entries_get(&symbols->entries, asked->id)->object = place.object;
	map_put(&symbols->by_address, hash_address(place.object, place.at, false),
		(void *)(uintptr_t)asked->id);
	note_place(objects_get(&symbols->objects, place.object), &place);
	ask_for_symbol(symbols, place.object, &there);
}

/*
 * Whether the mappings of a process are to be read again for an address that none covers: now and
 * then. Callers are often none, in code without frame pointers, so they are not worth it where
 * mappings are known.
 */
static bool is_worth_maps(const struct symbols *symbols, struct process *process,
			  const struct symbol_address *address)
{
	if (process->waiting.is_queued)
		return true;
	if (!symbols->options.is_live || (address->is_return && process->count > 0))
		return false;
	return is_power_of_two(++process->misses);
}

static uint32_t find_unmapped(struct symbols *symbols, struct process *process,
			      const struct symbol_address *address)
{
	uint64_t key = hash_address((uint64_t)address->pid << 32, address->address, false);
	uint32_t id = find_asked(symbols, key);

	if (id != SYMBOL_NONE && is_pending(symbols, id))
		return id;
	if (!is_worth_maps(symbols, process, address))
		return symbols_unknown(symbols, OBJECT_UNKNOWN,
				       why_unmapped(process, address->address));
	id = add_pending(symbols, key, OBJECT_UNKNOWN, address->address);
	if (id == SYMBOL_NONE)
		return symbols->entries.crowded;
	ask_for_maps(symbols, process, &(struct asked){address->address, id});
	return id;
}

static uint32_t find_in_process(struct symbols *symbols, const struct symbol_address *address,
				uint64_t *at)
{
	struct process *process;
	const struct mapping *mapping;
	struct place place;

	*at = 0;
	if (address->pid == PROCESS_OUTSIDE)
		return symbols_unknown(symbols, OBJECT_UNKNOWN, SYMBOL_REASON_OUTSIDE);
	process = mappings_get(&symbols->mappings, address->pid);
	mapping = symbols_find_mapping(symbols, process, address->address);
	if (!mapping)
		return find_unmapped(symbols, process, address);
	place = place_of(process, mapping, address->address);
	*at = place.at;
	return find_in_place(symbols, &place, address);
}

uint32_t symbols_find(struct symbols *symbols, const struct symbol_address *address, uint64_t *at)
{
	struct symbol_address asked = *address;

	if (asked.is_return && asked.address > 0)
		asked.address--;
	if (!asked.is_kernel)
		return find_in_process(symbols, &asked, at);
	*at = asked.address;
	return symbols_in_module(
		symbols,
		find_in_place(symbols,
			      &(struct place){.object = OBJECT_KERNEL, .at = asked.address},
			      &asked),
		asked.address);
}

static bool has_lines(const struct object *object)
{
	return !object->has_no_lines && !object->is_refused &&
	       (object->wire.kind == SYMBOL_OBJECT_FILE || object->wire.kind == SYMBOL_OBJECT_VDSO);
}

uint32_t symbols_find_line(struct symbols *symbols, uint32_t function, uint64_t at)
{
	const uint32_t whole = entries_resolve(&symbols->entries, function);
	const uint32_t object = entries_get(&symbols->entries, whole)->object;
	const uint64_t key = hash_address(object, at, true);
	uint32_t id;

	if (entries_get(&symbols->entries, whole)->state != SYMBOL_FOUND || at == 0 ||
	    !has_lines(objects_get(&symbols->objects, object)))
		return whole;
	id = find_asked(symbols, key);
	if (id != SYMBOL_NONE)
		return id;
	id = add_pending(symbols, key, object, at);
	if (id == SYMBOL_NONE)
		return whole;
	entries_get(&symbols->entries, id)->function = whole;
	ask_for_line(symbols, object, &(struct asked){at, id});
	return id;
}

/* --- the code of one function */

enum symbol_state symbols_list(struct symbols *symbols, uint32_t function,
			       enum symbol_reason *reason)
{
	struct wanted_listing *listing = &symbols->listing;
	const uint32_t id = entries_resolve(&symbols->entries, function);
	const struct entry *entry = entries_get(&symbols->entries, id);

	*reason = entry->reason;
	if (entry->state != SYMBOL_FOUND)
		return entry->state;
	if (listing->function != id) {
		strbuf_fini(&listing->parts);
		listing->function = id;
		listing->number++;
		listing->state = SYMBOL_PENDING;
		listing->reason = SYMBOL_REASON_NONE;
		ask_for_listing(symbols, entry->object);
	}
	*reason = listing->reason;
	return listing->state;
}

bool symbols_next_part(const struct symbols *symbols, size_t *cursor, struct code_part *part)
{
	const struct strbuf *parts = &symbols->listing.parts;
	struct wire wire = {.at = parts->text + *cursor, .end = parts->text + parts->length};

	if (*cursor >= parts->length)
		return false;
	*part = (struct code_part){0};
	wire_part(&wire, part);
	*cursor = (size_t)(wire.at - parts->text);
	return !wire.has_failed;
}

/* --- what is known */

struct symbol symbol_get(const struct symbols *symbols, uint32_t id)
{
	const uint32_t same_as = entries_resolve(&symbols->entries, id);
	struct entry *entry = entries_get(&symbols->entries, same_as);

	entry->is_awaited |= entry->state == SYMBOL_PENDING;
	return (struct symbol){
		.name = entry->name,
		.same_as = same_as,
		.object = entry->object,
		.state = entry->state,
		.reason = entry->reason,
		.file = entry->file,
		.line = entry->line,
		.inlined_in = entry->inlined_in,
		.inlined = entry->inlined,
		.is_inlined = entry->is_inlined,
		.function = entry->function != SYMBOL_NONE ? entry->function : same_as,
		.start = entry->start,
		.end = entry->end,
		.at = entries_get(&symbols->entries, id)->at,
	};
}

struct symbol_object symbol_object(const struct symbols *symbols, uint32_t id)
{
	const struct object *object = objects_get(&symbols->objects, id);
	struct symbol_object result = {
		.name = object->name,
		.short_name = object->short_name,
		.kind = object->wire.kind,
		.is_deleted = object->facts.is_deleted,
		.reason = object->facts.reason,
		.build_id_size = object->facts.build_id_size,
	};

	memcpy(result.build_id, object->facts.build_id, sizeof(result.build_id));
	return result;
}

uint32_t symbols_pending(const struct symbols *symbols)
{
	return symbols->pending;
}

/* --- memory */

bool symbols_are_crowded(const struct symbols *symbols)
{
	return symbols->entries.count > symbols->entries.max / 4 * 3 ||
	       symbols->objects.asked > OBJECTS_MAX / 4 * 3;
}

void symbols_keep(struct symbols *symbols, uint32_t id)
{
	entries_keep(&symbols->entries, id);
}

static bool is_gone(uint32_t id, void *context)
{
	const struct symbols *symbols = context;

	return !entries_get(&symbols->entries, id)->name;
}

static void keep_asked(struct symbols *symbols, const struct asked_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		entries_keep(&symbols->entries, list->items[i].id);
}

static void keep_what_waits(struct symbols *symbols)
{
	for (uint32_t id = 1; id < symbols->objects.bound; id++) {
		keep_asked(symbols, &symbols->objects.items[id].functions);
		keep_asked(symbols, &symbols->objects.items[id].lines);
	}
	for (const struct map_slot *each = NULL;
	     (each = map_next(&symbols->mappings.by_pid, each));)
		keep_asked(symbols, &((struct process *)each->value)->waiting);
	for (size_t i = symbols->flight.answered;
	     symbols->flight.is_on && i < symbols->flight.count; i++)
		entries_keep(&symbols->entries, symbols->flight.asked[i].id);
	entries_keep(&symbols->entries, symbols->listing.function);
}

static void keep_objects(struct symbols *symbols)
{
	for (uint32_t id = SYMBOL_NONE + 1; id < symbols->entries.bound; id++)
		if (symbols->entries.items[id].name)
			objects_keep(&symbols->objects, symbols->entries.items[id].object);
	for (const struct map_slot *each = NULL;
	     (each = map_next(&symbols->mappings.by_pid, each));) {
		const struct process *process = each->value;

		for (size_t i = 0; i < process->count; i++)
			objects_keep_mapped(&symbols->objects, process->mappings[i].object,
					    process->mappings[i].serial);
	}
	if (symbols->flight.is_on && symbols->flight.job.kind != JOB_MAPS)
		objects_keep(&symbols->objects, symbols->flight.job.object);
}

static void forget_addresses(struct symbols *symbols)
{
	struct map kept = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&symbols->by_address, each));)
		if (!is_gone((uint32_t)(uintptr_t)each->value, symbols))
			map_put(&kept, each->key, each->value);
	map_fini(&symbols->by_address);
	symbols->by_address = kept;
}

void symbols_forget_rest(struct symbols *symbols)
{
	keep_what_waits(symbols);
	entries_forget_rest(&symbols->entries);
	keep_objects(symbols);
	objects_forget_rest(&symbols->objects, is_gone, symbols);
	forget_addresses(symbols);
}
