/*
 * Turns the helper's replies into mappings, functions, lines and listings, and settles the
 * addresses that wait for them.
 */
#include <string.h>

#include "base/text.h"
#include "kernel/decode.h"

#include "symbol/inside.h"

enum {
	MISSES_MAX = 1 << 12,
	LISTING_BYTES_MAX = 32 << 20,
	SAFE_BYTES = 4 * WIRE_NAME_BYTES + 1 /* of a text in which each byte became \xNN */
};

/* --- names */

/* Makes a text safe to show; what is too long is cut and ends in "...". */
static const char *make_harmless(char text[static SAFE_BYTES], const char *raw)
{
	size_t length = text_safe(text, SAFE_BYTES, raw, false);

	if (length < SYMBOL_NAME_MAX)
		return text;
	length = SYMBOL_NAME_MAX - sizeof("...");
	while (((unsigned char)text[length] & 0xc0) == 0x80) /* not within a character */
		length--;
	memcpy(text + length, "...", sizeof("..."));
	return text;
}

static uint32_t function_id(struct symbols *symbols, uint32_t object,
			    const struct address_answer *answer)
{
	char name[SAFE_BYTES];

	if (answer->module)
		object = objects_intern_module(&symbols->objects, answer->module);
	objects_note_named(&symbols->objects, object);
	if (!answer->name)
		return symbols_unknown(symbols, object,
				       answer->reason != SYMBOL_REASON_NONE
					       ? answer->reason
					       : SYMBOL_REASON_NO_SYMBOL);
	return entries_intern(&symbols->entries, &(struct symbol){
							 .name = make_harmless(name, answer->name),
							 .object = object,
							 .start = answer->function_start,
							 .end = answer->function_end,
							 .state = SYMBOL_FOUND,
						 });
}

/*
 * Entries from the outer function inwards, each inlined in the one before. Returns the innermost;
 * the function itself if there is no room.
 */
static uint32_t line_id(struct symbols *symbols, uint32_t function,
			const struct address_answer *answer)
{
	const uint32_t object = entries_get(&symbols->entries, function)->object;
	char name[SAFE_BYTES], file[SAFE_BYTES];
	uint32_t id = SYMBOL_NONE;

	for (size_t i = answer->line_count; i-- > 0;) {
		const struct answer_line *line = &answer->lines[i];
		struct symbol symbol = {
			.file = make_harmless(file, line->file),
			.object = object,
			.line = line->line,
			.inlined_in = id,
			.function = function,
			.state = SYMBOL_FOUND,
		};

		if (line->function) {
			symbol.name = make_harmless(name, line->function);
			/* one id, wherever in the object it is inlined */
			symbol.inlined =
				entries_intern(&symbols->entries, &(struct symbol){
									  .name = name,
									  .object = object,
									  .is_inlined = true,
									  .state = SYMBOL_FOUND,
								  });
		}
		if (!symbol.name)
			symbol.name = entries_get(&symbols->entries, function)->name;
		id = entries_intern(&symbols->entries, &symbol);
		if (id == symbols->entries.crowded)
			return function;
	}
	return id;
}

/* --- functions and lines */

/* Settles the next address of the flight. */
static void answer_next(struct symbols *symbols, const struct address_answer *answer)
{
	struct flight *flight = &symbols->flight;
	struct code_object *object = objects_get(&symbols->objects, flight->job.object);
	const bool may_change = object->wire.kind == SYMBOL_OBJECT_JIT && !answer->name;
	const uint32_t waiting =
		entries_take_waiting(&symbols->entries, symbols_list_of(symbols, &flight->job));
	const uint64_t address = symbols->entries.items[waiting].address;
	uint32_t id = function_id(symbols, flight->job.object, answer);

	flight->left--;
	flight->has_name |= answer->name != NULL;
	object = objects_get(&symbols->objects, flight->job.object); /* interning may move it */
	if (id != symbols->entries.crowded && answer->start <= address && address < answer->end &&
	    !may_change)
		object_add_range(object, &(struct object_range){answer->start, answer->end, id});
	if (flight->job.what == WIRE_LINES && answer->line_count > 0)
		id = line_id(symbols, id, answer);
	if (flight->job.object == OBJECT_KERNEL)
		id = symbols_in_module(symbols, id, address);
	symbols_settle(symbols, waiting, id);
}

static void take_answers(struct symbols *symbols, struct codec *wire)
{
	const struct wire_facts *facts = &symbols->head.facts;
	struct flight *flight = &symbols->flight;
	struct code_object *object = objects_get(&symbols->objects, flight->job.object);

	if (object->facts.version != facts->version) /* earlier answers may be wrong */
		object_forget_ranges(object);
	object->facts = *facts;
	object->has_no_lines |= facts->has_no_lines;
	while (wire->at < wire->end && flight->left > 0) {
		struct address_answer answer = {0};

		wire_answer(wire, &answer);
		if (wire->has_failed)
			return;
		answer_next(symbols, &answer);
	}
}

