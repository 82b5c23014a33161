#include "session/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/snapshot.h"

#include "perfdata/build_ids.h"
#include "symbol/opener.h"
#include "symbol/symbols.h"

void functions_fini(struct functions *functions)
{
	symbols_destroy(functions->symbols);
	free(functions->listing.parts);
	functions->listing = (struct listing){0};
	functions->symbols = NULL;
	build_ids_destroy(functions->build_ids);
	functions->build_ids = NULL;
}

static struct symbols *symbols_of(struct functions *functions)
{
	const struct symbols_options options = {
		.program = "/proc/self/exe",
		.is_live = functions->is_live,
	};

	if (!functions->symbols)
		functions->symbols = symbols_create(&options);
	return functions->symbols;
}

void functions_map(struct functions *functions, const struct record *record)
{
	struct symbols *symbols = symbols_of(functions);
	const struct record_mapping *mapping = &record->mapping;

	switch (mapping->change) {
	case MAPPING_ADDED:
		symbols_map(symbols, mapping->added);
		break;
	case MAPPING_EXEC:
		symbols_exec(symbols, record->pid);
		break;
	case MAPPING_FORKED:
		symbols_fork(symbols, mapping->parent_pid, record->pid);
		break;
	case MAPPING_EXITED:
		symbols_exit(symbols, record->pid);
		break;
	}
}

void functions_rewind(struct functions *functions)
{
	if (functions->symbols)
		symbols_unmap_all(functions->symbols);
}

struct record functions_unwind(struct functions *functions, const struct record *record)
{
	const struct record_stack *stack = record->sample.stack;
	const size_t kernel = record->sample.kernel_count;
	struct record unwound = *record;
	size_t count;

	memcpy(functions->calls, record->sample.frames,
	       record->sample.count * sizeof(*functions->calls));
	count = symbols_unwind(symbols_of(functions), record->pid,
			       &(struct symbol_stack){
				       .mask = stack->mask,
				       .registers = stack->registers,
				       .register_count = stack->register_count,
				       .bytes = stack->bytes,
				       .size = stack->size,
			       },
			       functions->calls + kernel, SAMPLE_FRAMES_MAX - kernel);
	if (count > 0)
		unwound.sample.count = (uint16_t)(kernel + count);
	unwound.sample.frames = functions->calls;
	unwound.sample.stack = NULL;
	return unwound;
}

/*
 * An address becomes a function. Calls in the kernel have no lines: where makes no difference. A
 * branch may lead from the kernel to the user; it is where it is, and no return address.
 */
static void resolve_frame(struct functions *functions, const struct record *record, size_t index)
{
	const bool is_branch = record->sample.kind == SAMPLE_BRANCH;
	const bool is_kernel = is_branch ? (int64_t)functions->frames[index] < 0
					 : index < record->sample.kernel_count;

	functions->frames[index] = symbols_find(symbols_of(functions),
						&(struct symbol_address){
							.pid = record->pid,
							.is_kernel = is_kernel,
							.is_return = index > 0 && !is_branch,
							.address = functions->frames[index],
						},
						&functions->at[index]);
	if (is_kernel && index > 0 && !is_branch)
		functions->at[index] = 0;
}

struct record functions_resolve(struct functions *functions, const struct record *record)
{
	struct record resolved = *record;
	struct record_sample *sample = &resolved.sample;

	for (size_t i = 0; i < sample->count; i++)
		functions->frames[i] = sample->frames[i];
	for (size_t i = 0; i < sample->count; i++)
		resolve_frame(functions, &resolved, i);
	sample->frames = functions->frames;
	sample->at = functions->at;
	if (sample->addr != 0)
		sample->mapping =
			symbols_find_data(symbols_of(functions), record->pid, sample->addr);
	return resolved;
}

void functions_work(struct functions *functions)
{
	if (functions->symbols && symbols_work(functions->symbols))
		functions->has_news = true;
}

void functions_finish(struct functions *functions)
{
	if (functions->symbols)
		symbols_finish(functions->symbols);
}

void functions_tidy(struct functions *functions, const struct snapshot *snapshot)
{
	const struct profile *profile = snapshot->profile;

	if (!functions->symbols || !symbols_are_crowded(functions->symbols))
		return;
	for (size_t i = 1; profile && i < profile->node_count; i++)
		symbols_keep(functions->symbols, profile->nodes[i].function);
	for (size_t i = 0; profile && i < profile->entry_count; i++)
		symbols_keep(functions->symbols, profile->entries[i].mapping);
	symbols_forget_rest(functions->symbols);
	functions->forgotten_ns = snapshot->time_ns;
}

