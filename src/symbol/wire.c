#include "symbol/wire.h"

#include <string.h>

#include "base/strbuf.h"
#include "kernel/decode.h"

/* Each structure has one function that both writes and reads it, so that the two cannot differ. */

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

static bool has(struct wire *wire, size_t bytes)
{
	if ((size_t)(wire->end - wire->at) < bytes)
		wire->has_failed = true;
	return !wire->has_failed;
}

uint64_t wire_get(struct wire *wire)
{
	uint64_t number;

	if (!has(wire, sizeof(number)))
		return 0;
	memcpy(&number, wire->at, sizeof(number));
	wire->at += sizeof(number);
	return number;
}

const char *wire_get_text(struct wire *wire)
{
	uint64_t length = wire_get(wire);
	const char *text = wire->at;

	if (length > WIRE_TEXT_BYTES || !has(wire, (size_t)length + 1) || text[length] != '\0') {
		wire->has_failed = true;
		return "";
	}
	wire->at += length + 1;
	return text;
}

static uint64_t code_wire_number(struct wire *wire, uint64_t number)
{
	if (!wire->packet)
		return wire_get(wire);
	wire_put(wire->packet, number);
	return number;
}

/* A number or flag; 0 if it is not below the bound. */
#define CODE(wire, field) ((field) = (__typeof__(field))code_wire_number(wire, (uint64_t)(field)))
#define CODE_BELOW(wire, field, bound)                                                             \
	((field) = (__typeof__(field))code_below(wire, (uint64_t)(field), bound))

static uint64_t code_below(struct wire *wire, uint64_t number, uint64_t bound)
{
	CODE(wire, number);
	wire->has_failed |= number >= bound;
	return number < bound ? number : 0;
}

static void code_wire_text(struct wire *wire, const char **text, size_t limit)
{
	if (wire->packet)
		wire_put_text(wire->packet, *text, limit);
	else
		*text = wire_get_text(wire);
}

/* "" is read as NULL. */
static void code_wire_name(struct wire *wire, const char **text)
{
	code_wire_text(wire, text, WIRE_NAME_BYTES);
	if (*text && **text == '\0')
		*text = NULL;
}

/* Points into the packet; NULL: it is cut. */
static const void *code_bytes(struct wire *wire, const void *bytes, size_t size)
{
	const char *at = wire->at;

	if (wire->packet) {
		strbuf_add_bytes(wire->packet, bytes, size);
		return bytes;
	}
	if (!has(wire, size))
		return NULL;
	wire->at += size;
	return at;
}

void wire_object(struct wire *wire, struct wire_object *object)
{
	const void *build_id;

	CODE(wire, object->serial);
	CODE_BELOW(wire, object->kind, SYMBOL_OBJECT_UNKNOWN + 1);
	CODE(wire, object->is_live);
	CODE(wire, object->pid);
	CODE(wire, object->start);
	CODE(wire, object->end);
	CODE(wire, object->inode);
	CODE(wire, object->major);
	CODE(wire, object->minor);
	CODE_BELOW(wire, object->build_id_size, sizeof(object->build_id) + 1);
	build_id = code_bytes(wire, object->build_id, sizeof(object->build_id));
	if (build_id)
		memmove(object->build_id, build_id, sizeof(object->build_id));
	code_wire_text(wire, &object->name, WIRE_TEXT_BYTES);
}

void wire_stack(struct wire *wire, struct symbol_stack *stack)
{
	CODE(wire, stack->mask);
	CODE_BELOW(wire, stack->register_count, WIRE_REGISTERS_MAX + 1);
	stack->registers =
		code_bytes(wire, stack->registers, stack->register_count * sizeof(uint64_t));
	CODE_BELOW(wire, stack->size, WIRE_PACKET_BYTES + 1);
	stack->bytes = code_bytes(wire, stack->bytes, stack->size);
}

void wire_head(struct wire *wire, struct wire_head *head)
{
	struct wire_facts *facts = &head->facts;

	CODE(wire, head->is_last);
	CODE(wire, head->cpu_ns);
	CODE(wire, head->opener_bytes);
	CODE_BELOW(wire, facts->reason, SYMBOL_REASON_COUNT);
	CODE(wire, facts->is_deleted);
	CODE(wire, facts->has_no_lines);
	CODE(wire, facts->version);
}

void wire_answer(struct wire *wire, struct address_answer *answer)
{
	CODE(wire, answer->start);
	CODE(wire, answer->end);
	CODE_BELOW(wire, answer->reason, SYMBOL_REASON_COUNT);
	CODE(wire, answer->function_start);
	CODE(wire, answer->function_end);
	code_wire_name(wire, &answer->name);
	code_wire_name(wire, &answer->module);
	CODE_BELOW(wire, answer->line_count, ANSWER_LINES_MAX + 1);
	for (size_t i = 0; i < answer->line_count; i++) {
		code_wire_name(wire, &answer->lines[i].function);
		code_wire_text(wire, &answer->lines[i].file, WIRE_NAME_BYTES);
		CODE(wire, answer->lines[i].line);
	}
}

void wire_mapping(struct wire *wire, struct decoded_mmap *mapping)
{
	CODE(wire, mapping->address);
	CODE(wire, mapping->length);
	CODE(wire, mapping->page_offset);
	CODE(wire, mapping->major);
	CODE(wire, mapping->minor);
	CODE(wire, mapping->inode);
	code_wire_text(wire, &mapping->file, WIRE_TEXT_BYTES);
	mapping->file_length = strlen(mapping->file);
}

void wire_part(struct wire *wire, struct code_part *part)
{
	CODE_BELOW(wire, part->kind, CODE_INSTRUCTION + 1);
	CODE_BELOW(wire, part->source, CODE_SOURCE_ABSENT + 1);
	CODE(wire, part->file);
	CODE(wire, part->line);
	CODE(wire, part->at);
	CODE(wire, part->address);
	CODE(wire, part->target);
	code_wire_text(wire, &part->text, WIRE_NAME_BYTES);
}
