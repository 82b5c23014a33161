/*
 * A metric, once made, never changes, so that borrowers of its texts or its formula keep them: one
 * that is replaced lives on behind the one that took its place. Built-in ones have a formula for
 * each choice, and only which of these is in use changes.
 *
 * Invariants: names are unique; no metric needs itself; built-in metrics name no others; the names
 * in a formula and those in the metrics it names, all counted as often as they occur there, are
 * METRIC_NEEDS_MAX at most, so code that follows them needs no care.
 */
#include "model/metric_set.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/layout.h"

static const char BLANKS[] = " \t";

struct metric {
	struct metric_info info;
	size_t index; /* in the set */
	struct formula *own;
	const struct formula *formula; /* that one, or one of the set's choices */
	size_t formula_at;             /* where it begins in a user's definition */
	char *text;                    /* owned; the definition, cut into the texts of info */
	char title[METRIC_NAME_MAX];   /* of a user's */
	struct metric *former;         /* owned; that it replaced, or that was refused before */
};

struct metric_set {
	struct metric **metrics; /* owned, and so are the metrics; the built-in ones first */
	size_t count, capacity, builtin_count;
	struct map by_name;       /* by hash_of() */
	struct formula **choices; /* owned, in the order of metric_choices() */
	size_t choice_count;
	struct metric *refused; /* owned */
};

/* Where what is wrong with a definition is said. */
struct fault {
	const char *text; /* the definition */
	size_t *position; /* in it */
	char *message;    /* FORMULA_ERROR_MAX bytes */
};

__attribute__((format(printf, 3, 4))) static bool
refuse_definition(const struct fault *fault, const char *where, const char *format, ...)
{
	va_list arguments;

	*fault->position = (size_t)(where - fault->text);
	va_start(arguments, format);
	vsnprintf(fault->message, FORMULA_ERROR_MAX, format, arguments);
	va_end(arguments);
	return false;
}

static uint64_t hash_of_name(const char *name)
{
	return hash_text(1, name);
}

/* The metric has the place in the list from now on. */
static void set_metric_place(struct metric_set *set, struct metric *metric, size_t index)
{
	metric->index = index;
	set->metrics[index] = metric;
	map_put(&set->by_name, hash_of_name(metric->info.name), metric);
}

static void append_metric(struct metric_set *set, struct metric *metric)
{
	array_reserve(&set->metrics, &set->capacity, set->count + 1, sizeof(struct metric *));
	set_metric_place(set, metric, set->count++);
}

static struct formula *parse_builtin(const char *text)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;
	struct formula *formula = formula_create(text, &position, message);

	assert(formula);
	return formula;
}

struct metric_set *metric_set_create(void)
{
	struct metric_set *set = xcalloc(1, sizeof(*set));
	const struct metric_info *table = metric_table(&set->builtin_count);
	const struct metric_choice *choices = metric_choices(&set->choice_count);

	for (size_t i = 0; i < set->builtin_count; i++) {
		struct metric *metric = xcalloc(1, sizeof(*metric));

		metric->info = table[i];
		metric->own = parse_builtin(table[i].formula);
		metric->formula = metric->own;
		append_metric(set, metric);
	}
	set->choices = xcalloc(set->choice_count, sizeof(*set->choices));
	for (size_t i = 0; i < set->choice_count; i++)
		set->choices[i] = parse_builtin(choices[i].formula);
	return set;
}

/* The metric and those behind it. */
static void destroy_metrics(struct metric *metric)
{
	while (metric) {
		struct metric *former = metric->former;

		formula_destroy(metric->own);
		free(metric->text);
		free(metric);
		metric = former;
	}
}

void metric_set_destroy(struct metric_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->count; i++)
		destroy_metrics(set->metrics[i]);
	destroy_metrics(set->refused);
	for (size_t i = 0; i < set->choice_count; i++)
		formula_destroy(set->choices[i]);
	free(set->metrics);
	free(set->choices);
	map_fini(&set->by_name);
	free(set);
}

size_t metric_set_count(const struct metric_set *set)
{
	return set->count;
}

const struct metric_info *metric_set_info(const struct metric_set *set, size_t index)
{
	return &set->metrics[index]->info;
}

const struct formula *metric_set_formula(const struct metric_set *set, size_t index)
{
	return set->metrics[index]->formula;
}

int metric_set_find(const struct metric_set *set, const char *name)
{
	const struct metric *metric = map_get(&set->by_name, hash_of_name(name));

	return metric && strcmp(metric->info.name, name) == 0 ? (int)metric->index : -1;
}

