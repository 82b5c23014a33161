#include "source/plan/bundle.h"

#include <stdlib.h>

#include "base/memory.h"

static struct group *closed_groups(size_t count)
{
	struct group *groups = xcalloc(count, sizeof(*groups));

	for (size_t i = 0; i < count; i++)
		groups[i].leader_fd = -1;
	return groups;
}

static int prepare_group(struct bundle *bundle, const struct plan *after, size_t index)
{
	const struct group_request group = plan_group_request(after, index, &bundle->target);

	switch (bundle->steps[index]) {
	case PLAN_OPEN:
		return group_open(&bundle->next[index], &group, bundle->features, NULL);
	case PLAN_EXTEND:
		return group_extend(&bundle->groups[index], &group, bundle->features);
	case PLAN_KEEP:
	case PLAN_CLOSE:
	case PLAN_SHRINK:
		break;
	}
	return 0;
}

static void begin_change(struct bundle *bundle, const struct plan *before, const struct plan *after,
			 bool is_disabled)
{
	bundle->next_count = after->layout.group_count;
	bundle->next = closed_groups(bundle->next_count);
	bundle->steps = xrealloc(bundle->steps, bundle->next_count, sizeof(*bundle->steps));
	for (size_t i = 0; i < bundle->next_count; i++) {
		bundle->steps[i] = after->layout.groups[i].kind == bundle->kind
					   ? plan_compare(before, after, i)
					   : PLAN_KEEP;
		if (bundle->steps[i] == PLAN_EXTEND && !is_disabled)
			bundle->steps[i] = PLAN_OPEN;
	}
}

void bundle_prepare_nothing(struct bundle *bundle, const struct plan *before,
			    const struct plan *after)
{
	begin_change(bundle, before, after, false);
}

int bundle_prepare(struct bundle *bundle, const struct plan *before, const struct plan *after,
		   bool is_disabled)
{
	int errno_value = 0;

	begin_change(bundle, before, after, is_disabled);
	for (size_t i = 0; i < bundle->next_count && errno_value == 0; i++)
		errno_value = prepare_group(bundle, after, i);
	if (errno_value != 0)
		bundle_abandon(bundle, before);
	return errno_value;
}

static void drop_next(struct bundle *bundle)
{
	free(bundle->next);
	bundle->next = NULL;
	bundle->next_count = 0;
}

void bundle_abandon(struct bundle *bundle, const struct plan *before)
{
	for (size_t i = bundle->next_count; i-- > 0;)
		group_close(&bundle->next[i]);
	for (size_t i = 0; i < bundle->count; i++) {
		struct group *group = &bundle->groups[i];

		while (group->count > before->layout.groups[i].count)
			group_close_member(group, group->count - 1);
	}
	drop_next(bundle);
}

static void grow(struct bundle *bundle, size_t count)
{
	struct group *groups = closed_groups(count);

	for (size_t i = 0; i < bundle->count; i++)
		groups[i] = bundle->groups[i];
	free(bundle->groups);
	bundle->groups = groups;
	bundle->count = count;
}

void bundle_commit(struct bundle *bundle, const struct plan *before, const struct plan *after)
{
	if (bundle->next_count > bundle->count)
		grow(bundle, bundle->next_count);
	for (size_t i = 0; i < bundle->count; i++) {
		struct group *group = &bundle->groups[i];
		const enum plan_step step = bundle->steps[i];

		if (step == PLAN_CLOSE || step == PLAN_OPEN)
			group_close(group);
		if (step == PLAN_OPEN)
			*group = bundle->next[i];
		for (size_t j = group->count; step == PLAN_SHRINK && j-- > 0;)
			if (!plan_keeps_member(before, after, i, j))
				group_close_member(group, j);
	}
	drop_next(bundle);
}

void bundle_close(struct bundle *bundle)
{
	for (size_t i = bundle->next_count; i-- > 0;)
		group_close(&bundle->next[i]);
	for (size_t i = bundle->count; i-- > 0;)
		group_close(&bundle->groups[i]);
	free(bundle->groups);
	free(bundle->steps);
	drop_next(bundle);
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

static int last_of(const struct group *groups, size_t count)
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
	const int now = last_of(bundle->groups, bundle->count);
	const int then = last_of(bundle->next, bundle->next_count);

	return now > then ? now : then;
}
