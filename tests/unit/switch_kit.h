#ifndef PERFTOP_TESTS_SWITCH_KIT_H
#define PERFTOP_TESTS_SWITCH_KIT_H

/*
 * What tests of switches have in common: CPUs 0 and 1, counted since 1000 ns; task 7 runs on CPU 0
 * and task 9 on CPU 1. Numbers of CPU 0 begin at sequence 10, of CPU 1 at 20.
 */

#include "model/history.h"
#include "model/timing.h"

#include "model_kit.h"
#include "unit.h"

enum {
	KIT_HISTORY = 5000
};

static inline struct model *kit_running(size_t groups)
{
	struct model *model = kit_model(groups);

	model_keep_history(model, KIT_HISTORY);
	for (uint16_t g = 0; g < groups; g++) {
		feed(model, reading(.group = g, .seq = 10, .ns = 1000, .values = {100, 200}));
		feed(model, reading(.cpu = 1, .group = g, .seq = 20, .ns = 1000));
	}
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 1000));
	feed(model, switch_in(.cpu = 1, .tid = 9, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

/* An entry, with tids for its actors: 0 idle, -1 unknown. */
struct kit_entry {
	struct switch_entry entry;
	int32_t prev, next, queued_by;
	uint64_t counts[64];
};

static inline struct kit_entry entry_at(const struct model *model, uint64_t sequence)
{
	const struct history *history = model_history(model);
	struct kit_entry kit;

	assert_true(sequence < history_end(history));
	history_get(history, sequence, &kit.entry, kit.counts);
	kit.prev = history_find_actor(history, kit.entry.prev)->tid;
	kit.next = history_find_actor(history, kit.entry.next)->tid;
	kit.queued_by = history_find_actor(history, kit.entry.queued_by)->tid;
	return kit;
}

static inline uint64_t entry_count(const struct model *model)
{
	return history_end(model_history(model));
}

/* The newest. */
static inline struct kit_entry last_entry(const struct model *model)
{
	return entry_at(model, entry_count(model) - 1);
}

/* One whole switch of CPU 0 in which 7 leaves for 8; how: preempted, state. */
static inline void leave_for_8_as(struct model *model, const struct step *how)
{
	feed(model,
	     sample(.tid = 7, .seq = how->seq, .ns = how->ns, .values = {100 + how->ns / 10, 200}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = how->ns, .preempted = how->preempted,
			       .state = how->state));
	feed(model, switch_in(.tid = 8, .prev = 7, .time = how->ns));
}

static inline void leave_for_8(struct model *model, uint64_t seq, uint64_t ns, bool preempted)
{
	leave_for_8_as(model, &(const struct step){.seq = seq, .ns = ns, .preempted = preempted});
}

/* And back. */
static inline void return_from_8(struct model *model, uint64_t seq, uint64_t ns)
{
	feed(model, sample(.tid = 8, .seq = seq, .ns = ns, .values = {100 + ns / 10, 200}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = ns));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = ns));
}

#endif
