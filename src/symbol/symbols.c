/*
 * An address is looked up in the mappings of its process, which give the object, then in the known
 * ranges of that object. An address not found gets an entry of its own and waits for the mappings
 * of its process (waiting) or for the symbols of its object (functions, lines). asking.c sends
 * requests, answers.c handles replies.
 */
#include "symbol/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>

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
	symbols->mappings.objects = &symbols->objects;
	symbols->mappings.max = options->process_max > 0 ? options->process_max : PROCESSES_USUAL;
	symbols->data = symbols->mappings;
	symbols->answer = xcalloc(1, WIRE_PACKET_BYTES);
	objects_init(&symbols->objects, options->is_live);
	entries_init(&symbols->entries,
		     options->symbol_max > 0 ? options->symbol_max : SYMBOLS_USUAL);
	symbols->helper = (struct helper){.fd = -1, .epoll = epoll_create1(EPOLL_CLOEXEC)};
	return symbols;
}

void symbols_destroy(struct symbols *symbols)
{
	if (!symbols)
		return;
	symbols_stop_helper(symbols);
	if (symbols->helper.epoll >= 0)
		close(symbols->helper.epoll);
	symbols_unmap_all(symbols);
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
	objects_note_named(&symbols->objects, object);
	return entries_intern(&symbols->entries, &(struct symbol){
							 .name = "[unknown]",
							 .object = object,
							 .state = SYMBOL_UNKNOWN,
							 .reason = reason,
						 });
}

void symbols_settle(struct symbols *symbols, uint32_t id, uint32_t into)
{
	entries_merge(&symbols->entries, id, into);
	symbols->pending--;
	symbols->has_changed |= symbols->entries.items[id].is_awaited;
}

static uint64_t hash_address(uint64_t space, uint64_t address, bool is_line)
{
	return hash_mix(hash_mix(hash_mix(0, space), address), is_line);
}

/* The id that waits for this address, or what it turned out to be. */
static uint32_t find_asked(const struct symbols *symbols, uint64_t key)
{
	uint32_t id = (uint32_t)(uintptr_t)map_get(&symbols->by_address, key);

	return id != SYMBOL_NONE ? entries_resolve(&symbols->entries, id) : SYMBOL_NONE;
}

static enum symbol_state state_of_id(const struct symbols *symbols, uint32_t id)
{
	return entries_get(&symbols->entries, id)->state;
}

/* A pending id for an address; SYMBOL_NONE: no room. */
static uint32_t add_pending(struct symbols *symbols, uint32_t object, uint64_t address)
{
	char name[32];
	uint32_t id;

	snprintf(name, sizeof(name), "0x%" PRIx64, address);
	id = entries_add(&symbols->entries, &(struct symbol){
						    .name = name,
						    .object = object,
						    .state = SYMBOL_PENDING,
					    });
	symbols->pending += id != SYMBOL_NONE;
	return id;
}

static void ask_and_remember(struct symbols *symbols, const struct symbol_job *job, uint64_t key,
			     uint32_t id, uint64_t address)
{
	map_put(&symbols->by_address, key, (void *)(uintptr_t)id);
	symbols_ask(symbols, job, id, address);
}

/* Why not to ask for an address of this object; NONE: ask. */
static enum symbol_reason why_not_ask(struct code_object *object)
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

/* The id if it is known, pending, or not worth asking for; NONE: ask. */
static uint32_t find_known(struct symbols *symbols, uint32_t object_id, uint64_t at)
{
	struct code_object *object = objects_get(&symbols->objects, object_id);
	enum symbol_reason reason;
	uint32_t id = object_find(object, at);

	objects_note_named(&symbols->objects, object_id);
	if (id == SYMBOL_NONE)
		id = find_asked(symbols, hash_address(object_id, at, false));
	/* code made at run time may have been named meanwhile */
	if (id != SYMBOL_NONE &&
	    (object->wire.kind != SYMBOL_OBJECT_JIT || state_of_id(symbols, id) != SYMBOL_UNKNOWN))
		return id;
	reason = why_not_ask(object);
	return reason == SYMBOL_REASON_NONE ? SYMBOL_NONE
					    : symbols_unknown(symbols, object_id, reason);
}

/* The entry waits for the symbols of its object. */
static void ask_for_function(struct symbols *symbols, uint32_t object, uint64_t at, uint32_t id)
{
	struct symbol *symbol = entries_get(&symbols->entries, id);

	symbol->object = object;
	symbol->at = at;
	ask_and_remember(symbols, &(struct symbol_job){.what = WIRE_FUNCTIONS, .object = object},
			 hash_address(object, at, false), id, at);
}