bool metric_set_has_refused(const struct metric_set *set, const char *name)
{
	for (const struct metric *metric = set->refused; metric; metric = metric->former)
		if (strcmp(metric->info.name, name) == 0)
			return metric_set_find(set, name) < 0;
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

/* The worst that the machine says of an event in a built-in formula; *event: of which. */
static enum metric_event look_at_formula(const struct metric_set *set,
					 const struct formula *formula,
					 const struct metric_machine *machine, const char **event)
{
	enum metric_event worst = METRIC_EVENT_COUNTED;
	const char *name;

	for (size_t i = 0; worst > METRIC_EVENT_ABSENT && (name = formula_name(formula, i)); i++) {
		if (metric_set_resolve(set, name).kind != METRIC_NAME_EVENT)
			continue;

		const enum metric_event found = machine->look(name, machine->context);
		if (found < worst)
			*event = name;
		worst = found < worst ? found : worst;
	}
	return worst;
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

	return level != CACHE_LEVEL_UNKNOWN && look_at_formula(set, formula, machine, &event) ==
						       METRIC_EVENT_COUNTED
		       ? level
		       : CACHE_LEVEL_UNKNOWN;
}

/*
 * Takes the first choice that is counted. Names of events change for something: a level that is
 * known is kept unless another is nearer.
 */
static void choose_formula(const struct metric_set *set, const struct metric_machine *machine,
			   struct metric *metric)
{
	size_t count;
	const struct metric_choice *choices = metric_choices(&count);
	const enum cache_level level = level_counted(set, metric->own, machine);
	struct metric_info *info = &metric->info;

	for (size_t i = 0; i < count; i++) {
		const char *event = "";

		if (strcmp(choices[i].metric, info->name) != 0 ||
		    (level != CACHE_LEVEL_UNKNOWN &&
		     level_of(set, set->choices[i], machine) <= level))
			continue;

		const enum metric_event found =
			look_at_formula(set, set->choices[i], machine, &event);
		if (found == METRIC_EVENT_REFUSED && info->refused[0] == '\0')
			snprintf(info->refused, sizeof(info->refused), "%s", event);
		if (found != METRIC_EVENT_COUNTED)
			continue;
		metric->formula = set->choices[i];
		info->formula = choices[i].formula;
		return;
	}
}

/* What is said of it by what it counts. */
static void set_texts_of_level(struct metric_info *info)
{
	size_t count;
	const struct metric_at_level *at = metric_levels(&count);

	for (; count > 0; count--, at++) {
		if (at->level != info->level || strcmp(at->metric, info->name) != 0)
			continue;
		info->title = at->title;
		info->width = (int)strlen(at->title);
		info->help = at->help;
		info->good = at->good;
		memcpy(info->steps, at->steps, sizeof(info->steps));
	}
}

void metric_set_fit(struct metric_set *set, const struct metric_machine *machine)
{
	size_t count;
	const struct metric_info *table = metric_table(&count);

	for (size_t i = 0; i < count; i++) {
		struct metric *metric = set->metrics[i];

		metric->info = table[i];
		metric->formula = metric->own;
		choose_formula(set, machine, metric);
		metric->info.level = level_counted(set, metric->formula, machine);
		set_texts_of_level(&metric->info);
	}
}

/* The text up to the next ';' that is in no quotes, without the blanks around it. *rest: what is
 * behind the ';', NULL: nothing. */
static char *next_clause(char **rest)
{
	char *start = *rest + strspn(*rest, BLANKS);
	char *end = start;

	for (bool is_quoted = false; *end != '\0' && (is_quoted || *end != ';'); end++)
		is_quoted ^= *end == '"';
	*rest = *end ? end + 1 : NULL;
	while (end > start && strchr(BLANKS, end[-1]))
		end--;
	*end = '\0';
	return start;
}

/* The next word, which is "" at the end. */
static const char *next_definition_word(char **rest)
{
	char *word = *rest;
	char *end = word + strcspn(word, BLANKS);

	*rest = end + strspn(end, BLANKS);
	*end = '\0';
	return word;
}

/* high|low [A B C D] */
static bool read_good(struct metric_info *info, char *text)
{
	const char *word = next_definition_word(&text);
	const bool has_scale = *text != '\0';
	double *steps = info->steps;

	info->direction = strcmp(word, "high") == 0 ? METRIC_HIGH_IS_GOOD : METRIC_LOW_IS_GOOD;
	memset(info->steps, 0, sizeof(info->steps));
	if (info->direction == METRIC_LOW_IS_GOOD && strcmp(word, "low") != 0)
		return false;
	for (size_t i = 0; has_scale && i < METRIC_STEPS - 1; i++)
		if (!units_parse_double(next_definition_word(&text), -1e300, 1e300, &steps[i]) ||
		    (i > 0 && steps[i] <= steps[i - 1]))
			return false;
	return *text == '\0';
}

/* What is behind a ';'; it may be nothing. Returns what is wrong with it; NULL: nothing. */
static const char *read_clause(struct metric_info *info, char *text)
{
	const char *word = next_definition_word(&text);
	uint64_t width;

	if (*word == '\0')
		return NULL;
	static_assert(METRIC_WIDTH_MAX == 80 && METRIC_STEPS - 1 == 4,
		      "the sentences below have these numbers");
	if (strcmp(word, "unit") == 0 && *text) {
		info->unit = text;
	} else if (strcmp(word, "help") == 0 && *text) {
		info->help = text;
	} else if (strcmp(word, "width") == 0 && *text) {
		if (!units_parse_u64(text, 1, METRIC_WIDTH_MAX, &width))
			return "a width is a whole number from 1 to 80";
		info->width = (int)width;
	} else if (strcmp(word, "good") == 0 && *text) {
		if (!read_good(info, text))
			return "expected good high or good low, and for a scale 4 ascending "
			       "numbers";
	} else {
		return "expected unit TEXT, width N, help TEXT, good high or good low";
	}
	return NULL;
}

/* NAME = FORMULA */
static bool read_formula(struct metric *metric, const struct fault *fault, char *text)
{
	const bool is_good = *text >= 'a' && *text <= 'z';
	char *end = text + strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_%/.-");
	char *formula = end + strspn(end, BLANKS);
	size_t position = 0;

	if (!is_good)
		return refuse_definition(
			fault, text,
			"expected a name: a small letter, then small letters, digits and "
			"_ %% / . -");
	if (end - text >= METRIC_NAME_MAX)
		return refuse_definition(fault, text, "a name has %d characters at most",
					 METRIC_NAME_MAX - 1);
	if (*formula != '=')
		return refuse_definition(fault, formula, "expected '=' and a formula");
	formula++;
	formula += strspn(formula, BLANKS);
	*end = '\0';
	for (size_t i = 0; text[i]; i++)
		metric->title[i] =
			(char)(text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]);
	metric->info.name = text;
	metric->info.title = metric->title;
	metric->info.formula = formula;
	metric->formula_at = (size_t)(formula - metric->text);
	metric->own = formula_create(formula, &position, fault->message);
	metric->formula = metric->own;
	if (!metric->own) {
		*fault->position = metric->formula_at + position;
		return false;
	}
	if (!formula_name(metric->own, METRIC_NAMES_MAX))
		return true;
	return refuse_definition(fault,
				 formula + formula_name_position(metric->own, METRIC_NAMES_MAX),
				 "a formula has %d names at most", METRIC_NAMES_MAX);
}

