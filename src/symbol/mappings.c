#include "symbol/mappings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/maps.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/inside.h"

enum {
	STACK_ROOM = 8 << 20,        /* the usual limit of a stack */
	READING_SHARE = 100,         /* mappings are read one part in so many of the time, */
	READING_BURST_NS = 20000000, /* and so long at once */
	READING_PAUSE_NS = 1000000   /* those of one process again */
};

/* Does not change the version. */
static void release_mappings(struct process *process)
{
	for (size_t i = 0; i < process->count; i++)
		objects_release(process->objects, process->mappings[i].object);
	process->count = 0;
}

static void destroy_process(void *value)
{
	struct process *process = value;

	release_mappings(process);
	free(process->mappings);
	free(process);
}

void mappings_fini(struct mappings *mappings)
{
	map_fini_with(&mappings->by_pid, destroy_process);
}

struct process *mappings_find(const struct mappings *mappings, int32_t pid)
{
	return map_get(&mappings->by_pid, (uint64_t)pid);
}

static void remove_process(struct mappings *mappings, int32_t pid)
{
	struct process *process = map_remove(&mappings->by_pid, (uint64_t)pid);

	if (process)
		destroy_process(process);
}

/* Drops the least recently used process for which nothing waits. */
static void drop_oldest_process(struct mappings *mappings)
{
	const struct process *oldest = NULL;

	for (const struct map_slot *each = NULL; (each = map_next(&mappings->by_pid, each));) {
		const struct process *process = each->value;

		if (!process->waiting.is_queued && (!oldest || process->used < oldest->used))
			oldest = process;
	}
	if (oldest)
		remove_process(mappings, oldest->pid);
}

struct process *mappings_get(struct mappings *mappings, int32_t pid)
{
	struct process *process = mappings_find(mappings, pid);

	if (!process) {
		if (mappings->by_pid.count >= mappings->max)
			drop_oldest_process(mappings);
		process = xcalloc(1, sizeof(*process));
		process->pid = pid;
		process->objects = mappings->objects;
		process->program = mappings->now;
		map_put(&mappings->by_pid, (uint64_t)pid, process);
	}
	process->used = ++mappings->now;
	return process;
}

/* How many mappings start at or before an address. */
static size_t count_mappings_before(const struct process *process, uint64_t address)
{
	return array_not_above(process->mappings, process->count, sizeof(*process->mappings),
			       address);
}

const struct mapping *process_find_below(const struct process *process, uint64_t address)
{
	const size_t before = count_mappings_before(process, address);

	return before > 0 ? &process->mappings[before - 1] : NULL;
}

const struct mapping *process_find(const struct process *process, uint64_t address)
{
	const struct mapping *mapping = process_find_below(process, address);

	return mapping && address < mapping->end ? mapping : NULL;
}

/*
 * Unmapping is not reported: without a limit, a process that keeps mapping code at new addresses
 * would grow for ever, and each insertion moves the rest.
 */
static void forget_older_half(struct process *process)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->count; i++)
		if (process->version - process->mappings[i].version < MAPPINGS_MAX / 2)
			process->mappings[kept++] = process->mappings[i];
		else
			objects_release(process->objects, process->mappings[i].object);
	process->count = kept;
}

/* The array must have room for it. */
static void insert_mapping(struct process *process, size_t index, const struct mapping *mapping)
{
	memmove(process->mappings + index + 1, process->mappings + index,
		(process->count - index) * sizeof(*mapping));
	process->mappings[index] = *mapping;
	process->count++;
	objects_hold(process->objects, mapping->object);
}

static void cut_front(struct mapping *mapping, uint64_t start)
{
	mapping->at += start - mapping->start;
	mapping->start = start;
}

/* Cuts the new mapping's range out of the mapping before `index`. */
static void cut_before(struct process *process, size_t index, const struct mapping *mapping)
{
	struct mapping *before = &process->mappings[index - 1];
	struct mapping behind = *before;

	if (before->end <= mapping->start)
		return;
	before->end = mapping->start;
	if (behind.end > mapping->end) {
		cut_front(&behind, mapping->end);
		insert_mapping(process, index, &behind);
	}
}