static uint32_t find_in_object(struct symbols *symbols, uint32_t object, uint64_t at,
			       uint64_t address)
{
	uint32_t id = find_known(symbols, object, at);

	if (id != SYMBOL_NONE)
		return id;
	id = add_pending(symbols, object, address);
	if (id == SYMBOL_NONE)
		return symbols->entries.crowded;
	ask_for_function(symbols, object, at, id);
	return id;
}

/*
 * The mapping of an address; NULL and *reason: there is none, or no room for its object. Data are
 * behind the code of their file, and as far from it in memory as in the addresses of its symbols.
 */
static const struct mapping *find_mapping(const struct process *process, uint64_t address,
					  bool is_data, enum symbol_reason *reason)
{
	const struct mapping *mapping =
		is_data ? process_find_below(process, address) : process_find(process, address);

	*reason = process->reason;
	if (*reason == SYMBOL_REASON_NONE)
		*reason = mapping ? SYMBOL_REASON_CROWDED : SYMBOL_REASON_NO_MAPPING;
	return mapping && mapping->object != OBJECT_UNKNOWN ? mapping : NULL;
}

void symbols_place(struct symbols *symbols, const struct process *process, uint32_t id)
{
	const uint64_t address = symbols->entries.items[id].address;
	enum symbol_reason reason;
	const struct mapping *mapping =
		find_mapping(process, address, symbols->entries.items[id].is_data, &reason);
	uint32_t known;
	uint64_t at;

	if (!mapping) {
		symbols_settle(symbols, id, symbols_unknown(symbols, OBJECT_UNKNOWN, reason));
		return;
	}
	at = address - mapping->start + mapping->at;
	entries_get(&symbols->entries, id)->at = at;
	object_note_mapping(objects_get(&symbols->objects, mapping->object), process, mapping);
	known = find_known(symbols, mapping->object, at);
	if (known != SYMBOL_NONE)
		symbols_settle(symbols, id, known);
	else
		ask_for_function(symbols, mapping->object, at, id);
}

/*
 * Whether to read the mappings of a process again for an address that none covers: at the 1st, 2nd,
 * 4th, ... such address. Not for callers if any mapping is known: without frame pointers they are
 * often no addresses at all.
 */
static bool is_worth_maps(const struct symbols *symbols, struct process *process,
			  const struct symbol_address *address)
{
	if (process->waiting.is_queued)
		return true;
	if (!symbols->options.is_live || (address->is_return && process->count > 0))
		return false;
	process->misses++;
	return (process->misses & (process->misses - 1)) == 0;
}

static uint32_t find_in_process(struct symbols *symbols, const struct symbol_address *address,
				uint64_t *at)
{
	const uint64_t key = hash_address((uint64_t)address->pid << 32, address->address, false);
	struct process *process = mappings_get(&symbols->mappings, address->pid);
	enum symbol_reason reason;
	const struct mapping *mapping =
		find_mapping(process, address->address, address->is_data, &reason);
	uint32_t id;

	if (mapping) {
		*at = address->address - mapping->start + mapping->at;
		object_note_mapping(objects_get(&symbols->objects, mapping->object), process,
				    mapping);
		return find_in_object(symbols, mapping->object, *at, address->address);
	}
	id = find_asked(symbols, key);
	if (id != SYMBOL_NONE && state_of_id(symbols, id) == SYMBOL_PENDING)
		return id;
	if (!is_worth_maps(symbols, process, address))
		return symbols_unknown(symbols, OBJECT_UNKNOWN, reason);
	id = add_pending(symbols, OBJECT_UNKNOWN, address->address);
	if (id == SYMBOL_NONE)
		return symbols->entries.crowded;
	symbols->entries.items[id].is_data = address->is_data;
	ask_and_remember(symbols,
			 &(struct symbol_job){.what = WIRE_MAPS,
					      .pid = process->pid,
					      .program = process->program},
			 key, id, address->address);
	return id;
}

uint32_t symbols_find(struct symbols *symbols, const struct symbol_address *address, uint64_t *at)
{
	struct symbol_address asked = *address;
	uint32_t id;

	if (asked.is_return && asked.address > 0)
		asked.address--;
	*at = 0;
	if (asked.is_kernel) {
		*at = asked.address;
		id = symbols_made_function(symbols, asked.address);
		if (id != SYMBOL_NONE)
			return id;
		id = find_in_object(symbols, OBJECT_KERNEL, asked.address, asked.address);
		return symbols_in_module(symbols, id, asked.address);
	}
	if (asked.pid == PROCESS_OUTSIDE)
		return symbols_unknown(symbols, OBJECT_UNKNOWN, SYMBOL_REASON_OUTSIDE);
	return find_in_process(symbols, &asked, at);
}

