/*
 * A metric, once made, never changes: one that is replaced or taken back is retired and freed
 * with the set, so that borrowers of its texts or its formula keep them.
 *
 * Invariants: names are unique; no metric needs itself; the names in a formula and those in the
 * metrics it names, all counted as often as they occur there, are METRIC_NEEDS_MAX at most, so
 * code that follows them needs no care.
 */
#include "model/metric_set.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/layout.h"
#include "model/metric_definition.h"

struct metric_list {
	struct metric **metrics; /* owned, and so are the metrics */
	size_t count, capacity;
};

struct metric_set {
	struct metric_list list;    /* the built-in ones first */
	struct map by_name;         /* those of the list, by hash_of() */
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

static uint64_t hash_of(const char *name)
{
	return hash_text(1, name);
}

/* The metric has the place in the list from now on. */
static void set_place(struct metric_set *set, struct metric *metric, size_t index)
{
	metric->index = index;
	set->list.metrics[index] = metric;
	map_put(&set->by_name, hash_of(metric->info.name), metric);
}

static void append(struct metric_set *set, struct metric *metric)
{
	list_add(&set->list, metric);
	set_place(set, metric, set->list.count - 1);
}

static void list_fini(struct metric_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		metric_destroy(list->metrics[i]);
	free(list->metrics);
}

static struct formula *parse_builtin(const char *text)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;
	struct formula *formula = formula_create(text, &position, message);

	assert(formula);
	return formula;
}

static struct metric *create_builtin(const struct metric_info *info)
{
	struct metric *metric = xcalloc(1, sizeof(*metric));

	metric->info = *info;
	metric->formula = parse_builtin(info->formula);
	return metric;
}

struct metric_set *metric_set_create(void)
{
	struct metric_set *set = xcalloc(1, sizeof(*set));
	const struct metric_info *table = metric_table(&set->builtin_count);

	for (size_t i = 0; i < set->builtin_count; i++)
		append(set, create_builtin(&table[i]));
	set->added = SIZE_MAX;
	return set;
}

/*
 * The worst that the machine says of an event in the formula, itself and through metrics it names;
 * *event: of which.
 */
static enum metric_event look_at(const struct metric_set *set, const struct formula *formula,
				 const struct metric_machine *machine, const char **event)
{
	enum metric_event worst = METRIC_EVENT_COUNTED;
	const char *name;

	for (size_t i = 0; worst > METRIC_EVENT_ABSENT && (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);
		enum metric_event found = METRIC_EVENT_COUNTED;

		if (meant.kind == METRIC_NAME_EVENT)
			found = machine->look(name, machine->context);
		else if (meant.kind == METRIC_NAME_METRIC)
			found = look_at(set, set->list.metrics[meant.index]->formula, machine,
					&name);
		if (found >= worst)
			continue;
		worst = found;
		*event = name;
	}
	return worst;
}

/* The metric has this formula from now on, which lives as long as the program. */
static void set_formula(struct metric_set *set, struct metric *metric, const char *formula)
{
	struct metric *former = xcalloc(1, sizeof(*former));
	struct formula *parsed = parse_builtin(formula);

	former->formula = metric->formula;
	list_add(&set->retired, former);
	metric->formula = parsed;
	metric->info.formula = formula;
}

/* What the first event in it counts. */
static enum cache_level level_of(const struct metric_set *set, const struct formula *formula,
				 const struct metric_machine *machine)
{
	const char *name;

	for (size_t i = 0; (name = formula_name(formula, i)); i++)
		if (metric_set_resolve(set, name).kind == METRIC_NAME_EVENT)
			return machine->level(name, machine->context);
	return CACHE_LEVEL_UNKNOWN;
}

/* Of what is not counted it is not known. */
static enum cache_level level_counted(const struct metric_set *set, const struct formula *formula,
				      const struct metric_machine *machine)
{
	const enum cache_level level = level_of(set, formula, machine);
	const char *event;

	if (level == CACHE_LEVEL_UNKNOWN ||
	    look_at(set, formula, machine, &event) != METRIC_EVENT_COUNTED)
		return CACHE_LEVEL_UNKNOWN;
	return level;
}

/*
 * Whether the metric is better made of these events than of those that are of `level`. Names of
 * events change for something: a level that is known is kept unless another is nearer.
 */
static bool is_better(const struct metric_set *set, const char *choice, enum cache_level level,
		      const struct metric_machine *machine, struct metric_info *info)
{
	struct formula *formula = parse_builtin(choice);
	const bool is_nearer =
		level == CACHE_LEVEL_UNKNOWN || level_of(set, formula, machine) > level;
	const char *event = "";
	const enum metric_event found =
		is_nearer ? look_at(set, formula, machine, &event) : METRIC_EVENT_ABSENT;

	if (found == METRIC_EVENT_REFUSED && info->refused[0] == '\0')
		snprintf(info->refused, sizeof(info->refused), "%s", event);
	formula_destroy(formula);
	return found == METRIC_EVENT_COUNTED;
}

