#include "session/functions.h"

#include <string.h>

#include "model/profile.h"
#include "model/snapshot.h"

#include "symbol/symbols.h"

void functions_fini(struct functions *functions)
{
	symbols_destroy(functions->symbols);
	functions->symbols = NULL;
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

/* In place of the user's part of the frames, where that can be found out. */
static uint16_t unwind(struct functions *functions, const struct record *record,
		       uint64_t frames[static SAMPLE_FRAMES_MAX])
{
	const struct record_sample *sample = &record->sample;
	const struct record_stack *stack = sample->stack;
	const size_t kernel = sample->kernel_count;
	size_t count = 0;

	if (stack)
		count = symbols_unwind(symbols_of(functions), record->pid,
				       &(struct symbol_stack){
					       .mask = stack->mask,
					       .registers = stack->registers,
					       .register_count = stack->register_count,
					       .bytes = stack->bytes,
					       .size = stack->size,
				       },
				       frames + kernel, SAMPLE_FRAMES_MAX - kernel);
	return count > 0 ? (uint16_t)(kernel + count) : sample->count;
}

struct record functions_resolve(struct functions *functions, const struct record *record)
{
	struct record resolved = *record;
	struct record_sample *sample = &resolved.sample;
	uint64_t frames[SAMPLE_FRAMES_MAX];

	memcpy(frames, sample->frames, sample->count * sizeof(frames[0]));
	sample->count = unwind(functions, record, frames);
	for (size_t i = 0; i < sample->count; i++)
		functions->frames[i] =
			symbols_find(symbols_of(functions),
				     &(struct symbol_address){
					     .pid = record->pid,
					     .is_kernel = i<sample->kernel_count, .is_return = i> 0,
					     .address = frames[i],
				     });
	resolved.sample.frames = functions->frames;
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
	symbols_forget_rest(functions->symbols);
	functions->forgotten_ns = snapshot->time_ns;
}

struct function_name functions_name(void *context, uint32_t number, uint64_t time_ns)
{
	const struct functions *functions = context;
	struct symbol_object object;
	struct symbol symbol;

	if (!functions->symbols || time_ns < functions->forgotten_ns)
		return (struct function_name){.function = "[forgotten]", .object = ""};
	symbol = symbol_get(functions->symbols, number);
	object = symbol_object(functions->symbols, symbol.object);
	return (struct function_name){
		.same_as = symbol.same_as,
		.function = symbol.name,
		.object = object.short_name,
	};
}

uint64_t functions_take_cpu_ns(struct functions *functions)
{
	const uint64_t before_ns = functions->cpu_ns;

	if (functions->symbols)
		functions->cpu_ns = symbols_cpu_ns(functions->symbols);
	return functions->cpu_ns - before_ns;
}

uint64_t functions_bytes(const struct functions *functions)
{
	return functions->symbols ? symbols_memory_bytes(functions->symbols) : 0;
}

int functions_fd(const struct functions *functions)
{
	return functions->symbols ? symbols_fd(functions->symbols) : -1;
}
