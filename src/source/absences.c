#include "source/absences.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Absences without a place, for which others stand. */
struct unplaced {
	uint64_t ns;    /* that are not said yet */
	uint64_t times; /* since the last one with a place */
};

struct absence_place {
	int32_t pid, tid;
	uint64_t left_ns; /* or where the last part ended; 0: it runs */
	bool is_new;      /* reported since it came back */
	bool is_unplaced; /* it left without */
	bool has_exited;
	struct unplaced unplaced[2]; /* blocked, preempted */
	bool was_closed;             /* an interval has ended since it exited */
	enum sample_kind kind;
	uint16_t count, kernel_count; /* of frames */
	size_t capacity;
	uint64_t *frames; /* owned */
};

void absences_forget(struct absences *absences)
{
	for (size_t i = 0; i < absences->count; i++)
		free(absences->places[i].frames);
	free(absences->places);
	map_fini(&absences->by_tid);
	*absences = (struct absences){0};
}

static struct absence_place *find(const struct absences *absences, int32_t tid)
{
	const size_t found = (size_t)(uintptr_t)map_get(&absences->by_tid, (uint64_t)tid);

	return found > 0 ? &absences->places[found - 1] : NULL;
}

/* NULL: there are too many, or it is the idle task, or it is not known which one it is. */
static struct absence_place *find_or_add(struct absences *absences, const struct record *record)
{
	struct absence_place *place = record->tid > 0 ? find(absences, record->tid) : NULL;

	if (place || record->tid <= 0 || absences->count >= ABSENCES_MAX)
		return place;
	array_reserve(&absences->places, &absences->capacity, absences->count + 1,
		      sizeof(*absences->places));
	place = &absences->places[absences->count++];
	*place = (struct absence_place){.pid = record->pid, .tid = record->tid};
	map_put(&absences->by_tid, (uint64_t)place->tid, (void *)(uintptr_t)absences->count);
	return place;
}

/* The last one takes its place. */
static void drop(struct absences *absences, struct absence_place *place)
{
	const size_t index = (size_t)(place - absences->places);
	const struct absence_place last = absences->places[--absences->count];

	map_remove(&absences->by_tid, (uint64_t)place->tid);
	free(place->frames);
	if (index == absences->count)
		return;
	*place = last;
	map_put(&absences->by_tid, (uint64_t)last.tid, (void *)(uintptr_t)(index + 1));
}

void absences_place(struct absences *absences, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	struct absence_place *place = find_or_add(absences, record);

	if (!place)
		return;
	array_reserve(&place->frames, &place->capacity, sample->count, sizeof(*place->frames));
	if (sample->count > 0)
		memcpy(place->frames, sample->frames, sample->count * sizeof(*place->frames));
	place->count = sample->count;
	place->kernel_count = sample->kernel_count;
	place->is_new = true;
}

static struct unplaced *unplaced_of(struct absence_place *place, enum sample_kind kind)
{
	return &place->unplaced[kind == SAMPLE_PREEMPTED];
}

static bool has_unplaced(const struct absence_place *place)
{
	return place->unplaced[0].ns > 0 || place->unplaced[1].ns > 0;
}

/* What a part of such a length stands for beside itself. */
static uint64_t take_share(struct unplaced *unplaced, uint64_t ns)
{
	const uint64_t share =
		unplaced->times > unplaced->ns / ns ? unplaced->ns : unplaced->times * ns;

	unplaced->ns -= share;
	unplaced->times = 0;
	return share;
}

static void make_sample(const struct absence_place *place, uint64_t time_ns, uint64_t ns,
			struct record *record)
{
	*record = (struct record){
		.kind = RECORD_SAMPLE,
		.cpu = RECORD_CPU_NONE,
		.pid = place->pid,
		.tid = place->tid,
		.time_ns = time_ns,
		.sample = {.kind = place->kind, .weight = ns, .ns = ns},
	};
}

/* From where it left off up to this time. False: that is no time, or is said later. */
static bool make_part(struct absence_place *place, uint64_t time_ns, struct record *record)
{
	const uint64_t ns = time_ns > place->left_ns ? time_ns - place->left_ns : 0;
	struct unplaced *unplaced = unplaced_of(place, place->kind);

	if (place->left_ns == 0 || ns == 0)
		return false;
	place->left_ns = time_ns;
	if (place->is_unplaced) {
		unplaced->ns += ns;
		return false;
	}
	make_sample(place, time_ns, ns + take_share(unplaced, ns), record);
	record->sample.frames = place->frames;
	record->sample.count = place->count;
	record->sample.kernel_count = place->kernel_count;
	return true;
}

/* For what no place stands. */
static bool make_rest(const struct absence_place *place, struct unplaced *unplaced,
		      enum sample_kind kind, uint64_t time_ns, struct record *record)
{
	if (unplaced->ns == 0)
		return false;
	make_sample(place, time_ns, unplaced->ns, record);
	record->sample.kind = kind;
	*unplaced = (struct unplaced){0};
	return true;
}

static void leave(struct absences *absences, const struct record *record)
{
	struct absence_place *place = find_or_add(absences, record);

	if (!place)
		return;
	if (place->has_exited && !record->ctx_switch.preempted) {
		place->was_closed = true;
		if (!has_unplaced(place))
			drop(absences, place);
		return;
	}
	place->pid = record->pid;
	place->is_unplaced = !place->is_new;
	place->is_new = false;
	place->kind = record->ctx_switch.preempted ? SAMPLE_PREEMPTED : SAMPLE_BLOCKED;
	place->left_ns = record->time_ns;
	if (place->is_unplaced)
		unplaced_of(place, place->kind)->times++;
}

bool absences_switch(struct absences *absences, const struct record *record, struct record *sample)
{
	struct absence_place *place;
	bool is_over;

	if (record->kind == RECORD_SWITCH_OUT) {
		leave(absences, record);
		return false;
	}
	place = find(absences, record->tid);
	if (!place)
		return false;
	is_over = make_part(place, record->time_ns, sample);
	place->left_ns = 0;
	if (is_over)
		sample->cpu = record->cpu;
	return is_over;
}

void absences_exit(struct absences *absences, int32_t tid)
{
	struct absence_place *place =
		find_or_add(absences, &(struct record){.pid = tid, .tid = tid});

	if (place)
		place->has_exited = true;
}

void absences_close(struct absences *absences)
{
	absences->next = absences->count;
}

static bool make_next(struct absence_place *place, uint64_t time_ns, struct record *sample)
{
	if (!place->has_exited && make_part(place, time_ns, sample))
		return true;
	return make_rest(place, &place->unplaced[0], SAMPLE_BLOCKED, time_ns, sample) ||
	       make_rest(place, &place->unplaced[1], SAMPLE_PREEMPTED, time_ns, sample);
}

/* Its last switch comes soon after a task's exit, or is not reported at all. */
bool absences_next_part(struct absences *absences, uint64_t time_ns, struct record *sample)
{
	while (absences->next > 0 && absences->next <= absences->count) {
		struct absence_place *place = &absences->places[absences->next - 1];

		if (make_next(place, time_ns, sample))
			return true;
		absences->next--;
		if (place->was_closed)
			drop(absences, place);
		else if (place->has_exited)
			place->was_closed = true;
	}
	return false;
}
