#include "view/interrupts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/snapshot.h"
#include "view/footer.h"
#include "view/request.h"

struct sums {
	uint64_t count, ns;
};

/* The first one of the CPU. */
static size_t find_first(const struct snapshot *snapshot, int cpu)
{
	size_t first = 0, end = snapshot->interrupt_count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (snapshot->interrupts[middle].cpu < cpu)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static struct sums sum_of(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	struct sums sums = {0};

	for (size_t i = find_first(snapshot, cpu);
	     i < snapshot->interrupt_count && snapshot->interrupts[i].cpu == cpu; i++) {
		const struct snapshot_interrupt *interrupt = &snapshot->interrupts[i];

		if ((interrupt->kind == INTERRUPT_SOFT) != are_soft)
			continue;
		sums.count += interrupt->count;
		sums.ns += interrupt->ns;
	}
	return sums;
}

static bool are_known(const struct snapshot *snapshot)
{
	return snapshot->has_interrupts && snapshot->interval_ns > 0;
}

double cpu_interrupts_pct(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	return are_known(snapshot) ? 100.0 * (double)sum_of(snapshot, cpu, are_soft).ns /
					     (double)snapshot->interval_ns
				   : NAN;
}

double cpu_interrupts_rate(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	const double ns_per_s = 1e9;

	return are_known(snapshot) ? (double)sum_of(snapshot, cpu, are_soft).count * ns_per_s /
					     (double)snapshot->interval_ns
				   : NAN;
}

const char *cpu_top_interrupt(const struct snapshot *snapshot, int cpu)
{
	const size_t first = find_first(snapshot, cpu);

	return first < snapshot->interrupt_count && snapshot->interrupts[first].cpu == cpu
		       ? snapshot->interrupts[first].name
		       : NULL;
}

/* --- of all CPUs */

static int compare_vectors(const void *left, const void *right)
{
	const struct snapshot_interrupt *a = left, *b = right;

	if (a->kind != b->kind)
		return (a->kind > b->kind) - (a->kind < b->kind);
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_by_time(const void *left, const void *right)
{
	const struct snapshot_interrupt *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return compare_vectors(left, right);
}

/* Each once, the longest first; returns how many. The result is the caller's. */
static size_t sum_vectors(const struct snapshot *snapshot, struct snapshot_interrupt **result)
{
	const size_t all = snapshot->interrupt_count;
	struct snapshot_interrupt *vectors = xcalloc(all + 1, sizeof(*vectors));
	size_t count = 0;

	for (size_t i = 0; i < all; i++)
		vectors[i] = snapshot->interrupts[i];
	qsort(vectors, all, sizeof(*vectors), compare_vectors);
	for (size_t i = 0; i < all; i++) {
		if (count > 0 && compare_vectors(&vectors[count - 1], &vectors[i]) == 0) {
			vectors[count - 1].count += vectors[i].count;
			vectors[count - 1].ns += vectors[i].ns;
		} else {
			vectors[count++] = vectors[i];
		}
	}
	qsort(vectors, count, sizeof(*vectors), compare_by_time);
	*result = vectors;
	return count;
}

/* "local_timer 1.24 % 251/s" */
static void write_vector(const struct snapshot *snapshot, const struct snapshot_interrupt *vector,
			 bool is_ascii, char *text, size_t size)
{
	const double per_s = 1e9 / (double)snapshot->interval_ns;
	char name[sizeof(vector->name)], rate[UNITS_TEXT_MAX];

	text_safe(name, sizeof(name), vector->name, is_ascii);
	units_format_si(rate, (double)vector->count * per_s);
	snprintf(text, size, "%s %.2f %% %s/s", name, 100.0 * (double)vector->ns * per_s / 1e9,
		 rate);
}

void interrupts_footer_write(struct strbuf *out, const struct footer_input *input)
{
	const size_t begin = out->length;
	struct snapshot_interrupt *vectors;
	char text[128];
	size_t count;

	if (!input->snapshot || !are_known(input->snapshot) ||
	    input->snapshot->interrupt_count == 0)
		return;
	count = sum_vectors(input->snapshot, &vectors);
	strbuf_add(out, "interrupts: ");
	for (size_t i = 0; i < count; i++) {
		write_vector(input->snapshot, &vectors[i], input->request->ascii, text,
			     sizeof(text));
		if (out->length - begin + strlen(text) + 2 > (size_t)input->width)
			break;
		strbuf_printf(out, "%s%s", i > 0 ? ", " : "", text);
	}
	free(vectors);
}
