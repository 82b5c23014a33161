/*
 * A stack is unwound while its sample waits: what is mapped then may be gone with the next record.
 * A process on the stacks of which the helper dies or hangs is not asked for again.
 */

#include "symbol/inside.h"

enum {
	STACK_BYTES_MAX = WIRE_PACKET_BYTES / 2 /* the rest is for mappings */
};

static void write_mappings(struct symbols *symbols, const struct process *process)
{
	struct strbuf *packet = &symbols->packet;

	for (size_t i = 0; i < process->count; i++) {
		const struct mapping *mapping = &process->mappings[i];
		const struct object *object = objects_get(&symbols->objects, mapping->object);
		const size_t before = packet->length;
		struct wire_object wire = object->wire;

		if (!objects_have(&symbols->objects, mapping->object, mapping->serial))
			continue;
		if (wire.kind != SYMBOL_OBJECT_FILE && wire.kind != SYMBOL_OBJECT_VDSO)
			continue;
		wire.name = object->path;
		wire.pid = process->pid;
		wire.start = mapping->start;
		wire.end = mapping->end;
		wire_put(packet, mapping->start);
		wire_put(packet, mapping->at);
		wire_object(&(struct wire){.packet = packet}, &wire);
		if (packet->length <= WIRE_PACKET_BYTES)
			continue;
		packet->length = before;
		break;
	}
}

static void write_request(struct symbols *symbols, const struct process *process,
			  const struct symbol_stack *stack)
{
	struct wire_stack wire = {
		.pid = process->pid,
		.program = process->program,
		.version = process->version,
		.mask = stack->mask,
		.registers = stack->registers,
		.register_count = stack->register_count,
		.bytes = stack->bytes,
		.size = stack->size < STACK_BYTES_MAX ? stack->size : STACK_BYTES_MAX,
	};

	strbuf_clear(&symbols->packet);
	wire_put(&symbols->packet, WIRE_UNWIND);
	wire_stack(&(struct wire){.packet = &symbols->packet}, &wire);
	write_mappings(symbols, process);
}

size_t symbols_unwind(struct symbols *symbols, int32_t pid, const struct symbol_stack *stack,
		      uint64_t *frames, size_t max)
{
	struct process *process = mappings_find(&symbols->mappings, pid);
	struct wire reply;
	size_t count = 0;

	if (pid <= 0 || !process || process->count == 0 ||
	    stack->register_count > WIRE_REGISTERS_MAX)
		return 0;
	if (!process->is_not_unwound) {
		if (!ask_flight_to_end(symbols)) {
			symbols->not_unwound++;
			return 0;
		}
		write_request(symbols, process, stack);
		process->is_not_unwound = !ask_at_once(symbols, &reply);
	}
	if (process->is_not_unwound) {
		symbols->not_unwound++;
		return 0;
	}
	wire_get_head(&reply, &symbols->head);
	while (count < max && reply.at < reply.end && !reply.has_failed)
		frames[count++] = wire_get(&reply);
	return reply.has_failed ? 0 : count;
}

uint32_t symbols_not_unwound(const struct symbols *symbols)
{
	return symbols->not_unwound;
}
