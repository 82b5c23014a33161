#include "source/cpus/kinds.h"

#include <limits.h>

/* The first CPU that is watched, of the list unless it is empty; -1: none is. */
static int first_watched(const struct number_list *list, const struct number_list *online,
			 const struct number_list *only)
{
	for (size_t i = 0; i < online->count; i++) {
		const int cpu = online->numbers[i];

		if ((!only || number_list_has(only, cpu)) &&
		    (list->count == 0 || number_list_has(list, cpu)))
			return cpu;
	}
	return -1;
}

static struct plan_target target_of(int cpu)
{
	return (struct plan_target){.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = cpu};
}

static void add_kind(struct kinds *kinds, const struct event_core_pmu *pmu,
		     const struct number_list *online, const struct number_list *only)
{
	struct number_list list = {0};
	int cpu;

	if (pmu->cpus)
		number_list_parse(&list, pmu->cpus, INT_MAX);
	cpu = first_watched(&list, online, only);
	if (cpu < 0 || kinds->count == LAYOUT_KINDS_MAX) {
		if (kinds->absent_count < LAYOUT_KINDS_MAX)
			kinds->absent[kinds->absent_count++] = *pmu;
		number_list_fini(&list);
		return;
	}
	kinds->cpus[kinds->count] = list;
	kinds->targets[kinds->count] = target_of(cpu);
	kinds->pmus[kinds->count++] = *pmu;
}

void kinds_init(struct kinds *kinds, const struct event_core_pmu *pmus, size_t count,
		const struct number_list *online, const struct number_list *only)
{
	const struct number_list all = {0};

	*kinds = (struct kinds){0};
	for (size_t i = 0; i < count; i++)
		add_kind(kinds, &pmus[i], online, only);
	if (kinds->count == 0)
		kinds->targets[0] = target_of(first_watched(&all, online, only));
}

void kinds_fini(struct kinds *kinds)
{
	for (size_t i = 0; i < kinds->count; i++)
		number_list_fini(&kinds->cpus[i]);
	*kinds = (struct kinds){0};
}

struct plan_setup kinds_setup(const struct kinds *kinds)
{
	return (struct plan_setup){
		.pmus = kinds->pmus,
		.pmu_count = kinds->count,
		.absent = kinds->absent,
		.absent_count = kinds->absent_count,
		.targets = kinds->targets,
		.target_count = kinds->count > 0 ? kinds->count : 1,
	};
}

size_t kinds_of(const struct kinds *kinds, int cpu)
{
	for (size_t i = 0; i < kinds->count; i++)
		if (number_list_has(&kinds->cpus[i], cpu))
			return i;
	return 0;
}
