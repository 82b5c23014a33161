#include "source/thread_targets.h"

#include <unistd.h>

#include "kernel/proc.h"
#include "source/target_pids.h"

struct lister {
	struct sampling_target *targets;
	size_t count;
	bool is_full;
};

static bool add_target_thread(int32_t tid, void *context)
{
	struct lister *lister = context;

	lister->is_full = lister->count == THREAD_TARGETS_MAX;
	if (lister->is_full)
		return false;
	lister->targets[lister->count++] = (struct sampling_target){
		.tid = tid,
		.cpu = -1,
		.kind = SAMPLING_OFF_CPU,
	};
	return true;
}

/* Who may watch a CPU may not watch each process by itself. */
static bool may_be_watched(int32_t pid)
{
	return geteuid() == 0 || (proc_owner(pid) == (int64_t)geteuid() && !proc_is_guarded(pid));
}

bool thread_targets_list(struct sampling_target targets[static THREAD_TARGETS_MAX], size_t *count,
			 const struct target_pids *of)
{
	struct lister lister = {.targets = targets};

	*count = 0;
	for (const struct map_slot *each = NULL; (each = map_next(&of->pids, each));) {
		const int32_t pid = (int32_t)each->key;

		if (proc_owner(pid) < 0)
			continue; /* it is gone */
		if (!may_be_watched(pid))
			return false;
		proc_walk(pid, add_target_thread, &lister);
		if (lister.is_full)
			return false;
	}
	*count = lister.count;
	return true;
}
