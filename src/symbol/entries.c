#include "symbol/entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#include "symbol/objects.h"

void entries_init(struct entries *entries, uint32_t max)
{
	*entries = (struct entries){.bound = SYMBOL_NONE + 1, .max = max, .free = SYMBOL_NONE + 1};
	entries->crowded = entries_add(entries, &(struct symbol){
							.name = "[unknown]",
							.object = OBJECT_UNKNOWN,
							.state = SYMBOL_UNKNOWN,
							.reason = SYMBOL_REASON_CROWDED,
						});
	entries->items[SYMBOL_NONE] = (struct symbol_entry){0};
}

static void release_entry(struct symbol_entry *entry)
{
	free((char *)entry->symbol.name);
	free((char *)entry->symbol.file);
	*entry = (struct symbol_entry){0};
}

void entries_fini(struct entries *entries)
{
	for (uint32_t id = SYMBOL_NONE + 1; id < entries->bound; id++)
		release_entry(&entries->items[id]);
	free(entries->items);
	map_fini(&entries->by_content);
	*entries = (struct entries){0};
}

struct symbol *entries_get(const struct entries *entries, uint32_t id)
{
	return &entries->items[id].symbol;
}

/* A free id; SYMBOL_NONE: there is none. */
static uint32_t take_entry_id(struct entries *entries)
{
	while (entries->free < entries->bound && entries->items[entries->free].symbol.name)
		entries->free++;
	if (entries->free < entries->bound)
		return entries->free++;
	if (entries->bound >= entries->max)
		return SYMBOL_NONE;
	array_reserve(&entries->items, &entries->capacity, (size_t)entries->bound + 1,
		      sizeof(*entries->items));
	entries->free = entries->bound + 1;
	return entries->bound++;
}

uint32_t entries_add(struct entries *entries, const struct symbol *like)
{
	uint32_t id = take_entry_id(entries);
	struct symbol *symbol = &entries->items[id].symbol;

	if (id == SYMBOL_NONE)
		return id;
	entries->items[id] = (struct symbol_entry){.symbol = *like};
	symbol->name = xstrdup(like->name);
	symbol->file = like->file ? xstrdup(like->file) : NULL;
	symbol->same_as = id;
	entries->count++;
	return id;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_symbol(const struct symbol *a, const struct symbol *b)
{
	return a->object == b->object && a->start == b->start && a->line == b->line &&
	       a->is_inlined == b->is_inlined && a->inlined_in == b->inlined_in &&
	       a->function == b->function && a->state == b->state && a->reason == b->reason &&
	       is_same_text(a->name, b->name) && is_same_text(a->file, b->file);
}

static uint64_t hash_of_symbol(const struct symbol *symbol)
{
	uint64_t hash = hash_text(hash_text(symbol->object, symbol->name), symbol->file);

	hash = hash_mix(hash_mix(hash, symbol->start), symbol->line);
	hash = hash_mix(hash_mix(hash, symbol->inlined_in), symbol->function);
	return hash_mix(hash, symbol->reason);
}

/* The key under which it is, or would be, stored: equal hashes take consecutive keys. */
static uint64_t find_key(const struct entries *entries, const struct symbol *like, uint32_t *id)
{
	uint64_t key = hash_of_symbol(like);
	void *found;

	*id = SYMBOL_NONE;
	while ((found = map_get(&entries->by_content, key))) {
		*id = (uint32_t)(uintptr_t)found;
		if (is_same_symbol(&entries->items[*id].symbol, like))
			break;
		*id = SYMBOL_NONE;
		key++;
	}
	return key;
}

uint32_t entries_intern(struct entries *entries, const struct symbol *like)
{
	uint32_t id;
	uint64_t key = find_key(entries, like, &id);

	if (id != SYMBOL_NONE)
		return id;
	id = entries_add(entries, like);
	if (id == SYMBOL_NONE)
		return entries->crowded;
	map_put(&entries->by_content, key, (void *)(uintptr_t)id);
	return id;
}

uint32_t entries_resolve(const struct entries *entries, uint32_t id)
{
	while (entries_get(entries, id)->same_as != id)
		id = entries_get(entries, id)->same_as;
	return id;
}

void entries_merge(struct entries *entries, uint32_t id, uint32_t into)
{
	entries_get(entries, id)->same_as = into;
}

void entries_wait(struct entries *entries, struct waiting_list *list, uint32_t id, uint64_t address)
{
	entries->items[id].address = address;
	entries->items[id].next = SYMBOL_NONE;
	if (list->first == SYMBOL_NONE)
		list->first = id;
	else
		entries->items[list->last].next = id;
	list->last = id;
}

uint32_t entries_take_waiting(struct entries *entries, struct waiting_list *list)
{
	const uint32_t id = list->first;

	if (id != SYMBOL_NONE)
		list->first = entries->items[id].next;
	return id;
}

void entries_keep(struct entries *entries, uint32_t id)
{
	while (id != SYMBOL_NONE && !entries->items[id].is_kept) {
		const struct symbol *symbol = entries_get(entries, id);

		entries->items[id].is_kept = true;
		if (symbol->same_as != id)
			entries_keep(entries, symbol->same_as);
		entries_keep(entries, symbol->function);
		entries_keep(entries, symbol->inlined);
		id = symbol->inlined_in;
	}
}

void entries_forget_rest(struct entries *entries)
{
	entries_keep(entries, entries->crowded);
	for (uint32_t id = SYMBOL_NONE + 1; id < entries->bound; id++)
		if (entries_get(entries, id)->name && entries_get(entries, id)->same_as == id &&
		    entries_get(entries, id)->state == SYMBOL_PENDING)
			entries_keep(entries, id);
	map_fini(&entries->by_content);
	for (uint32_t id = SYMBOL_NONE + 1; id < entries->bound; id++) {
		struct symbol_entry *entry = &entries->items[id];
		uint32_t found;

		if (!entry->symbol.name)
			continue;
		if (!entry->is_kept) {
			release_entry(entry);
			entries->count--;
			continue;
		}
		entry->is_kept = false;
		if (entry->symbol.same_as == id && entry->symbol.state != SYMBOL_PENDING)
			map_put(&entries->by_content, find_key(entries, &entry->symbol, &found),
				(void *)(uintptr_t)id);
	}
	entries->free = SYMBOL_NONE + 1;
}