static bool may_have_lines(const struct code_object *object)
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

	if (state_of_id(symbols, whole) != SYMBOL_FOUND || at == 0 ||
	    !may_have_lines(objects_get(&symbols->objects, object)))
		return whole;
	id = find_asked(symbols, key);
	if (id != SYMBOL_NONE)
		return id;
	id = add_pending(symbols, object, at);
	if (id == SYMBOL_NONE)
		return whole;
	entries_get(&symbols->entries, id)->function = whole;
	ask_and_remember(symbols, &(struct symbol_job){.what = WIRE_LINES, .object = object}, key,
			 id, at);
	return id;
}

/* --- the code of one function */

enum symbol_state symbols_list(struct symbols *symbols, uint32_t function,
			       enum symbol_reason *reason)
{
	struct wanted_listing *listing = &symbols->listing;
	const uint32_t id = entries_resolve(&symbols->entries, function);
	const struct symbol *symbol = entries_get(&symbols->entries, id);

	*reason = symbol->reason;
	if (symbol->state != SYMBOL_FOUND)
		return symbol->state;
	if (listing->function != id) {
		strbuf_fini(&listing->parts);
		listing->function = id;
		listing->number++;
		listing->state = SYMBOL_PENDING;
		listing->reason = SYMBOL_REASON_NONE;
		symbols_ask(symbols,
			    &(struct symbol_job){
				    .what = WIRE_LISTING,
				    .program = listing->number,
				    .object = symbol->object,
			    },
			    SYMBOL_NONE, 0);
	}
	*reason = listing->reason;
	return listing->state;
}

bool symbols_next_part(const struct symbols *symbols, size_t *cursor, struct code_part *part)
{
	const struct strbuf *parts = &symbols->listing.parts;
	struct codec wire;

	if (*cursor >= parts->length)
		return false;
	wire = codec_of(parts->text + *cursor, parts->length - *cursor);
	*part = (struct code_part){0};
	wire_part(&wire, part);
	*cursor = parts->length - codec_left(&wire);
	return !wire.has_failed;
}

/* --- what is known */

struct symbol symbol_get(const struct symbols *symbols, uint32_t id)
{
	const uint32_t same_as = entries_resolve(&symbols->entries, id);
	struct symbol symbol = *entries_get(&symbols->entries, same_as);

	if (symbol.state == SYMBOL_PENDING)
		symbols->entries.items[same_as].is_awaited = true;
	if (symbol.function == SYMBOL_NONE)
		symbol.function = same_as;
	symbol.at = entries_get(&symbols->entries, id)->at;
	return symbol;
}

struct symbol_object symbol_object(const struct symbols *symbols, uint32_t id)
{
	const struct code_object *object = objects_get(&symbols->objects, id);

	return (struct symbol_object){
		.name = object->name,
		.short_name = object->short_name,
		.kind = object->wire.kind,
		.build_id = object->wire.build_id,
		.build_id_size = object->wire.build_id_size,
		.inode = object->wire.inode,
		.is_deleted = object->facts.is_deleted,
	};
}

uint32_t symbols_pending(const struct symbols *symbols)
{
	return symbols->pending;
}

/* --- memory */

bool symbols_are_crowded(const struct symbols *symbols)
{
	return symbols->entries.count > symbols->entries.max / 4 * 3 ||
	       symbols->objects.named > OBJECTS_MAX / 4 * 3;
}

void symbols_keep(struct symbols *symbols, uint32_t id)
{
	entries_keep(&symbols->entries, id);
}

void symbols_forget_rest(struct symbols *symbols)
{
	struct entries *entries = &symbols->entries;
	struct map kept = {0};

	entries_keep(entries, symbols->listing.function);
	entries_forget_rest(entries);
	objects_forget_names(&symbols->objects);
	for (uint32_t id = SYMBOL_NONE + 1; id < entries->bound; id++)
		if (entries_get(entries, id)->name)
			objects_note_named(&symbols->objects, entries_get(entries, id)->object);
	objects_forget_rest(&symbols->objects, entries);
	for (const struct map_slot *each = NULL; (each = map_next(&symbols->by_address, each));)
		if (entries_get(entries, (uint32_t)(uintptr_t)each->value)->name)
			map_put(&kept, each->key, each->value);
	map_fini(&symbols->by_address);
	symbols->by_address = kept;
}
