/*
 * Switches, pairs and lengths: what the history has of an interval, added up.
 *
 * Pairs are listed by name and not by task, since each pair that was ever seen is a series for
 * whoever keeps it: there are as many names as programs, but as many pairs of tasks as there were
 * ever tasks. Those beyond --top are one pair with "rest" on both sides (rest="true", so that
 * no task of that name is taken for it).
 *
 * An octave holds lengths shorter than its end, a bucket those up to its bound: lengths are whole
 * nanoseconds, so the bound is one less.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/openmetrics_parts.h"
#include "batch/put.h"
#include "batch/totals.h"
#include "model/layout.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/table.h"

static const double ns_per_s = 1e9;

static void build(const struct batch_input *input, const struct view_settings *settings)
{
	view_table_build(input->table, input->view, settings, input->snapshot, input->session,
			 input->metrics);
}

static void add_time(struct times *times, uint64_t ns)
{
	if (ns == SWITCH_NS_UNKNOWN)
		return;
	times->count++;
	times->ns += ns;
}

static void add_switch(struct totals *totals, const struct switch_entry *entry)
{
	const enum absence_end after = entry->came_preempted ? AFTER_PREEMPTION : AFTER_SLEEP;

	totals->slices[entry->how].count++;
	if (entry->slice_ns != SWITCH_NS_UNKNOWN)
		totals->slices[entry->how].ns += entry->slice_ns;
	if (entry->came < ACTOR_FIRST)
		return;
	add_time(&totals->off[after], entry->off_ns);
	add_time(&totals->waits[after], entry->wait_ns);
}

/* One counter of how often and one of how long, a sample for each word. */
static void put_times(struct exposition *exposition, const char *const names[static 2],
		      const char *const helps[static 2], const char *label,
		      const char *const *words, const struct times *times, size_t count)
{
	for (int is_ns = 0; is_ns < 2; is_ns++) {
		struct strbuf labels = {0};

		exposition_family(exposition, EXPOSITION_COUNTER, names[is_ns], helps[is_ns]);
		for (size_t i = 0; i < count; i++) {
			strbuf_clear(&labels);
			exposition_add_label(&labels, label, words[i]);
			exposition_sample(exposition, strbuf_text(&labels),
					  is_ns ? (double)times[i].ns / ns_per_s
						: (double)times[i].count);
		}
		strbuf_fini(&labels);
	}
}

static void put_slices(struct exposition *exposition, const struct totals *totals)
{
	static const char *const names[] = {"slices", "slices_seconds"};
	static const char *const helps[] = {
		"Slices, from one switch of a CPU to the next, by how they ended.",
		"How long these were together.",
	};
	const char *words[SWITCH_HOWS];

	for (int how = 0; how < SWITCH_HOWS; how++)
		words[how] = switch_how_name((enum switch_how)how);
	put_times(exposition, names, helps, "how", words, totals->slices, SWITCH_HOWS);
}

static void put_absences(struct exposition *exposition, const struct totals *totals,
			 bool knows_waits)
{
	static const char *const words[] = {"sleep", "preemption"};
	static const char *const off_names[] = {"absences", "absences_seconds"};
	static const char *const off_helps[] = {
		"Times that a task came back to a CPU, by why it had left.",
		"How long these had been off the CPUs together.",
	};
	static const char *const wait_names[] = {"queue_waits", "queue_waits_seconds"};
	static const char *const wait_helps[] = {
		"Those of the absences that ended in a wait for a CPU that is known.",
		"How long of that they were runnable and waited.",
	};

	put_times(exposition, off_names, off_helps, "after", words, totals->off, ABSENCE_ENDS);
	if (knows_waits)
		put_times(exposition, wait_names, wait_helps, "after", words, totals->waits,
			  ABSENCE_ENDS);
}

void openmetrics_switches(struct exposition *exposition, const struct batch_input *input)
{
	struct totals *totals = input->totals;

	build(input, input->settings);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		add_switch(totals, view_table_row(input->table, i)->entry);
	totals->left_out += input->left_out;
	put_slices(exposition, totals);
	put_absences(exposition, totals, input->session->queue == QUEUE_WAKEUPS);
	exposition_family(exposition, EXPOSITION_COUNTER, "switches_left_out",
			  "Switches that came faster than they could be kept.");
	exposition_sample(exposition, NULL, (double)totals->left_out);
}

/* Different texts may share a key: which of them it is says the text. */
static uint64_t key_of(const char *labels)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325);

	for (; *labels; labels++)
		key = (key ^ (unsigned char)*labels) * UINT64_C(0x100000001b3);
	return key;
}

static char *labels_of(const struct pair *pair)
{
	struct strbuf labels = {0};

	exposition_add_label(&labels, "victim", pair->victim_words);
	exposition_add_label(&labels, "taker", pair->taker_words);
	exposition_add_label(&labels, "rest", "false");
	return labels.text;
}

