/*
 * A metric, once made, never changes: one that is replaced or taken back is retired and freed
 * with the set, so that borrowers of its texts or its formula keep them.
 *
 * Invariants: names are unique; no metric needs itself; the names in a formula and those in the
 * metrics it names, all counted as often as they occur there, are METRIC_NEEDS_MAX at most, so
 * code that follows them needs no care. What a user's metric is, metric_definition.c reads; whether
 * it may be one of the set is decided here.
 */
#include "model/metric_set.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/layout.h"
#include "model/metric_definition.h"

struct metric_list {
	struct metric **metrics; /* owned, and so are the metrics */
	size_t count, capacity;
};

struct metric_set {
	struct metric_list list;    /* the built-in ones first */
	struct metric_list retired; /* perhaps still borrowed */
	size_t builtin_count;
	size_t added;            /* by the last add; SIZE_MAX: there is none to take back */
	struct metric *replaced; /* by it; NULL: none. It is among the retired */
};

static void list_add(struct metric_list *list, struct metric *metric)
{
	array_reserve(&list->metrics, &list->capacity, list->count + 1, sizeof(struct metric *));
	list->metrics[list->count++] = metric;
}

static void destroy(struct metric *metric)
{
	formula_destroy(metric->formula);
	for (size_t i = 0; i < METRIC_TEXTS; i++)
		free(metric->texts[i]);
	free(metric);
}

static void list_fini(struct metric_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		destroy(list->metrics[i]);
	free(list->metrics);
}

static struct metric *create_builtin(const struct metric_info *info)
{
	struct metric *metric = xcalloc(1, sizeof(*metric));
	char message[FORMULA_ERROR_MAX];
	size_t position;

	metric->info = *info;
	metric->formula = formula_create(info->formula, &position, message);
	assert(metric->formula);
	return metric;
}

struct metric_set *metric_set_create(void)
{
	struct metric_set *set = xcalloc(1, sizeof(*set));
	const struct metric_info *table = metric_table(&set->builtin_count);

	for (size_t i = 0; i < set->builtin_count; i++)
		list_add(&set->list, create_builtin(&table[i]));
	set->added = SIZE_MAX;
	return set;
}

void metric_set_destroy(struct metric_set *set)
{
	if (!set)
		return;
	list_fini(&set->list);
	list_fini(&set->retired);
	free(set);
}

size_t metric_set_count(const struct metric_set *set)
{
	return set->list.count;
}

const struct metric_info *metric_set_info(const struct metric_set *set, size_t index)
{
	return &set->list.metrics[index]->info;
}

const struct formula *metric_set_formula(const struct metric_set *set, size_t index)
{
	return set->list.metrics[index]->formula;
}

int metric_set_find(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->list.count; i++)
		if (strcmp(set->list.metrics[i]->info.name, name) == 0)
			return (int)i;
	return -1;
}

struct metric_name metric_set_resolve(const struct metric_set *set, const char *name)
{
	const int quantity = layout_find_quantity(name);

	if (quantity >= 0)
		return (struct metric_name){METRIC_NAME_QUANTITY, (size_t)quantity};
	if (strcmp(name, "interval_ns") == 0)
		return (struct metric_name){.kind = METRIC_NAME_INTERVAL_NS};
	if (strcmp(name, "interval_s") == 0)
		return (struct metric_name){.kind = METRIC_NAME_INTERVAL_S};

	const int metric = metric_set_find(set, name);
	if (metric >= 0)
		return (struct metric_name){METRIC_NAME_METRIC, (size_t)metric};
	return (struct metric_name){.kind = METRIC_NAME_EVENT};
}

/* The built-in metric that needs an event of this name; NULL: none. */
static const char *needs_event(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->builtin_count; i++) {
		const char *used;

		for (size_t k = 0; (used = formula_name(set->list.metrics[i]->formula, k)); k++)
			if (strcmp(used, name) == 0)
				return set->list.metrics[i]->info.name;
	}
	return NULL;
}