/* Addresses without an answer get none. */
static void end_answers(struct symbols *symbols, enum symbol_reason reason)
{
	struct flight *flight = &symbols->flight;
	struct code_object *object;

	while (flight->left > 0)
		answer_next(symbols, &(struct address_answer){.end = UINT64_MAX, .reason = reason});
	object = objects_get(&symbols->objects, flight->job.object);
	object_sort(object);
	if (object->wire.kind != SYMBOL_OBJECT_JIT)
		return;
	/* each reply without a name doubles how many addresses are not asked for */
	object->misses = flight->has_name ? 0 : object->misses * 2 + 1;
	if (object->misses > MISSES_MAX)
		object->misses = MISSES_MAX;
	object->skips = object->misses;
}

/* --- mappings */

/* Looks up the waiting addresses in the mappings known now. */
static void place_waiting(struct symbols *symbols, struct process *process)
{
	struct waiting_list waiting = process->waiting;
	uint32_t id;

	process->waiting = (struct waiting_list){0};
	while ((id = entries_take_waiting(&symbols->entries, &waiting)) != SYMBOL_NONE)
		symbols_place(symbols, process, id);
}

void answers_give_up(struct symbols *symbols, struct process *process)
{
	process->reason = SYMBOL_REASON_PROCESS_GONE;
	place_waiting(symbols, process);
	process->reason = SYMBOL_REASON_NONE;
}

static void take_mappings(struct symbols *symbols, struct codec *wire)
{
	struct process *process = symbols_process_of(symbols, &symbols->flight.job);

	if (!process)
		return;
	process->reason = symbols->head.facts.reason;
	while (wire->at < wire->end) {
		struct decoded_mmap mapping = {0};

		wire_mapping(wire, &mapping);
		if (wire->has_failed)
			return;
		symbols_add_mapping(symbols, process, &mapping);
	}
}

static void end_mappings(struct symbols *symbols, enum symbol_reason reason)
{
	struct process *process = symbols_process_of(symbols, &symbols->flight.job);

	if (process && reason != SYMBOL_REASON_NO_SYMBOL)
		process->reason = reason;
	if (process)
		place_waiting(symbols, process);
}

/* --- the code of a function */

/* Drops parts beyond the limit, and all after a malformed one. */
static void take_code_parts(struct symbols *symbols, struct codec *wire)
{
	struct wanted_listing *listing = &symbols->listing;
	char text[SAFE_BYTES];

	if (symbols->flight.job.program != listing->number)
		return;
	listing->reason = symbols->head.facts.reason;
	while (wire->at < wire->end && listing->parts.length < LISTING_BYTES_MAX) {
		struct code_part part = {0};

		wire_part(wire, &part);
		if (wire->has_failed)
			return;
		part.text = make_harmless(text, part.text);
		wire_part(&(struct codec){.to = &listing->parts}, &part);
	}
}

static void end_listing(struct symbols *symbols, enum symbol_reason reason)
{
	struct wanted_listing *listing = &symbols->listing;

	if (symbols->flight.job.program != listing->number)
		return;
	if (reason != SYMBOL_REASON_NO_SYMBOL)
		listing->reason = reason;
	listing->state = listing->parts.length > 0 ? SYMBOL_FOUND : SYMBOL_UNKNOWN;
	symbols->has_changed = true;
}

/* --- stacks */

static void take_frames(struct symbols *symbols, struct codec *wire)
{
	struct flight *flight = &symbols->flight;

	while (flight->frame_count < flight->frame_max && wire->at < wire->end && !wire->has_failed)
		flight->frames[flight->frame_count++] = codec_u64(wire);
	if (wire->has_failed)
		flight->frame_count = 0;
}

/* If the helper dies or hangs on a stack, no stack of that process is unwound again. */
static void end_unwind(struct symbols *symbols, enum symbol_reason reason)
{
	struct process *process = symbols_process_of(symbols, &symbols->flight.job);

	process->is_not_unwound = reason == SYMBOL_REASON_TOO_COSTLY;
	symbols->not_unwound += reason != SYMBOL_REASON_NO_SYMBOL;
}

/* --- what a reply is, by the kind of the job */

static const struct {
	void (*take)(struct symbols *symbols, struct codec *wire);
	void (*end)(struct symbols *symbols, enum symbol_reason reason);
} replies[] = {
	[WIRE_MAPS] = {take_mappings, end_mappings},
	[WIRE_FUNCTIONS] = {take_answers, end_answers},
	[WIRE_LINES] = {take_answers, end_answers},
	[WIRE_LISTING] = {take_code_parts, end_listing},
	[WIRE_UNWIND] = {take_frames, end_unwind},
};

void answers_take(struct symbols *symbols, struct codec *wire)
{
	replies[symbols->flight.job.what].take(symbols, wire);
}

void answers_end(struct symbols *symbols, enum symbol_reason reason)
{
	replies[symbols->flight.job.what].end(symbols, reason);
}
