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

bool bundle_is_open(const struct bundle *bundle, size_t group)
{
	return group < bundle->count && bundle->groups[group].leader_fd >= 0;
}

enum plan_step bundle_step(const struct bundle_request *request, size_t group)
{
	enum plan_step step;

	if (request->after->layout.groups[group].kind != request->kind)
		return PLAN_KEEP;
	step = plan_compare(request->before, request->after, group);
	return step == PLAN_EXTEND && !request->is_disabled ? PLAN_OPEN : step;
}

static bool prepare_group(struct bundle *bundle, const struct bundle_request *request, size_t index,
			  int *errno_value)
{
	struct group_request group = plan_group_request(request->after, index, &request->target);

	group.wakeup_bytes = request->wakeup_bytes;
	switch (bundle_step(request, index)) {
	case PLAN_OPEN:
		return group_open(&bundle->next[index], &group, request->features, NULL,
				  errno_value, NULL);
	case PLAN_EXTEND:
		return group_extend(&bundle->groups[index], &group, request->features, errno_value);
	case PLAN_KEEP:
	case PLAN_CLOSE:
	case PLAN_SHRINK:
		break;
	}
	return true;
}

void bundle_prepare_nothing(struct bundle *bundle, const struct bundle_request *request)
{
	bundle->next_count = request->after->layout.group_count;
	bundle->next = closed_groups(bundle->next_count);
}

bool bundle_prepare(struct bundle *bundle, const struct bundle_request *request, int *errno_value)
{
	bundle_prepare_nothing(bundle, request);
	for (size_t i = 0; i < bundle->next_count; i++) {
		if (prepare_group(bundle, request, i, errno_value))
			continue;
		bundle_abandon(bundle, request);
		return false;
	}
	return true;
}

static void drop_next(struct bundle *bundle)
{
	free(bundle->next);
	bundle->next = NULL;
	bundle->next_count = 0;
}

void bundle_abandon(struct bundle *bundle, const struct bundle_request *request)
{
	for (size_t i = bundle->next_count; i-- > 0;)
		group_close(&bundle->next[i]);
	for (size_t i = 0; i < bundle->count; i++) {
		struct group *group = &bundle->groups[i];

		while (group->count > request->before->layout.groups[i].count)
			group_close_member(group, group->count - 1);
	}
	drop_next(bundle);
}

static void shrink(struct group *group, const struct bundle_request *request, size_t index)
{
	for (size_t i = group->count; i-- > 0;)
		if (!plan_keeps_member(request->before, request->after, index, i))
			group_close_member(group, i);
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

void bundle_commit(struct bundle *bundle, const struct bundle_request *request)
{
	if (bundle->next_count > bundle->count)
		grow(bundle, bundle->next_count);
	for (size_t i = 0; i < bundle->count; i++) {
		switch (bundle_step(request, i)) {
		case PLAN_CLOSE:
			group_close(&bundle->groups[i]);
			break;
		case PLAN_OPEN:
			group_close(&bundle->groups[i]);
			bundle->groups[i] = bundle->next[i];
			break;
		case PLAN_SHRINK:
			shrink(&bundle->groups[i], request, i);
			break;
		case PLAN_KEEP:
		case PLAN_EXTEND:
			break;
		}
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