/* The first question sets the helper to work; answers bring on what is asked meanwhile. */
uint32_t functions_line(void *context, uint32_t number, uint64_t at, uint64_t time_ns)
{
	struct functions *functions = context;
	const bool is_idle = functions_pending(functions) == 0;
	struct symbol symbol;
	uint32_t line;

	if (!functions->symbols || time_ns < functions->forgotten_ns)
		return number;
	symbol = symbol_get(functions->symbols, number);
	line = symbols_find_line(functions->symbols, number, symbol.at != 0 ? symbol.at : at);
	if (is_idle && functions_pending(functions) > 0)
		functions_work(functions);
	return line;
}

struct variable_name functions_variable(void *context, int32_t pid, uint64_t address)
{
	struct functions *functions = context;
	struct symbols *symbols = symbols_of(functions);
	const bool is_idle = functions_pending(functions) == 0;
	struct variable_name name = {.name = "", .object = ""};
	struct symbol_address asked = {.pid = pid, .is_data = true, .address = address};
	uint64_t at;
	const struct symbol symbol = symbol_get(symbols, symbols_find(symbols, &asked, &at));
	const uint32_t mapping = symbols_find_data(symbols, pid, address);

	if (symbol.state == SYMBOL_FOUND && at >= symbol.start) {
		name.name = symbol.name;
		name.offset = at - symbol.start;
		name.object = symbol_object(symbols, symbol.object).short_name;
	} else if (mapping != SYMBOL_NONE) {
		name.object =
			symbol_object(symbols, symbol_get(symbols, mapping).object).short_name;
	}
	if (is_idle && functions_pending(functions) > 0)
		functions_work(functions);
	return name;
}

/* Of a line. While it is pending its name is the address, and its function the whole one. */
static void name_source(struct functions *functions, const struct symbol *symbol,
			struct function_name *name)
{
	const char *slash = symbol->file ? strrchr(symbol->file, '/') : NULL;

	name->source = functions->source;
	if (symbol->state != SYMBOL_PENDING) {
		snprintf(functions->source, sizeof(functions->source), "%s:%" PRIu32,
			 slash ? slash + 1 : symbol->file, symbol->line);
		return;
	}
	snprintf(functions->source, sizeof(functions->source), "%s", symbol->name);
	name->function = symbol_get(functions->symbols, symbol->function).name;
}

bool functions_lacks_map(void *context, int32_t pid)
{
	const struct functions *functions = context;

	return functions->is_live && opener_lacks_jit_map(pid);
}

/* Those that can write a map; of a name like this, or with a version behind it. */
static const char *find_interpreted(const char *object)
{
	static const struct {
		const char *object, *words;
	} interpreters[] = {
		{"python3", "Python functions: python -X perf, 3.12 or later"},
		{"libpython3", "Python functions: python -X perf, 3.12 or later"},
		{"node", "JavaScript functions: node --perf-basic-prof"},
		{"libnode.so", "JavaScript functions: node --perf-basic-prof"},
		{"libjvm.so", "Java methods: jcmd PID Compiler.perfmap"},
	};

	for (size_t i = 0; i < sizeof(interpreters) / sizeof(*interpreters); i++) {
		const char *name = interpreters[i].object;

		if (text_begins(object, name) && strchr(".", object[strlen(name)]))
			return interpreters[i].words;
	}
	return NULL;
}

static bool is_user_code(enum symbol_object_kind kind)
{
	return kind == SYMBOL_OBJECT_FILE || kind == SYMBOL_OBJECT_VDSO ||
	       kind == SYMBOL_OBJECT_JIT;
}

struct function_name functions_name(void *context, uint32_t number, uint64_t time_ns)
{
	struct functions *functions = context;
	struct function_name name;
	struct symbol_object object;
	struct symbol symbol;