void process_map(struct process *process, const struct mapping *mapping)
{
	struct mapping newest = *mapping;
	size_t index, last;

	/* it must outlive the mappings that are dropped below */
	objects_hold(process->objects, mapping->object);
	newest.version = ++process->version;
	if (process->count >= MAPPINGS_MAX)
		forget_older_half(process);
	index = count_mappings_before(process, mapping->start);
	/* the new one, and the rest of one that it splits */
	array_reserve(&process->mappings, &process->capacity, process->count + 2,
		      sizeof(*process->mappings));
	if (index > 0 && process->mappings[index - 1].start == mapping->start)
		index--;
	if (index > 0)
		cut_before(process, index, mapping);
	insert_mapping(process, index, &newest);
	for (last = ++index; last < process->count && process->mappings[last].end <= mapping->end;)
		objects_release(process->objects, process->mappings[last++].object);
	if (last < process->count && process->mappings[last].start < mapping->end)
		cut_front(&process->mappings[last], mapping->end);
	memmove(process->mappings + index, process->mappings + last,
		(process->count - last) * sizeof(*mapping));
	process->count -= last - index;
	objects_release(process->objects, mapping->object);
}

void process_unmap_all(struct process *process)
{
	release_mappings(process);
	process->version++;
}

bool mappings_make_room(struct mappings *mappings)
{
	struct process *largest = NULL;

	for (const struct map_slot *each = NULL; (each = map_next(&mappings->by_pid, each));) {
		struct process *process = each->value;

		if (!largest || process->count > largest->count)
			largest = process;
	}
	if (!largest || largest->count == 0)
		return false;
	process_unmap_all(largest);
	return true;
}

static void copy_mappings(struct process *process, const struct process *from)
{
	release_mappings(process);
	if (from->count > 0) {
		array_reserve(&process->mappings, &process->capacity, from->count,
			      sizeof(*process->mappings));
		memcpy(process->mappings, from->mappings, from->count * sizeof(*from->mappings));
	}
	process->count = from->count;
	for (size_t i = 0; i < process->count; i++)
		objects_hold(process->objects, process->mappings[i].object);
	process->version =
		(process->version > from->version ? process->version : from->version) + 1;
}

void object_note_mapping(struct code_object *object, const struct process *process,
			 const struct mapping *mapping)
{
	if (object->wire.kind ==
	    SYMBOL_OBJECT_JIT) /* it is in the map of the process that made it */
		return;
	object->wire.pid = process->pid;
	object->wire.start = mapping->start;
	object->wire.end = mapping->end;
}

/* --- from records */

/* Memory without a file, where programs put code made at run time. */
static bool is_made_at_run_time(const char *name)
{
	static const char *const beginnings[] = {
		"//anon",    "[heap]", "[stack",         "[anon",       "/memfd:",
		"/dev/zero", "/SYSV",  "/anon_hugepage", "anon_inode:", NULL,
	};

	for (const char *const *beginning = beginnings; *beginning; beginning++)
		if (strncmp(name, *beginning, strlen(*beginning)) == 0)
			return true;
	return name[0] == '\0';
}

static enum symbol_object_kind kind_of_object(const char *name)
{
	if (is_made_at_run_time(name))
		return SYMBOL_OBJECT_JIT;
	if (strcmp(name, MAPS_VDSO) == 0)
		return SYMBOL_OBJECT_VDSO;
	return name[0] == '/' ? SYMBOL_OBJECT_FILE : SYMBOL_OBJECT_UNKNOWN;
}

static void copy_name(char name[static WIRE_TEXT_BYTES], const struct decoded_mmap *mmap)
{
	static const char mark[] = " (deleted)";
	size_t length = mmap->file_length, mark_length = sizeof(mark) - 1;

	if (length > WIRE_TEXT_BYTES - 1)
		length = WIRE_TEXT_BYTES - 1;
	memcpy(name, mmap->file, length);
	name[length] = '\0';
	length = strlen(name);
	if (length > mark_length && strcmp(name + length - mark_length, mark) == 0)
		name[length - mark_length] = '\0';
}

static void take_build_id(struct wire_object *wire, const struct decoded_mmap *mmap)
{
	if (!mmap->has_build_id || mmap->build_id_size > sizeof(wire->build_id))
		return;
	memcpy(wire->build_id, mmap->build_id, mmap->build_id_size);
	wire->build_id_size = mmap->build_id_size;
}

