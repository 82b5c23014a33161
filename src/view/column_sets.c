/*
 * At 80 columns a set has about 48, beside those of the view of tasks around it; the last one of a
 * set may have no room there.
 */

#include "view/column_sets.h"

#include "base/list.h"

/* clang-format off */
static const struct column_set sets[] = {
	{"topdown", "retiring_pct,fe_bound_pct,bad_spec_pct,be_bound_pct", "where the CPU's slots go: useful work, front end, wrong paths, back end"},
	{"memory", "miss%,mpki,l1d_mpki,dtlb_mpki,fault/s", "cache misses, TLB misses, page faults"},
	{"branches", "branch_miss_pct,br-mpki,branch_pct", "how many branches there are, and how many are mispredicted"},
	{"scheduling", "sw/s,pre/s,slice,rqwait%,wake,dwait%,migr/s", "context switches, and waits for a CPU"},
};
/* clang-format on */

enum {
	SET_COUNT = sizeof(sets) / sizeof(sets[0]),
	NAME_MAX = 32
};

const struct column_set *column_sets(size_t *count)
{
	*count = SET_COUNT;
	return sets;
}

const struct column_set *column_set_find(const char *text)
{
	char name[NAME_MAX];

	if (!word_list_next(&text, name, sizeof(name)) || *text != '\0')
		return NULL;
	return named_find(sets, SET_COUNT, sizeof(sets[0]), name);
}

const struct column_set *column_set_next(const struct column_set *set)
{
	if (!set)
		return sets;
	return set + 1 < sets + SET_COUNT ? set + 1 : NULL;
}

void column_set_names(char *text, size_t size)
{
	named_list(sets, SET_COUNT, sizeof(sets[0]), text, size);
}