	if (!functions->symbols || time_ns < functions->forgotten_ns)
		return (struct function_name){.function = "[forgotten]", .object = ""};
	symbol = symbol_get(functions->symbols, number);
	object = symbol_object(functions->symbols, symbol.object);
	name = (struct function_name){
		.same_as = symbol.same_as,
		.at = symbol.at,
		.start = symbol.start,
		.function = symbol.name,
		.object = object.short_name,
		.file = symbol.file,
		.line = symbol.line,
		.inlined_in = symbol.inlined_in,
		.inlined = symbol.inlined,
		.is_inlined = symbol.is_inlined,
		.mark = symbol.is_inlined ? " (inlined)" : NULL,
		.whole = symbol.function,
		.is_user = is_user_code(object.kind),
		.interprets = find_interpreted(object.short_name),
	};
	if (symbol.function != symbol.same_as)
		name_source(functions, &symbol, &name);
	if (symbol.reason != SYMBOL_REASON_NONE) {
		name.reason = symbol_reason_text(symbol.reason);
		name.is_no_code = symbol.reason == SYMBOL_REASON_NO_MAPPING;
		name.mark = functions->mark;
		snprintf(functions->mark, sizeof(functions->mark), ": %s", name.reason);
	}
	if (object.is_deleted) {
		name.object = functions->object;
		snprintf(functions->object, sizeof(functions->object), "%.260s (deleted)",
			 object.short_name);
	}
	return name;
}

/* Live, it is read from the file where no record says it. */
static size_t find_object_build_id(struct functions *functions, const struct symbol_object *object,
				   unsigned char id[static BUILD_ID_MAX])
{
	const bool is_kernel = object->kind == SYMBOL_OBJECT_KERNEL;
	const char *name = is_kernel ? "[kernel.kallsyms]" : object->name;

	if (object->build_id_size > 0 && object->build_id_size <= BUILD_ID_MAX) {
		memcpy(id, object->build_id, object->build_id_size);
		return object->build_id_size;
	}
	if (!functions->is_live || (!is_kernel && object->kind != SYMBOL_OBJECT_FILE))
		return 0;
	if (!functions->build_ids)
		functions->build_ids = build_ids_create();
	if (is_kernel)
		build_ids_note_kernel(functions->build_ids, "/sys/kernel/notes");
	else
		build_ids_note(functions->build_ids, object->name, object->inode);
	return build_ids_find(functions->build_ids, name, strlen(name), id);
}

struct function_object functions_object(void *context, uint32_t number, uint64_t time_ns)
{
	struct functions *functions = context;
	unsigned char id[BUILD_ID_MAX];
	struct symbol_object object;
	size_t size;

	if (!functions->symbols || number == 0 || time_ns < functions->forgotten_ns)
		return (struct function_object){.path = "", .build_id = ""};
	object = symbol_object(functions->symbols, symbol_get(functions->symbols, number).object);
	size = find_object_build_id(functions, &object, id);
	functions->build_id[0] = '\0';
	for (size_t i = 0; i < size; i++)
		snprintf(functions->build_id + 2 * i, 3, "%02x", id[i]);
	return (struct function_object){.path = object.name, .build_id = functions->build_id};
}

static void take_listing_parts(const struct symbols *symbols, struct listing *listing)
{
	struct code_part part;
	size_t cursor = 0;

	while (symbols_next_part(symbols, &cursor, &part)) {
		array_reserve(&listing->parts, &listing->capacity, listing->count + 1,
			      sizeof(*listing->parts));
		listing->parts[listing->count++] = part;
	}
}

const struct listing *functions_list(void *context, uint32_t number, uint64_t time_ns)
{
	struct functions *functions = context;
	struct listing *listing = &functions->listing;
	enum symbol_reason reason;
	enum symbol_state state;

	listing->count = 0;
	listing->is_pending = false;
	listing->why = "its name was forgotten";
	if (!functions->symbols || number == 0 || time_ns < functions->forgotten_ns)
		return listing;
	state = symbols_list(functions->symbols, number, &reason);
	functions_work(functions);
	listing->is_pending = state == SYMBOL_PENDING;
	listing->why = symbol_reason_text(reason);
	if (state == SYMBOL_FOUND)
		take_listing_parts(functions->symbols, listing);
	return listing;
}

uint64_t functions_take_cpu_ns(struct functions *functions)
{
	const uint64_t before_ns = functions->cpu_ns;

	if (functions->symbols)
		functions->cpu_ns = symbols_cpu_ns(functions->symbols);
	return functions->cpu_ns - before_ns;
}

uint32_t functions_pending(const struct functions *functions)
{
	return functions->symbols ? symbols_pending(functions->symbols) : 0;
}

uint32_t functions_not_unwound(const struct functions *functions)
{
	return functions->symbols ? symbols_not_unwound(functions->symbols) : 0;
}

uint64_t functions_bytes(const struct functions *functions)
{
	return functions->symbols ? symbols_memory_bytes(functions->symbols) : 0;
}

int functions_fd(const struct functions *functions)
{
	return functions->symbols ? symbols_fd(functions->symbols) : -1;
}