static bool check_name(const struct metric_set *set, struct metric_reader *reader,
		       const struct metric *metric)
{
	const char *name = metric->texts[METRIC_TEXT_NAME];
	const struct metric_name taken = metric_set_resolve(set, name);
	const char *needs;

	switch (taken.kind) {
	case METRIC_NAME_QUANTITY:
	case METRIC_NAME_INTERVAL_NS:
	case METRIC_NAME_INTERVAL_S:
		return metric_reader_fail(reader, metric->name_at,
					  "%s is a quantity that has its name already", name);
	case METRIC_NAME_METRIC:
		if (taken.index < set->builtin_count)
			return metric_reader_fail(reader, metric->name_at,
						  "%s is a built-in metric", name);
		return true;
	case METRIC_NAME_EVENT:
		break;
	}
	needs = needs_event(set, name);
	if (needs)
		return metric_reader_fail(reader, metric->name_at,
					  "%s is an event that the metric %s needs", name, needs);
	return true;
}

/*
 * Whether metric `from` needs metric `target` through the metrics it names. *via is then the number
 * of the name in its formula, and the chain is written into `path`.
 */
static bool leads_to(const struct metric_set *set, size_t from, size_t target, size_t *via,
		     char path[static FORMULA_ERROR_MAX])
{
	const struct formula *formula = set->list.metrics[from]->formula;
	const char *name;
	size_t deeper;

	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);
		char rest[FORMULA_ERROR_MAX];

		if (meant.kind != METRIC_NAME_METRIC)
			continue;
		*via = i;
		if (meant.index == target) {
			snprintf(path, FORMULA_ERROR_MAX, "%s", name);
			return true;
		}
		if (leads_to(set, meant.index, target, &deeper, rest)) {
			snprintf(path, FORMULA_ERROR_MAX, "%s, which needs %.100s", name, rest);
			return true;
		}
	}
	return false;
}

static bool check_cycle(const struct metric_set *set, struct metric_reader *reader, size_t index)
{
	const struct metric *metric = set->list.metrics[index];
	char path[FORMULA_ERROR_MAX];
	size_t via = 0;

	if (!leads_to(set, index, index, &via, path))
		return true;
	return metric_reader_fail(
		reader, metric->formula_at + formula_name_position(metric->formula, via),
		"a metric cannot need itself: %.40s needs %.80s", metric->info.name, path);
}

/* Names that a metric needs, those of the metrics that it names included; above `most` it does not
 * count on. */
static size_t count_needs(const struct metric_set *set, size_t index, size_t most)
{
	const struct formula *formula = set->list.metrics[index]->formula;
	const char *name;
	size_t count = 0;

	for (size_t i = 0; count <= most && (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		count++;
		if (meant.kind == METRIC_NAME_METRIC && count <= most)
			count += count_needs(set, meant.index, most - count);
	}
	return count;
}

static bool check_needs(const struct metric_set *set, struct metric_reader *reader, size_t index)
{
	for (size_t i = 0; i < set->list.count; i++) {
		if (count_needs(set, i, METRIC_NEEDS_MAX) > METRIC_NEEDS_MAX)
			return metric_reader_fail(
				reader, set->list.metrics[index]->formula_at,
				"%s would need more than %d names through the metrics it names",
				set->list.metrics[i]->info.name, METRIC_NEEDS_MAX);
	}
	return true;
}

/* Gives the metric its place, that of the user's earlier one of its name where there is one. */
static void put(struct metric_set *set, struct metric *metric)
{
	const int earlier = metric_set_find(set, metric->info.name);

	set->replaced = NULL;
	set->added = set->list.count;
	if (earlier < 0) {
		list_add(&set->list, metric);
		return;
	}
	set->added = (size_t)earlier;
	set->replaced = set->list.metrics[set->added];
	list_add(&set->retired, set->replaced);
	set->list.metrics[set->added] = metric;
}

void metric_set_take_back(struct metric_set *set)
{
	struct metric *metric;

	if (set->added == SIZE_MAX)
		return;
	metric = set->list.metrics[set->added];
	if (set->replaced) {
		/* nothing was retired since */
		set->list.metrics[set->added] = set->replaced;
		set->retired.metrics[set->retired.count - 1] = metric;
	} else {
		set->list.count--;
		list_add(&set->retired, metric);
	}
	set->replaced = NULL;
	set->added = SIZE_MAX;
}

bool metric_set_add(struct metric_set *set, const char *definition, const struct metric_info **info,
		    size_t *position, char message[static FORMULA_ERROR_MAX])
{
	struct metric_reader reader = {
		.text = definition, .position = position, .message = message};
	struct metric *metric = xcalloc(1, sizeof(*metric));

	set->added = SIZE_MAX;
	if (!metric_define(metric, &reader) || !check_name(set, &reader, metric)) {
		destroy(metric);
		return false;
	}
	put(set, metric);
	if (!check_cycle(set, &reader, set->added) || !check_needs(set, &reader, set->added)) {
		metric_set_take_back(set);
		return false;
	}
	if (info)
		*info = &metric->info;
	return true;
}

/* Event names that were found so far. */
struct found {
	const char *names[METRIC_NEEDS_MAX];
	size_t count;
};

static void note_event(struct found *found, const char *name)
{
	for (size_t i = 0; i < found->count; i++)
		if (strcmp(found->names[i], name) == 0)
			return;
	found->names[found->count++] = name;
}

static void find_events(const struct metric_set *set, size_t index, struct found *found)
{
	const struct formula *formula = set->list.metrics[index]->formula;
	const char *name;

	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		if (meant.kind == METRIC_NAME_METRIC)
			find_events(set, meant.index, found);
		else if (meant.kind == METRIC_NAME_EVENT)
			note_event(found, name);
	}
}

