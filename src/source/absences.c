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
	struct unplaced blocked, preempted, queued;
	bool was_closed; /* an interval has ended since it exited */
	enum sample_kind kind;
	uint16_t count, kernel_count; /* of frames */
	size_t capacity;
	uint64_t *frames;                            /* owned */
	uint64_t *wakes;                             /* owned; times of its wake-ups */
	size_t wake_next, wake_count, wake_capacity; /* the next one is ahead of its switches */
};

static void fini_absences(struct absence_place *place)
{
	free(place->frames);
	free(place->wakes);
}

void absences_forget(struct absences *absences)
{
	for (size_t i = 0; i < absences->count; i++)
		fini_absences(&absences->places[i]);
	free(absences->places);
	map_fini(&absences->by_tid);
	*absences = (struct absences){0};
}

static struct absence_place *find_absent(const struct absences *absences, int32_t tid)
{
	const size_t found = (size_t)(uintptr_t)map_get(&absences->by_tid, (uint64_t)tid);

	return found > 0 ? &absences->places[found - 1] : NULL;
}

/* NULL: there are too many, or it is the idle task, or it is not known which one it is. */
static struct absence_place *find_or_add(struct absences *absences, const struct record *record)
{
	struct absence_place *place = record->tid > 0 ? find_absent(absences, record->tid) : NULL;

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
	fini_absences(place);
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
	if (kind == SAMPLE_QUEUED)
		return &place->queued;
	return kind == SAMPLE_PREEMPTED ? &place->preempted : &place->blocked;
}

static bool has_unplaced(const struct absence_place *place)
{
	return place->blocked.ns > 0 || place->preempted.ns > 0 || place->queued.ns > 0;
}

/* Off-CPU time without samples that a sample of this length represents beside its own. */
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

/* The first wake-up of its sleep, up to this time; 0: it still slept. */
static uint64_t take_wake(struct absence_place *place, uint64_t time_ns)
{
	uint64_t woken_ns = 0;

	while (place->wake_next < place->wake_count && place->wakes[place->wake_next] <= time_ns) {
		const uint64_t wake_ns = place->wakes[place->wake_next++];

		if (woken_ns == 0 && wake_ns > place->left_ns)
			woken_ns = wake_ns;
	}
	return woken_ns;
}

/* The same of up to a wake-up, if there is one: what follows that is another part. */
static bool make_next_part(struct absence_place *place, uint64_t time_ns, struct record *record)
{
	const bool sleeps = place->left_ns > 0 && place->kind == SAMPLE_BLOCKED;
	const uint64_t woken_ns = sleeps ? take_wake(place, time_ns) : 0;
	bool is_made;

	if (woken_ns == 0)
		return make_part(place, time_ns, record);
	is_made = make_part(place, woken_ns, record);
	place->kind = SAMPLE_QUEUED;
	place->queued.times += place->is_unplaced;
	return is_made || make_part(place, time_ns, record);
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

static void leave_for_absence(struct absences *absences, const struct record *record)
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

	absences->has_rest = false;
	if (record->ctx_switch.knows_how) {
		leave_for_absence(absences, record);
		return false;
	}
	place = find_absent(absences, record->ctx_switch.next_tid);
	if (!place)
		return false;
	if (!make_next_part(place, record->time_ns, sample)) {
		place->left_ns = 0;
		return false;
	}
	absences->has_rest = make_next_part(place, record->time_ns, &absences->rest);
	sample->cpu = absences->rest.cpu = record->cpu;
	place->left_ns = 0;
	return true;
}

bool absences_take_rest(struct absences *absences, struct record *sample)
{
	if (!absences->has_rest)
		return false;
	absences->has_rest = false;
	*sample = absences->rest;
	return true;
}

void absences_wake(struct absences *absences, int32_t tid, uint64_t time_ns)
{
	struct absence_place *place = find_absent(absences, tid);

	if (place && place->wake_next == place->wake_count)
		place->wake_next = place->wake_count = 0;
	if (!place || place->wake_count >= ABSENCES_WAKES_MAX)
		return;
	array_reserve(&place->wakes, &place->wake_capacity, place->wake_count + 1,
		      sizeof(*place->wakes));
	place->wakes[place->wake_count++] = time_ns;
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
	if (!place->has_exited && make_next_part(place, time_ns, sample))
		return true;
	return make_rest(place, &place->blocked, SAMPLE_BLOCKED, time_ns, sample) ||
	       make_rest(place, &place->preempted, SAMPLE_PREEMPTED, time_ns, sample) ||
	       make_rest(place, &place->queued, SAMPLE_QUEUED, time_ns, sample);
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
