#include "source/task_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/attr.h"
#include "kernel/group.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "event/event.h"

enum {
	DESCRIPTORS_MAX = 1024 /* of all events and threads */
};

struct task_count {
	char event[EVENT_SPEC_NAME_MAX];
	int fd; /* -1: it cannot be counted */
	uint64_t count;
};

/* What happens to all threads of a process. */
struct count_adding {
	struct task_counts *counts;
	const struct event_spec *spec;
	const struct attr_features *features;
	bool with_children;
};

void task_counts_fini(struct task_counts *counts)
{
	for (size_t i = 0; i < counts->count; i++)
		if (counts->counts[i].fd >= 0)
			sys_close(counts->counts[i].fd);
	free(counts->counts);
	*counts = (struct task_counts){0};
}

static bool count_thread(int32_t tid, void *context)
{
	const struct count_adding *adding = context;
	struct task_counts *counts = adding->counts;
	struct task_count *added;

	array_reserve(&counts->counts, &counts->capacity, counts->count + 1, sizeof(*added));
	added = &counts->counts[counts->count];
	*added = (struct task_count){.fd = -1};
	strcpy(added->event, adding->spec->name);
	if (counts->count < DESCRIPTORS_MAX)
		added->fd =
			inherited_open(tid, adding->spec, adding->features, adding->with_children);
	counts->count++;
	return added->fd >= 0;
}

static bool has_event(const struct task_counts *counts, const char *event)
{
	for (size_t i = 0; i < counts->count; i++)
		if (strcmp(counts->counts[i].event, event) == 0)
			return true;
	return false;
}

void task_counts_add(struct task_counts *counts, const struct event_set *events,
		     const struct attr_features *features, int32_t pid, bool with_children)
{
	for (size_t i = 0; i < events->count; i++) {
		struct count_adding adding = {
			.counts = counts,
			.spec = &events->evsels[i].specs[0],
			.features = features,
			.with_children = with_children,
		};

		if (attr_is_inheritable(adding.spec) &&
		    (!counts->has_processes || has_event(counts, adding.spec->name)))
			proc_walk(pid, count_thread, &adding);
	}
	counts->has_processes = true;
}

void task_counts_read(struct task_counts *counts)
{
	for (size_t i = 0; i < counts->count; i++) {
		struct task_count *one = &counts->counts[i];

		if (one->fd >= 0 && !inherited_read(one->fd, &one->count)) {
			sys_close(one->fd);
			one->fd = -1;
		}
	}
}

bool task_counts_find(const struct task_counts *counts, const char *event, uint64_t *count)
{
	bool is_known = false;

	*count = 0;
	for (size_t i = 0; i < counts->count; i++) {
		const struct task_count *one = &counts->counts[i];

		if (strcmp(one->event, event) != 0)
			continue;
		if (one->fd < 0)
			return false;
		*count += one->count;
		is_known = true;
	}
	return is_known;
}
