#include "symbol/wire.h"

#include <string.h>

#include "kernel/decode.h"

/* 0 if it is not below the bound. */
#define CODE_BELOW(codec, field, bound)                                                            \
	((field) = (__typeof__(field))code_below(codec, (uint64_t)(field), sizeof(field), bound))

static uint64_t code_below(struct codec *codec, uint64_t number, size_t size, uint64_t bound)
{
	number = codec_number(codec, number, size);
	codec->has_failed |= number >= bound;
	return number < bound ? number : 0;
}

/* NULL is read as "". */
static void code_wire_text(struct codec *codec, const char **text, size_t limit)
{
	codec_text(codec, text, limit);
	if (!*text)
		*text = "";
}

/* "" is read as NULL. */
static void code_wire_name(struct codec *codec, const char **text)
{
	codec_text(codec, text, WIRE_NAME_BYTES);
	if (*text && **text == '\0')
		*text = NULL;
}

void wire_object(struct codec *codec, struct wire_object *object)
{
	const void *build_id;

	CODE(codec, object->serial);
	CODE_BELOW(codec, object->kind, SYMBOL_OBJECT_UNKNOWN + 1);
	CODE(codec, object->is_live);
	CODE(codec, object->pid);
	CODE(codec, object->start);
	CODE(codec, object->end);
	CODE(codec, object->inode);
	CODE(codec, object->major);
	CODE(codec, object->minor);
	CODE_BELOW(codec, object->build_id_size, sizeof(object->build_id) + 1);
	build_id = codec_bytes(codec, object->build_id, sizeof(object->build_id));
	if (build_id)
		memmove(object->build_id, build_id, sizeof(object->build_id));
	code_wire_text(codec, &object->name, WIRE_TEXT_BYTES);
}

void wire_stack(struct codec *codec, struct symbol_stack *stack)
{
	CODE(codec, stack->mask);
	CODE_BELOW(codec, stack->register_count, WIRE_REGISTERS_MAX + 1);
	stack->registers =
		codec_bytes(codec, stack->registers, stack->register_count * sizeof(uint64_t));
	CODE_BELOW(codec, stack->size, WIRE_PACKET_BYTES + 1);
	stack->bytes = codec_bytes(codec, stack->bytes, stack->size);
}

void wire_head(struct codec *codec, struct wire_head *head)
{
	struct wire_facts *facts = &head->facts;

	CODE(codec, head->is_last);
	CODE(codec, head->cpu_ns);
	CODE(codec, head->opener_bytes);
	CODE_BELOW(codec, facts->reason, SYMBOL_REASON_COUNT);
	CODE(codec, facts->is_deleted);
	CODE(codec, facts->has_no_lines);
	CODE(codec, facts->version);
}

void wire_answer(struct codec *codec, struct address_answer *answer)
{
	CODE(codec, answer->start);
	CODE(codec, answer->end);
	CODE_BELOW(codec, answer->reason, SYMBOL_REASON_COUNT);
	CODE(codec, answer->function_start);
	CODE(codec, answer->function_end);
	code_wire_name(codec, &answer->name);
	code_wire_name(codec, &answer->module);
	CODE_BELOW(codec, answer->line_count, ANSWER_LINES_MAX + 1);
	for (size_t i = 0; i < answer->line_count; i++) {
		code_wire_name(codec, &answer->lines[i].function);
		code_wire_text(codec, &answer->lines[i].file, WIRE_NAME_BYTES);
		CODE(codec, answer->lines[i].line);
	}
}

void wire_mapping(struct codec *codec, struct decoded_mmap *mapping)
{
	CODE(codec, mapping->address);
	CODE(codec, mapping->length);
	CODE(codec, mapping->page_offset);
	CODE(codec, mapping->major);
	CODE(codec, mapping->minor);
	CODE(codec, mapping->inode);
	code_wire_text(codec, &mapping->file, WIRE_TEXT_BYTES);
	mapping->file_length = strlen(mapping->file);
}

void wire_part(struct codec *codec, struct code_part *part)
{
	CODE_BELOW(codec, part->kind, CODE_INSTRUCTION + 1);
	CODE_BELOW(codec, part->source, CODE_SOURCE_ABSENT + 1);
	CODE(codec, part->file);
	CODE(codec, part->line);
	CODE(codec, part->at);
	CODE(codec, part->address);
	CODE(codec, part->target);
	code_wire_text(codec, &part->text, WIRE_NAME_BYTES);
}
