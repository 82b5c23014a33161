#include "source/plan/bundle.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"

static void close_groups_of(struct group *groups, size_t count)
{
	for (size_t i = count; i-- > 0;)
		group_close(&groups[i]);
}

/* All groups of the plan or none. */
static int open_next(struct bundle *bundle, const struct plan *plan)
{
	int errno_value = 0;

	for (size_t i = 0; i < bundle->next_count && errno_value == 0; i++) {
		const struct event_group *group = &plan->layout.groups[i];
		struct group_request request;

		if (!group->is_open || group->kind != bundle->kind)
			continue;
		request = plan_group_request(plan, i, &bundle->target);
		errno_value = group_open(&bundle->next[i], &request, bundle->features, NULL);
	}
	if (errno_value != 0)
		close_groups_of(bundle->next, bundle->next_count);
	return errno_value;
}

static void begin_next_groups(struct bundle *bundle, size_t count)
{
	bundle->next = xcalloc(count + 1, sizeof(*bundle->next));
	bundle->next_count = count;
	bundle->is_late = false;
	for (size_t i = 0; i < count; i++)
		bundle->next[i].leader_fd = -1;
}

void bundle_prepare_nothing(struct bundle *bundle)
{
	begin_next_groups(bundle, 0);
}

int bundle_prepare(struct bundle *bundle, const struct plan *plan)
{
	int errno_value;

	begin_next_groups(bundle, plan->layout.group_count);
	errno_value = open_next(bundle, plan);
	bundle->is_late = errno_value == ENOSPC && bundle->count > 0;
	if (errno_value == 0 || bundle->is_late)
		return 0;
	bundle_abandon(bundle);
	return errno_value;
}

void bundle_abandon(struct bundle *bundle)
{
	close_groups_of(bundle->next, bundle->next_count);
	free(bundle->next);
	bundle->next = NULL;
	bundle->next_count = 0;
}

void bundle_commit(struct bundle *bundle, const struct plan *plan)
{
	close_groups_of(bundle->groups, bundle->count);
	free(bundle->groups);
	if (bundle->is_late)
		open_next(bundle, plan);
	bundle->groups = bundle->next;
	bundle->count = bundle->next_count;
	bundle->next = NULL;
	bundle->next_count = 0;
}

void bundle_close(struct bundle *bundle)
{
	bundle_abandon(bundle);
	close_groups_of(bundle->groups, bundle->count);
	free(bundle->groups);
	*bundle = (struct bundle){0};
}

size_t bundle_descriptors(const struct bundle *bundle)
{
	size_t count = 0;

	for (size_t i = 0; i < bundle->count; i++)
		if (bundle_is_open(bundle, i))
			count += 1 + bundle->groups[i].count;
	return count;
}

static int last_descriptor_of(const struct group *groups, size_t count)
{
	int last = -1;

	for (size_t i = 0; i < count; i++) {
		const struct group *group = &groups[i];

		last = group->leader_fd > last ? group->leader_fd : last;
		for (size_t j = 0; j < group->count; j++)
			last = group->member_fds[j] > last ? group->member_fds[j] : last;
	}
	return last;
}

int bundle_last_descriptor(const struct bundle *bundle)
{
	const int now = last_descriptor_of(bundle->groups, bundle->count);
	const int then = last_descriptor_of(bundle->next, bundle->next_count);

	return now > then ? now : then;
}