static void choose_pairs(const struct batch_input *input, char **labels)
{
	struct top *top = &input->totals->pairs;

	top_begin(top, input->top);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		if (labels[i])
			top_offer(top, key_of(labels[i]), true);
	top_choose(top);
}

static void credit_pair(struct top *top, const struct pair *pair, const char *labels)
{
	struct top_one *one = labels ? top_find(top, key_of(labels)) : NULL;
	struct tally *tally = &top->rest;

	if (one && !one->labels)
		top_name(one, labels);
	if (one && one->is_shown && strcmp(one->labels, labels) == 0)
		tally = &one->tally;
	tally->quantities[QUANTITY_PREEMPTIONS] += pair->times;
	tally->quantities[QUANTITY_PREEMPTED_NS] += pair->lost_ns;
}

static void put_pair_family(struct exposition *exposition, const struct top *top,
			    enum quantity quantity, double per_unit)
{
	for (size_t i = 0; i < top->shown_count; i++)
		exposition_sample(exposition, top->ones[i]->labels,
				  (double)top->ones[i]->tally.quantities[quantity] / per_unit);
	exposition_sample(exposition, "victim=\"rest\",taker=\"rest\",rest=\"true\"",
			  (double)top->rest.quantities[quantity] / per_unit);
}

void openmetrics_pairs(struct exposition *exposition, const struct batch_input *input)
{
	struct view_settings settings = *input->settings;
	struct top *top = &input->totals->pairs;
	char **labels;
	size_t count;

	settings.by = BY_NAME;
	build(input, &settings);
	count = view_table_row_count(input->table);
	labels = xcalloc(count, sizeof(*labels));
	for (size_t i = 0; i < count; i++) {
		const struct pair *pair = view_table_row(input->table, i)->pair;

		labels[i] = pair->is_others ? NULL : labels_of(pair);
	}
	choose_pairs(input, labels);
	for (size_t i = 0; i < count; i++) {
		credit_pair(top, view_table_row(input->table, i)->pair, labels[i]);
		free(labels[i]);
	}
	free(labels);
	exposition_family(exposition, EXPOSITION_COUNTER, "pair_preemptions",
			  "Times that the taker preempted the victim.");
	put_pair_family(exposition, top, QUANTITY_PREEMPTIONS, 1);
	exposition_family(exposition, EXPOSITION_COUNTER, "pair_preempted_seconds",
			  "How long the victim had to wait for that.");
	put_pair_family(exposition, top, QUANTITY_PREEMPTED_NS, ns_per_s);
}

static void add_lengths(struct totals *totals, const struct length *length)
{
	for (int kind = 0; kind < LENGTH_KINDS; kind++) {
		totals->octaves[kind][length->octave] += length->count[kind];
		totals->octaves_ns[kind] += length->sum_ns[kind];
	}
}

static void put_bucket(struct exposition *exposition, const char *bound, uint64_t count)
{
	struct strbuf labels = {0};

	exposition_add_label(&labels, "le", bound);
	exposition_part(exposition, "_bucket", strbuf_text(&labels), (double)count);
	strbuf_fini(&labels);
}

static void put_histogram(struct exposition *exposition, const struct totals *totals,
			  enum length_kind kind)
{
	uint64_t count = 0;

	for (size_t i = 0; i + 1 < DISTRIBUTION_OCTAVES; i++) {
		struct strbuf bound = {0};

		count += totals->octaves[kind][i];
		put_real(&bound, (double)(distribution_octave_begin(i + 1) - 1) / ns_per_s);
		put_bucket(exposition, strbuf_text(&bound), count);
		strbuf_fini(&bound);
	}
	count += totals->octaves[kind][DISTRIBUTION_OCTAVES - 1];
	put_bucket(exposition, "+Inf", count);
	exposition_part(exposition, "_sum", NULL, (double)totals->octaves_ns[kind] / ns_per_s);
	exposition_part(exposition, "_count", NULL, (double)count);
}

void openmetrics_lengths(struct exposition *exposition, const struct batch_input *input)
{
	/* clang-format off */
	static const struct {
		const char *name, *help;
	} families[LENGTH_KINDS] = {
		[LENGTH_SLICES] = { "slice_seconds", "How long tasks were on a CPU from one switch to the next." },
		[LENGTH_PREEMPTED] = { "preempted_wait_seconds", "How long tasks waited for a CPU after a preemption." },
		[LENGTH_QUEUED] = { "queue_wait_seconds", "How long tasks waited for a CPU after being pushed out or woken." },
	};
	/* clang-format on */

	build(input, input->settings);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		add_lengths(input->totals, view_table_row(input->table, i)->length);
	for (int kind = 0; kind < LENGTH_KINDS; kind++) {
		if (kind == LENGTH_QUEUED && input->session->queue != QUEUE_WAKEUPS)
			continue;
		exposition_family(exposition, EXPOSITION_HISTOGRAM, families[kind].name,
				  families[kind].help);
		put_histogram(exposition, input->totals, (enum length_kind)kind);
	}
}