/* row: of the table. */
static const char *choose_formula(const struct metric_set *set, const struct metric_info *row,
				  const struct metric_machine *machine, struct metric_info *info)
{
	size_t count;
	const struct metric_choice *choices = metric_choices(&count);
	struct formula *given = parse_builtin(row->formula);
	const enum cache_level level = level_counted(set, given, machine);

	formula_destroy(given);
	info->refused[0] = '\0';
	for (size_t i = 0; i < count; i++)
		if (strcmp(choices[i].metric, row->name) == 0 &&
		    is_better(set, choices[i].formula, level, machine, info))
			return choices[i].formula;
	return row->formula;
}

static const struct metric_at_level *find_level(const struct metric_info *info)
{
	size_t count;
	const struct metric_at_level *levels = metric_levels(&count);

	for (size_t i = 0; i < count; i++)
		if (levels[i].level == info->level && strcmp(levels[i].metric, info->name) == 0)
			return &levels[i];
	return NULL;
}

/* What is said of it by what it counts; row: of the table. */
static void set_texts(struct metric_info *info, const struct metric_info *row)
{
	const struct metric_at_level *at = find_level(info);

	info->title = at ? at->title : row->title;
	info->width = at ? (int)strlen(at->title) : row->width;
	info->help = at ? at->help : row->help;
	info->good = at ? at->good : row->good;
	memcpy(info->steps, at ? at->steps : row->steps, sizeof(info->steps));
}

void metric_set_fit(struct metric_set *set, const struct metric_machine *machine)
{
	size_t count;
	const struct metric_info *table = metric_table(&count);

	for (size_t i = 0; i < count; i++) {
		struct metric *metric = set->list.metrics[i];
		const char *formula = choose_formula(set, &table[i], machine, &metric->info);

		if (strcmp(formula, metric->info.formula) != 0)
			set_formula(set, metric, formula);
		metric->info.level = level_counted(set, metric->formula, machine);
		set_texts(&metric->info, &table[i]);
	}
}

void metric_set_destroy(struct metric_set *set)
{
	if (!set)
		return;
	list_fini(&set->list);
	list_fini(&set->retired);
	map_fini(&set->by_name);
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
	const struct metric *metric = map_get(&set->by_name, hash_of(name));

	return metric && strcmp(metric->info.name, name) == 0 ? (int)metric->index : -1;
}

bool metric_set_has_refused(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->retired.count; i++) {
		const char *retired = set->retired.metrics[i]->texts[METRIC_TEXT_NAME];

		if (retired && strcmp(retired, name) == 0)
			return metric_set_find(set, name) < 0;
	}
	return false;
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