void metric_set_events(const struct metric_set *set, size_t index,
		       void (*visit)(const char *event, void *context), void *context)
{
	struct found found = {.count = 0};

	find_events(set, index, &found);
	for (size_t i = 0; i < found.count; i++)
		visit(found.names[i], context);
}

static void add_parts(struct metric_parts *parts, const struct metric_set *set, size_t index)
{
	const struct formula *formula = set->list.metrics[index]->formula;
	const char *name;

	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		switch (meant.kind) {
		case METRIC_NAME_QUANTITY:
			parts->quantities |= UINT32_C(1) << meant.index;
			break;
		case METRIC_NAME_INTERVAL_NS:
		case METRIC_NAME_INTERVAL_S:
			parts->has_interval = true;
			break;
		case METRIC_NAME_METRIC:
			add_parts(parts, set, meant.index);
			break;
		case METRIC_NAME_EVENT:
			parts->has_events = true;
			break;
		}
	}
}

struct metric_parts metric_set_parts(const struct metric_set *set, size_t index)
{
	struct metric_parts parts = {0};

	add_parts(&parts, set, index);
	return parts;
}

size_t metric_set_position(const struct metric_set *set, size_t index, const char *name)
{
	const struct metric *metric = set->list.metrics[index];
	const char *used;

	for (size_t i = 0; (used = formula_name(metric->formula, i)); i++)
		if (metric->info.is_users && strcmp(used, name) == 0)
			return metric->formula_at + formula_name_position(metric->formula, i);
	return 0;
}

int metric_goodness(const struct metric_info *info, double value)
{
	int step = 0;

	if (isnan(value) || info->direction == METRIC_NEUTRAL ||
	    info->steps[METRIC_STEPS - 2] <= info->steps[0])
		return -1;
	while (step < METRIC_STEPS - 1 && value >= info->steps[step])
		step++;
	return info->direction == METRIC_HIGH_IS_GOOD ? step : METRIC_STEPS - 1 - step;
}

int metric_goodness_shown(const struct metric_info *info, double value, const char *text)
{
	const size_t length = strspn(text, "-0123456789.");
	const char *unit = text + length + strspn(text + length, " ");
	char number[32];
	double shown;

	if (length >= sizeof(number) || (*unit != '\0' && strcmp(unit, "%") != 0))
		return metric_goodness(info, value);
	memcpy(number, text, length);
	number[length] = '\0';
	return metric_goodness(info, units_parse_double(number, -DBL_MAX, DBL_MAX, &shown) ? shown
											   : value);
}