static bool read_definition(struct metric *metric, const struct fault *fault)
{
	char *rest = metric->text;

	for (const char *c = rest; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
			return refuse_definition(fault, c,
						 "a control character has no place in a metric");
	if (!read_formula(metric, fault, next_clause(&rest)))
		return false;
	while (rest) {
		char *clause = next_clause(&rest);
		const char *wrong = read_clause(&metric->info, clause);

		if (wrong)
			return refuse_definition(fault, clause, "%s", wrong);
	}
	return true;
}

static bool formula_has_name(const struct formula *formula, const char *name)
{
	const char *used;

	for (size_t i = 0; (used = formula_name(formula, i)); i++)
		if (strcmp(used, name) == 0)
			return true;
	return false;
}

/* The built-in metric that needs an event of this name, or may need it; NULL: none. */
static const char *needs_event(const struct metric_set *set, const char *name)
{
	size_t count;
	const struct metric_choice *choices = metric_choices(&count);

	for (size_t i = 0; i < set->builtin_count; i++)
		if (formula_has_name(set->metrics[i]->own, name))
			return set->metrics[i]->info.name;
	for (size_t i = 0; i < count; i++)
		if (formula_has_name(set->choices[i], name))
			return choices[i].metric;
	return NULL;
}

static bool check_name(const struct metric_set *set, const struct fault *fault, const char *name)
{
	const struct metric_name taken = metric_set_resolve(set, name);
	const char *needs = needs_event(set, name);

	if (taken.kind == METRIC_NAME_METRIC && taken.index < set->builtin_count)
		return refuse_definition(fault, name, "%s is a built-in metric", name);
	if (taken.kind != METRIC_NAME_METRIC && taken.kind != METRIC_NAME_EVENT)
		return refuse_definition(fault, name, "%s is a quantity that has its name already",
					 name);
	return !needs || refuse_definition(fault, name, "%s is an event that the metric %s needs",
					   name, needs);
}

/*
 * Whether metric `from` needs metric `target` through the metrics it names; *via: the number of the
 * name in its formula.
 */
static bool leads_to(const struct metric_set *set, size_t from, size_t target, size_t *via)
{
	const struct formula *formula = set->metrics[from]->formula;
	const char *name;
	size_t deeper;

	for (*via = 0; (name = formula_name(formula, *via)); ++*via) {
		const struct metric_name meant = metric_set_resolve(set, name);

		if (meant.kind == METRIC_NAME_METRIC &&
		    (meant.index == target || leads_to(set, meant.index, target, &deeper)))
			return true;
	}
	return false;
}

/*
 * Names that a metric needs, those of the metrics that it names included; METRIC_NEEDS_MAX + 1
 * where there are more. `counts` has those of the metrics that were counted before, else 0.
 */
static size_t count_needs(const struct metric_set *set, size_t index, size_t *counts)
{
	const struct formula *formula = set->metrics[index]->formula;
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

static bool check_needs(const struct metric_set *set, const struct fault *fault,
			const struct metric *metric)
{
	const char *formula = metric->text + metric->formula_at;
	size_t via, checked = 0;

	if (leads_to(set, metric->index, metric->index, &via))
		return refuse_definition(fault,
					 formula + formula_name_position(metric->formula, via),
					 "%s would need itself, through %s", metric->info.name,
					 formula_name(metric->formula, via));

	size_t *counts = xcalloc(set->count, sizeof(*counts));
	while (checked < set->count && count_needs(set, checked, counts) <= METRIC_NEEDS_MAX)
		checked++;
	free(counts);
	return checked == set->count ||
	       refuse_definition(fault, formula,
				 "%s would need more than %d names through the metrics it names",
				 set->metrics[checked]->info.name, METRIC_NEEDS_MAX);
}

void metric_set_take_back(struct metric_set *set, size_t index)
{
	struct metric *metric = set->metrics[index];

	if (metric->former) {
		set_metric_place(set, metric->former, index);
	} else {
		assert(index == set->count - 1);
		map_remove(&set->by_name, hash_of_name(metric->info.name));
		set->count--;
	}
	metric->former = set->refused;
	set->refused = metric;
}

bool metric_set_add(struct metric_set *set, const char *definition, const struct metric_info **info,
		    size_t *position, char message[static FORMULA_ERROR_MAX])
{
	struct metric *metric = xcalloc(1, sizeof(*metric));
	int earlier;

	metric->text = xstrdup(definition);
	metric->info = (struct metric_info){
		.name = "", .title = "", .unit = "", .help = "", .good = "", .is_users = true};

	const struct fault fault = {metric->text, position, message};
	if (!read_definition(metric, &fault) || !check_name(set, &fault, metric->info.name)) {
		destroy_metrics(metric);
		return false;
	}
	earlier = metric_set_find(set, metric->info.name);
	if (earlier < 0) {
		append_metric(set, metric);
	} else {
		metric->former = set->metrics[earlier];
		set_metric_place(set, metric, (size_t)earlier);
	}
	if (!check_needs(set, &fault, metric)) {
		metric_set_take_back(set, metric->index);
		return false;
	}
	if (info)
		*info = &metric->info;
	return true;
}

/* Visits the names that a metric needs, also through metrics it names. */
static void walk_names(const struct metric_set *set, size_t index,
		       void (*visit)(void *context, struct metric_name meant, const char *name),
		       void *context)
{
	const struct formula *formula = set->metrics[index]->formula;
	const char *name;

	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(set, name);

		if (meant.kind == METRIC_NAME_METRIC)
			walk_names(set, meant.index, visit, context);
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

	walk_names(set, index, note_event, &found);
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

	walk_names(set, index, note_part, &parts);
	return parts;
}

size_t metric_set_position(const struct metric_set *set, size_t index, const char *name)
{
	const struct metric *metric = set->metrics[index];
	const char *used;

	for (size_t i = 0; (used = formula_name(metric->formula, i)); i++)
		if (metric->info.is_users && strcmp(used, name) == 0)
			return metric->formula_at + formula_name_position(metric->formula, i);
	return 0;
}