static uint64_t key_of_object(const struct wire_object *wire, const struct process *process)
{
	uint64_t key = hash_text(wire->kind, wire->name);

	switch (wire->kind) {
	case SYMBOL_OBJECT_JIT:
		return hash_mix(hash_mix(wire->kind, (uint64_t)process->pid), process->program);
	case SYMBOL_OBJECT_VDSO:
		return hash_mix(key, wire->end - wire->start);
	case SYMBOL_OBJECT_KERNEL:
	case SYMBOL_OBJECT_MODULE:
	case SYMBOL_OBJECT_FILE:
	case SYMBOL_OBJECT_UNKNOWN:
		break;
	}
	key = hash_mix(hash_mix(hash_mix(key, wire->inode), wire->major), wire->minor);
	for (size_t i = 0; i < wire->build_id_size; i++)
		key = hash_mix(key, wire->build_id[i]);
	return key;
}

void symbols_add_mapping(struct symbols *symbols, struct process *process,
			 const struct decoded_mmap *mmap)
{
	char name[WIRE_TEXT_BYTES];
	struct wire_object wire = {
		.is_live = symbols->options.is_live,
		.pid = process->pid,
		.start = mmap->address,
		.end = mmap->address + mmap->length,
		.inode = mmap->inode,
		.major = mmap->major,
		.minor = mmap->minor,
		.name = name,
	};
	struct mapping mapping = {wire.start, wire.end, mmap->page_offset, OBJECT_UNKNOWN, 0};

	if (mmap->is_data || wire.end <= wire.start)
		return;
	copy_name(name, mmap);
	wire.kind = kind_of_object(name);
	take_build_id(&wire, mmap);

	uint64_t key = key_of_object(&wire, process);

	if (wire.kind == SYMBOL_OBJECT_JIT) {
		snprintf(name, sizeof(name), "[JIT] %" PRId32, process->pid);
		mapping.at = mapping.start;
	}
	do
		mapping.object = objects_intern(&symbols->objects, key, &wire);
	while (mapping.object == OBJECT_UNKNOWN &&
	       symbols->objects.named < symbols->objects.count &&
	       mappings_make_room(&symbols->mappings));
	process_map(process, &mapping);
}

/*
 * Notes a symbol of a recorded kernel and its address, to compare with the running kernel. False:
 * not a mapping of the kernel itself.
 */
static bool note_kernel(struct symbols *symbols, const struct decoded_mmap *mmap)
{
	static const char name[] = "[kernel.kallsyms]";
	const size_t length = sizeof(name) - 1;
	struct code_object *kernel = objects_get(&symbols->objects, OBJECT_KERNEL);

	if (mmap->file_length < length || memcmp(mmap->file, name, length) != 0)
		return false;
	kernel->wire.start = mmap->page_offset;
	take_build_id(&kernel->wire, mmap);
	free(kernel->path);
	kernel->path = xstrndup(mmap->file + length, mmap->file_length - length);
	return true;
}

/* "[usb_storage]" of "/lib/modules/6.1.0/kernel/drivers/usb/usb-storage.ko.xz", as kallsyms has it;
 * false: it is no module's. */
static bool name_module(char name[static WIRE_TEXT_BYTES], const struct decoded_mmap *mmap)
{
	char path[WIRE_TEXT_BYTES];
	const char *base, *end;

	copy_name(path, mmap);
	base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	end = strstr(base, ".ko");
	if (path[0] != '[' && !end)
		return false;
	if (path[0] == '[')
		snprintf(name, WIRE_TEXT_BYTES, "%s", path);
	else
		snprintf(name, WIRE_TEXT_BYTES, "[%.*s]", (int)(end - base), base);
	for (char *c = name; *c != '\0'; c++)
		*c = *c == '-' ? '_' : *c;
	return true;
}

static void note_module(struct symbols *symbols, const struct decoded_mmap *mmap)
{
	struct mapping mapping = {mmap->address, mmap->address + mmap->length, mmap->address,
				  OBJECT_UNKNOWN, 0};
	char name[WIRE_TEXT_BYTES];

	if (mapping.end <= mapping.start || !name_module(name, mmap))
		return;
	mapping.object = objects_intern_module(&symbols->objects, name);
	process_map(mappings_get(&symbols->mappings, PROCESS_KERNEL), &mapping);
}

/* A function that was made at run time takes the place of what was there, as does its end. */
static void note_function(struct symbols *symbols, const struct decoded_mmap *mmap)
{
	struct mapping mapping = {mmap->address, mmap->address + mmap->length, mmap->address,
				  OBJECT_UNKNOWN, 0};
	char name[WIRE_TEXT_BYTES];

	copy_name(name, mmap);
	if (mapping.end <= mapping.start || name[0] == '\0')
		return;
	if (!mmap->is_unmapped)
		mapping.object = objects_intern_function(
			&symbols->objects, name, mmap->function_kind == DECODED_KSYMBOL_BPF);
	process_map(mappings_get(&symbols->mappings, PROCESS_KERNEL), &mapping);
}

