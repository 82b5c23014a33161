#include "symbol/wire.h"

#include <string.h>

#include "base/strbuf.h"
#include "kernel/decode.h"

/* Members are read one by one: the order in an initializer is not defined. */

void wire_put(struct strbuf *packet, uint64_t number)
{
	strbuf_add_bytes(packet, (const char *)&number, sizeof(number));
}

void wire_put_text(struct strbuf *packet, const char *text, size_t limit)
{
	size_t length = text ? strnlen(text, limit) : 0;

	wire_put(packet, length);
	strbuf_add_bytes(packet, text ? text : "", length);
	strbuf_add_char(packet, '\0');
}

static bool has(struct wire_reader *reader, size_t bytes)
{
	if ((size_t)(reader->end - reader->at) < bytes)
		reader->has_failed = true;
	return !reader->has_failed;
}

uint64_t wire_get(struct wire_reader *reader)
{
	uint64_t number;

	if (!has(reader, sizeof(number)))
		return 0;
	memcpy(&number, reader->at, sizeof(number));
	reader->at += sizeof(number);
	return number;
}

const char *wire_get_text(struct wire_reader *reader)
{
	uint64_t length = wire_get(reader);
	const char *text = reader->at;

	if (length > WIRE_TEXT_BYTES || !has(reader, (size_t)length + 1) || text[length] != '\0') {
		reader->has_failed = true;
		return "";
	}
	reader->at += length + 1;
	return text;
}

enum {
	HEAD_NUMBERS = 2
};

void wire_set_head(struct strbuf *packet, const struct wire_head *head)
{
	const uint64_t numbers[HEAD_NUMBERS] = {head->is_last, head->cpu_ns};

	if (packet->length < sizeof(numbers))
		strbuf_add_bytes(packet, (const char *)numbers, sizeof(numbers));
	else
		memcpy(packet->text, numbers, sizeof(numbers));
}

void wire_get_head(struct wire_reader *reader, struct wire_head *head)
{
	head->is_last = wire_get(reader) != 0;
	head->cpu_ns = wire_get(reader);
}

static void put_build_id(struct strbuf *packet, const uint8_t id[static 20], uint8_t size)
{
	wire_put(packet, size);
	strbuf_add_bytes(packet, (const char *)id, 20);
}

static uint8_t get_build_id(struct wire_reader *reader, uint8_t id[static 20])
{
	uint64_t size = wire_get(reader);

	memset(id, 0, 20);
	if (!has(reader, 20))
		return 0;
	memcpy(id, reader->at, 20);
	reader->at += 20;
	return size <= 20 ? (uint8_t)size : 0;
}

static enum symbol_reason get_reason(struct wire_reader *reader)
{
	uint64_t reason = wire_get(reader);

	return reason < SYMBOL_REASON_COUNT ? (enum symbol_reason)reason : SYMBOL_REASON_NOT_ELF;
}

void wire_put_object(struct strbuf *packet, const struct wire_object *object)
{
	wire_put(packet, object->serial);
	wire_put(packet, object->kind);
	wire_put(packet, object->is_live);
	wire_put(packet, (uint64_t)object->pid);
	wire_put(packet, object->start);
	wire_put(packet, object->end);
	wire_put(packet, object->inode);
	wire_put(packet, object->major);
	wire_put(packet, object->minor);
	put_build_id(packet, object->build_id, object->build_id_size);
	wire_put_text(packet, object->name, WIRE_TEXT_BYTES);
}

void wire_get_object(struct wire_reader *reader, struct wire_object *object)
{
	object->serial = wire_get(reader);
	object->kind = (enum symbol_object_kind)wire_get(reader);
	object->is_live = wire_get(reader) != 0;
	object->pid = (int32_t)wire_get(reader);
	object->start = wire_get(reader);
	object->end = wire_get(reader);
	object->inode = wire_get(reader);
	object->major = (uint32_t)wire_get(reader);
	object->minor = (uint32_t)wire_get(reader);
	object->build_id_size = get_build_id(reader, object->build_id);
	object->name = wire_get_text(reader);
}

void wire_put_stack(struct strbuf *packet, const struct wire_stack *stack)
{
	wire_put(packet, (uint64_t)stack->pid);
	wire_put(packet, stack->program);
	wire_put(packet, stack->version);
	wire_put(packet, stack->mask);
	wire_put(packet, stack->register_count);
	strbuf_add_bytes(packet, (const char *)stack->registers,
			 stack->register_count * sizeof(uint64_t));
	wire_put(packet, stack->size);
	strbuf_add_bytes(packet, stack->bytes, stack->size);
}

