#include "source/cpus/irq_tracepoints.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/record.h"
#include "source/wakeup.h"

#include "event/tracepoint.h"

/* The numbers of tracepoints: twice the row, and one more at the end. */
static const struct irq_pair {
	enum interrupt_kind kind;
	const char *group, *name, *field;
} pairs[IRQ_TRACEPOINTS / 2] = {
	{INTERRUPT_HARD, "irq", "irq_handler", "irq"},
	{INTERRUPT_SOFT, "irq", "softirq", "vec"},
	{INTERRUPT_VECTOR, "irq_vectors", "local_timer", "vector"},
	{INTERRUPT_VECTOR, "irq_vectors", "reschedule", "vector"},
	{INTERRUPT_VECTOR, "irq_vectors", "call_function", "vector"},
	{INTERRUPT_VECTOR, "irq_vectors", "call_function_single", "vector"},
};

/* As in /proc/softirqs. */
static const char *const soft_names[] = {
	"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU",
};

static bool is_exit_event(size_t index)
{
	return index % 2 == 1;
}

bool irq_tracepoint_find(size_t index, struct sched_tracepoint_spec *found, struct error *error)
{
	const struct irq_pair *pair = &pairs[index / 2];
	struct tracepoint_field field;
	char name[INTERRUPT_NAME_MAX + 8];

	snprintf(name, sizeof(name), "%s_%s", pair->name, is_exit_event(index) ? "exit" : "entry");
	*found = (struct sched_tracepoint_spec){0};
	if (!tracepoint_find("", pair->group, name, &found->spec, error) ||
	    !tracepoint_find_field("", pair->group, name, pair->field, &field, error))
		return false;
	found->tid = field.offset;
	return field.size == sizeof(int32_t) ||
	       error_set(error, ERROR_EVENT_TRACEPOINT_FIELD, found->spec.name, pair->field);
}

/*
 * Of the handler: behind the number is where its name is, 16 bits of offset and 16 of size, with
 * its NUL.
 */
static const char *handler_name(const struct sched_tracepoint_spec *tracepoint,
				const struct decoded_bytes *raw)
{
	const size_t at = tracepoint->tid + sizeof(int32_t);
	uint32_t where;
	const char *name;

	if (raw->size < at + sizeof(where))
		return NULL;
	where = (uint32_t)decode_number_at(raw->bytes, at);
	name = (const char *)raw->bytes + (where & UINT16_MAX);
	return (where & UINT16_MAX) < raw->size &&
			       memchr(name, '\0', raw->size - (where & UINT16_MAX))
		       ? name
		       : NULL;
}

static const char *interrupt_name(const struct irq_pair *pair,
				  const struct sched_tracepoint_spec *tracepoint,
				  const struct decoded_bytes *raw, int32_t number)
{
	const size_t count = sizeof(soft_names) / sizeof(*soft_names);

	switch (pair->kind) {
	case INTERRUPT_HARD:
		return handler_name(tracepoint, raw);
	case INTERRUPT_SOFT:
		return number >= 0 && (size_t)number < count ? soft_names[number] : NULL;
	case INTERRUPT_VECTOR:
		return pair->name;
	case INTERRUPT_KINDS:
		break;
	}
	return NULL;
}

bool irq_tracepoint_report(size_t index, const struct sched_tracepoint_spec *tracepoint,
			   const struct decoded_bytes *raw, struct record *record)
{
	const struct irq_pair *pair = &pairs[index / 2];
	int32_t number;

	if (raw->size < tracepoint->tid + sizeof(number))
		return false;
	number = decode_number_at(raw->bytes, tracepoint->tid);
	record->kind = RECORD_INTERRUPT;
	record->interrupt = (struct record_interrupt){
		.kind = (uint8_t)pair->kind,
		.is_entry = !is_exit_event(index),
		.number = number,
		.name = is_exit_event(index) ? NULL : interrupt_name(pair, tracepoint, raw, number),
	};
	return true;
}