/* What is mapped there in the kernel; NULL: the kernel itself, or it is not known. */
static const struct mapping *find_in_kernel(struct symbols *symbols, uint64_t address)
{
	struct process *kernel = mappings_find(&symbols->mappings, PROCESS_KERNEL);
	const struct mapping *mapping = kernel ? process_find(kernel, address) : NULL;

	if (!mapping || mapping->object == OBJECT_UNKNOWN)
		return NULL;
	kernel->used = ++symbols->mappings.now;
	return mapping;
}

uint32_t symbols_made_function(struct symbols *symbols, uint64_t address)
{
	const struct mapping *mapping = find_in_kernel(symbols, address);
	const struct code_object *function =
		mapping ? objects_get(&symbols->objects, mapping->object) : NULL;
	struct symbol symbol;

	if (!function || !function->is_function)
		return SYMBOL_NONE;
	symbol = (struct symbol){
		.name = function->name,
		.object = OBJECT_KERNEL,
		.start = mapping->start,
		.end = mapping->end,
		.state = SYMBOL_FOUND,
	};
	if (function->is_bpf) /* may move the objects, but not their names */
		symbol.object = objects_intern_module(&symbols->objects, "[bpf]");
	objects_note_named(&symbols->objects, symbol.object);
	return entries_intern(&symbols->entries, &symbol);
}

uint32_t symbols_in_module(struct symbols *symbols, uint32_t id, uint64_t address)
{
	const struct symbol *symbol =
		entries_get(&symbols->entries, entries_resolve(&symbols->entries, id));
	const struct mapping *mapping;
	uint32_t made;

	if (symbol->state != SYMBOL_UNKNOWN)
		return id;
	made = symbols_made_function(symbols, address);
	if (made != SYMBOL_NONE)
		return made;
	mapping = find_in_kernel(symbols, address);
	return mapping ? symbols_unknown(symbols, mapping->object, symbol->reason) : id;
}

/* --- data */

static void add_data(struct symbols *symbols, struct process *process,
		     const struct decoded_mmap *mmap)
{
	struct mapping mapping = {mmap->address, mmap->address + mmap->length, 0, OBJECT_UNKNOWN,
				  0};
	char name[WIRE_TEXT_BYTES];
	bool has_name;

	if (mapping.end <= mapping.start)
		return;
	copy_name(name, mmap);
	has_name = name[0] != '\0' && strcmp(name, "//anon") != 0;
	mapping.object = objects_intern_data(&symbols->objects, has_name ? name : "[anon]");
	process_map(process, &mapping);
}

static bool is_called(const struct symbols *symbols, const struct mapping *mapping,
		      const char *name)
{
	return strcmp(objects_get(&symbols->objects, mapping->object)->name, name) == 0;
}

/* Linux 6 calls the heap of a new process //anon. What was read of it is in parts, maybe. */
static bool is_known_heap(const struct symbols *symbols, const struct process *process,
			  const struct decoded_mmap *mmap)
{
	static const char anonymous[] = "//anon";
	const struct mapping *mapping = process_find(process, mmap->address);

	return mapping && mmap->file_length == sizeof(anonymous) - 1 &&
	       memcmp(mmap->file, anonymous, sizeof(anonymous) - 1) == 0 &&
	       is_called(symbols, mapping, "[heap]");
}

static void note_data(struct symbols *symbols, const struct decoded_mmap *mmap)
{
	struct process *process = mappings_get(&symbols->data, mmap->pid);

	if (!is_known_heap(symbols, process, mmap))
		add_data(symbols, process, mmap);
}

struct data_reading {
	struct symbols *symbols;
	struct process *process;
	uint64_t end; /* of the mapping before */
};

/* The stack grows into what is free below it, and that is not reported. */
static void add_data_read(const struct decoded_mmap *read, void *context)
{
	struct data_reading *reading = context;
	struct decoded_mmap mmap = *read;

	if (strcmp(read->file, "[stack]") == 0) {
		const uint64_t room = read->address - reading->end;
		const uint64_t grown = room < STACK_ROOM ? room : STACK_ROOM;

		mmap.address -= grown;
		mmap.length += grown;
	}
	reading->end = read->address + read->length;
	add_data(reading->symbols, reading->process, &mmap);
}

