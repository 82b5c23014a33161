#include "source/absences.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct absence_place {
	int32_t pid, tid;
	uint64_t left_ns; /* or where the last part ended; 0: it runs */
	bool is_new;      /* reported since it came back */
	bool has_exited;
	bool was_closed; /* an interval has ended since it exited */
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

/* From where it left off up to this time. False: that is no time. */
static bool make_part(struct absence_place *place, uint64_t time_ns, struct record *record)
{
	const uint64_t ns = time_ns > place->left_ns ? time_ns - place->left_ns : 0;

	if (place->left_ns == 0 || ns == 0)
		return false;
	*record = (struct record){
		.kind = RECORD_SAMPLE,
		.cpu = RECORD_CPU_NONE,
		.pid = place->pid,
		.tid = place->tid,
		.time_ns = time_ns,
		.sample = {.kind = place->kind,
			   .frames = place->frames,
			   .count = place->count,
			   .kernel_count = place->kernel_count,
			   .weight = ns,
			   .ns = ns},
	};
	place->left_ns = time_ns;
	return true;
}

static void leave(struct absences *absences, const struct record *record)
{
	struct absence_place *place = find_or_add(absences, record);

	if (!place)
		return;
	if (place->has_exited && !record->ctx_switch.preempted) {
		drop(absences, place);
		return;
	}
	if (!place->is_new)
		place->count = place->kernel_count = 0;
	place->pid = record->pid;
	place->is_new = false;
	place->kind = record->ctx_switch.preempted ? SAMPLE_PREEMPTED : SAMPLE_BLOCKED;
	place->left_ns = record->time_ns;
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

/* Its last switch comes soon after a task's exit, or is not reported at all. */
bool absences_next_part(struct absences *absences, uint64_t time_ns, struct record *sample)
{
	while (absences->next > 0 && absences->next <= absences->count) {
		struct absence_place *place = &absences->places[--absences->next];

		if (place->was_closed)
			drop(absences, place);
		else if (place->has_exited)
			place->was_closed = true;
		else if (make_part(place, time_ns, sample))
			return true;
	}
	return false;
}