void wire_get_stack(struct wire_reader *reader, struct wire_stack *stack, uint64_t *registers)
{
	uint64_t count, size;

	*stack = (struct wire_stack){.registers = registers};
	stack->pid = (int32_t)wire_get(reader);
	stack->program = wire_get(reader);
	stack->version = wire_get(reader);
	stack->mask = wire_get(reader);
	count = wire_get(reader);
	if (count > WIRE_REGISTERS_MAX)
		reader->has_failed = true;
	while (stack->register_count < count && !reader->has_failed)
		registers[stack->register_count++] = wire_get(reader);
	size = wire_get(reader);
	if (size > WIRE_PACKET_BYTES || !has(reader, (size_t)size)) {
		reader->has_failed = true;
		return;
	}
	stack->bytes = reader->at;
	stack->size = (size_t)size;
	reader->at += size;
}

void wire_put_facts(struct strbuf *packet, const struct wire_facts *facts)
{
	wire_put(packet, facts->reason);
	wire_put(packet, facts->is_deleted);
	wire_put(packet, facts->version);
	put_build_id(packet, facts->build_id, facts->build_id_size);
}

void wire_get_facts(struct wire_reader *reader, struct wire_facts *facts)
{
	facts->reason = get_reason(reader);
	facts->is_deleted = wire_get(reader) != 0;
	facts->version = wire_get(reader);
	facts->build_id_size = get_build_id(reader, facts->build_id);
}

void wire_put_answer(struct strbuf *packet, const struct answer *answer)
{
	wire_put(packet, answer->start);
	wire_put(packet, answer->end);
	wire_put(packet, answer->reason);
	wire_put(packet, answer->function_start);
	wire_put(packet, answer->function_end);
	wire_put_text(packet, answer->name, WIRE_NAME_BYTES);
	wire_put_text(packet, answer->module, WIRE_NAME_BYTES);
	wire_put(packet, answer->line_count);
	for (const struct answer_line *line = answer->lines;
	     line < answer->lines + answer->line_count; line++) {
		wire_put_text(packet, line->function, WIRE_NAME_BYTES);
		wire_put_text(packet, line->file, WIRE_NAME_BYTES);
		wire_put(packet, line->line);
	}
}

static const char *get_text_or_null(struct wire_reader *reader)
{
	const char *text = wire_get_text(reader);

	return text[0] != '\0' ? text : NULL;
}

void wire_get_answer(struct wire_reader *reader, struct answer *answer)
{
	uint64_t count;

	*answer = (struct answer){0};
	answer->start = wire_get(reader);
	answer->end = wire_get(reader);
	answer->reason = get_reason(reader);
	answer->function_start = wire_get(reader);
	answer->function_end = wire_get(reader);
	answer->name = get_text_or_null(reader);
	answer->module = get_text_or_null(reader);
	count = wire_get(reader);
	if (count > ANSWER_LINES_MAX)
		reader->has_failed = true;
	while (answer->line_count < count && !reader->has_failed) {
		struct answer_line *line = &answer->lines[answer->line_count++];

		line->function = get_text_or_null(reader);
		line->file = wire_get_text(reader);
		line->line = (uint32_t)wire_get(reader);
	}
}

void wire_put_mapping(struct strbuf *packet, const struct decoded_mmap *mapping)
{
	wire_put(packet, mapping->address);
	wire_put(packet, mapping->length);
	wire_put(packet, mapping->page_offset);
	wire_put(packet, mapping->major);
	wire_put(packet, mapping->minor);
	wire_put(packet, mapping->inode);
	wire_put_text(packet, mapping->file, WIRE_TEXT_BYTES);
}

void wire_get_mapping(struct wire_reader *reader, struct decoded_mmap *mapping)
{
	*mapping = (struct decoded_mmap){0};
	mapping->address = wire_get(reader);
	mapping->length = wire_get(reader);
	mapping->page_offset = wire_get(reader);
	mapping->major = (uint32_t)wire_get(reader);
	mapping->minor = (uint32_t)wire_get(reader);
	mapping->inode = wire_get(reader);
	mapping->file = wire_get_text(reader);
	mapping->file_length = strlen(mapping->file);
}

void wire_put_part(struct strbuf *packet, const struct symbol_part *part)
{
	wire_put(packet, part->kind);
	wire_put(packet, part->state);
	wire_put(packet, part->file);
	wire_put(packet, part->line);
	wire_put(packet, part->at);
	wire_put(packet, part->address);
	wire_put(packet, part->target);
	wire_put_text(packet, part->text, WIRE_NAME_BYTES);
}

void wire_get_part(struct wire_reader *reader, struct symbol_part *part)
{
	const uint64_t kind = wire_get(reader), state = wire_get(reader);

	if (kind > SYMBOL_PART_INSTRUCTION || state > SYMBOL_SOURCE_ABSENT)
		reader->has_failed = true;
	*part = (struct symbol_part){
		.kind = (enum symbol_part_kind)kind,
		.state = (enum symbol_source_state)state,
	};
	part->file = (uint32_t)wire_get(reader);
	part->line = (uint32_t)wire_get(reader);
	part->at = wire_get(reader);
	part->address = wire_get(reader);
	part->target = wire_get(reader);
	part->text = wire_get_text(reader);
}