/* Of all processes a part of the time, of one not for each sample of a round. */
static bool has_time_to_read(struct symbols *symbols, const struct process *process)
{
	const uint64_t now_ns = sys_now_ns();
	const uint64_t share_ns = (now_ns - symbols->read_ns) / READING_SHARE;
	const uint64_t taken_ns = symbols->reading_ns;

	symbols->reading_ns = taken_ns > share_ns ? taken_ns - share_ns : 0;
	symbols->read_ns = now_ns;
	return symbols->options.is_live && symbols->reading_ns < READING_BURST_NS &&
	       (process->read_ns == 0 || now_ns - process->read_ns > READING_PAUSE_NS);
}

static void read_data(struct symbols *symbols, struct process *process)
{
	struct data_reading reading = {.symbols = symbols, .process = process};
	uint64_t before_ns;

	if (!has_time_to_read(symbols, process))
		return;
	before_ns = proc_own_cpu_ns();
	maps_walk(process->pid, add_data_read, &reading);
	symbols->reading_ns += proc_own_cpu_ns() - before_ns;
	process->read_ns = sys_now_ns();
	process->read_version = process->version;
}

/* Nothing is known to be there, or what a record called //anon since may be the heap. */
static bool is_worth_reading(const struct symbols *symbols, const struct process *process,
			     const struct mapping *mapping)
{
	return !mapping ||
	       (mapping->version > process->read_version && is_called(symbols, mapping, "[anon]"));
}

uint32_t symbols_find_data(struct symbols *symbols, int32_t pid, uint64_t address)
{
	struct process *process;
	const struct mapping *mapping;

	symbols->has_data = true;
	if ((int64_t)address < 0)
		return symbols_unknown(symbols, OBJECT_KERNEL, SYMBOL_REASON_NONE);
	if (pid == PROCESS_OUTSIDE || pid == -1)
		return SYMBOL_NONE;
	process = mappings_get(&symbols->data, pid);
	mapping = process_find(process, address);
	if (is_worth_reading(symbols, process, mapping)) {
		read_data(symbols, process);
		mapping = process_find(process, address);
	}
	return mapping && mapping->object != OBJECT_UNKNOWN
		       ? symbols_unknown(symbols, mapping->object, SYMBOL_REASON_NONE)
		       : SYMBOL_NONE;
}

/* --- all of them */

void symbols_map(struct symbols *symbols, const struct decoded_mmap *mmap)
{
	if (mmap->pid == PROCESS_OUTSIDE)
		return;
	symbols->has_data |= mmap->is_data;
	if (mmap->pid != -1 && symbols->has_data)
		note_data(symbols, mmap);
	if (mmap->is_function)
		note_function(symbols, mmap);
	else if (mmap->pid != -1)
		symbols_add_mapping(symbols, mappings_get(&symbols->mappings, mmap->pid), mmap);
	else if (!note_kernel(symbols, mmap))
		note_module(symbols, mmap);
}

void symbols_exec(struct symbols *symbols, int32_t pid)
{
	struct process *process = mappings_find(&symbols->mappings, pid);

	remove_process(&symbols->data, pid);
	if (!process)
		return;
	answers_give_up(symbols, process);
	process_unmap_all(process);
	process->program = ++symbols->mappings.now;
	process->misses = 0;
	process->is_not_unwound = false;
}

static void fork_mappings(struct mappings *mappings, int32_t parent_pid, int32_t pid)
{
	struct process *parent, *child;

	if (parent_pid == pid || !mappings_find(mappings, parent_pid))
		return;
	child = mappings_get(mappings, pid);
	parent = mappings_find(mappings, parent_pid); /* the call above may have dropped it */
	if (parent)
		copy_mappings(child, parent);
}

void symbols_fork(struct symbols *symbols, int32_t parent_pid, int32_t pid)
{
	fork_mappings(&symbols->mappings, parent_pid, pid);
	fork_mappings(&symbols->data, parent_pid, pid);
}

void symbols_exit(struct symbols *symbols, int32_t pid)
{
	struct process *process = mappings_find(&symbols->mappings, pid);

	remove_process(&symbols->data, pid);
	if (!process)
		return;
	answers_give_up(symbols, process);
	remove_process(&symbols->mappings, pid);
}

void symbols_unmap_all(struct symbols *symbols)
{
	mappings_fini(&symbols->mappings);
	mappings_fini(&symbols->data);
}