static bool check_name(const struct metric_set *set, const struct metric_fault *fault,
		       const struct metric *metric)
{
	const char *name = metric->texts[METRIC_TEXT_NAME];
	const struct metric_name taken = metric_set_resolve(set, name);
	const char *needs;

	switch (taken.kind) {
	case METRIC_NAME_QUANTITY:
	case METRIC_NAME_INTERVAL_NS:
	case METRIC_NAME_INTERVAL_S:
		return metric_fail(fault, metric->name_at,
				   "%s is a quantity that has its name already", name);
	case METRIC_NAME_METRIC:
		if (taken.index < set->builtin_count)
			return metric_fail(fault, metric->name_at, "%s is a built-in metric", name);
		return true;
	case METRIC_NAME_EVENT:
		break;
	}
	needs = needs_event(set, name);
	if (needs)
		return metric_fail(fault, metric->name_at,
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

static bool check_cycle(const struct metric_set *set, const struct metric_fault *fault,
			size_t index)
{
	const struct metric *metric = set->list.metrics[index];
	char path[FORMULA_ERROR_MAX];
	size_t via = 0;

	if (!leads_to(set, index, index, &via, path))
		return true;
	return metric_fail(fault, metric->formula_at + formula_name_position(metric->formula, via),
			   "a metric cannot need itself: %.40s needs %.80s", metric->info.name,
			   path);
}

/*
 * Names that a metric needs, those of the metrics that it names included; METRIC_NEEDS_MAX + 1
 * where there are more. `counts` has those of the metrics that were counted before, else 0.
 */
static size_t count_needs(const struct metric_set *set, size_t index, size_t *counts)
{
	const struct formula *formula = set->list.metrics[index]->formula;
	const char *name;
	size_t count = 0;

	if (counts[index] > 0)
		return counts[index];
	for (size_t i = 0; count <= METRIC_NEEDS_MAX && (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		count++;
		if (meant.kind == METRIC_NAME_METRIC)
			count += count_needs(set, meant.index, counts);
	}
	counts[index] = count <= METRIC_NEEDS_MAX ? count : METRIC_NEEDS_MAX + 1;
	return counts[index];
}

static bool check_needs(const struct metric_set *set, const struct metric_fault *fault,
			size_t index)
{
	size_t *counts = xcalloc(set->list.count, sizeof(*counts));
	size_t checked = 0;

	while (checked < set->list.count && count_needs(set, checked, counts) <= METRIC_NEEDS_MAX)
		checked++;
	free(counts);
	return checked == set->list.count ||
	       metric_fail(fault, set->list.metrics[index]->formula_at,
			   "%s would need more than %d names through the metrics it names",
			   set->list.metrics[checked]->info.name, METRIC_NEEDS_MAX);
}

/* Gives the metric its place, that of the user's earlier one of its name where there is one. */
static void put(struct metric_set *set, struct metric *metric)
{
	const int earlier = metric_set_find(set, metric->info.name);

	set->replaced = NULL;
	set->added = set->list.count;
	if (earlier < 0) {
		append(set, metric);
		return;
	}
	set->added = (size_t)earlier;
	set->replaced = set->list.metrics[set->added];
	list_add(&set->retired, set->replaced);
	set_place(set, metric, set->added);
}

void metric_set_take_back(struct metric_set *set)
{
	struct metric *metric;

	if (set->added == SIZE_MAX)
		return;
	metric = set->list.metrics[set->added];
	if (set->replaced) {
		/* nothing was retired since */
		set_place(set, set->replaced, set->added);
		set->retired.metrics[set->retired.count - 1] = metric;
	} else {
		map_remove(&set->by_name, hash_of(metric->info.name));
		set->list.count--;
		list_add(&set->retired, metric);
	}
	set->replaced = NULL;
	set->added = SIZE_MAX;
}

bool metric_set_add(struct metric_set *set, const char *definition, const struct metric_info **info,
		    size_t *position, char message[static FORMULA_ERROR_MAX])
{
	const struct metric_fault fault = {position, message};
	struct metric *metric = xcalloc(1, sizeof(*metric));

	set->added = SIZE_MAX;
	if (!metric_define(metric, definition, &fault) || !check_name(set, &fault, metric)) {
		metric_destroy(metric);
		return false;
	}
	put(set, metric);
	if (!check_cycle(set, &fault, set->added) || !check_needs(set, &fault, set->added)) {
		metric_set_take_back(set);
		return false;
	}
	if (info)
		*info = &metric->info;
	return true;
}

/* Visits the names that a metric needs, also through metrics it names. */
static void walk(const struct metric_set *set, size_t index,
		 void (*visit)(void *context, struct metric_name meant, const char *name),
		 void *context)
{
	const struct formula *formula = set->list.metrics[index]->formula;
	const char *name;

	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		if (meant.kind == METRIC_NAME_METRIC)
			walk(set, meant.index, visit, context);
		else
			visit(context, meant, name);
	}
}

/* Event names that were found so far. */
struct found {
	const char *names[METRIC_NEEDS_MAX];
	size_t count;
};

/* The event that a name in a formula makes necessary; NULL: none. */
static const char *event_of(struct metric_name meant, const char *name)
{
	if (meant.kind == METRIC_NAME_QUANTITY)
		return layout_quantity_event(meant.index);
	return meant.kind == METRIC_NAME_EVENT ? name : NULL;
}

static void note_event(void *context, struct metric_name meant, const char *name)
{
	struct found *found = context;

	name = event_of(meant, name);
	if (!name)
		return;
	for (size_t i = 0; i < found->count; i++)
		if (strcmp(found->names[i], name) == 0)
			return;
	found->names[found->count++] = name;
}

void metric_set_events(const struct metric_set *set, size_t index,
		       void (*visit)(const char *event, void *context), void *context)
{
	struct found found = {.count = 0};

	walk(set, index, note_event, &found);
	for (size_t i = 0; i < found.count; i++)
		visit(found.names[i], context);
}

static void note_part(void *context, struct metric_name meant, const char *name)
{
	struct metric_parts *parts = context;

	if (event_of(meant, name))
		parts->has_events = true;
	if (meant.kind == METRIC_NAME_QUANTITY)
		parts->quantities |= UINT32_C(1) << meant.index;
	else if (meant.kind != METRIC_NAME_EVENT)
		parts->has_interval = true;
}

struct metric_parts metric_set_parts(const struct metric_set *set, size_t index)
{
	struct metric_parts parts = {0};

	walk(set, index, note_part, &parts);
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
