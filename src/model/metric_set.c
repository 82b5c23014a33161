/*
 * A metric, once made, never changes: one that is replaced or taken back is retired and freed
 * with the set, so that borrowers of its texts or its formula keep them.
 *
 * A user's definition, NAME = FORMULA [; CLAUSE...], is read from left to right. A clause is a word
 * of a table and what it takes: the text up to the next ';' that is in no quotes.
 *
 * Invariants: names are unique; no metric needs itself; the names in a formula and those in the
 * metrics it names, all counted as often as they occur there, are METRIC_NEEDS_MAX at most, so
 * code that follows them needs no care.
 */
#include "model/metric_set.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/layout.h"

enum text {
	TEXT_NAME,
	TEXT_TITLE,
	TEXT_FORMULA,
	TEXT_UNIT,
	TEXT_HELP,
	TEXTS
};

/* One of the set, built-in or a user's. */
struct metric {
	struct metric_info info;
	struct formula *formula; /* owned */
	size_t formula_at;       /* where it begins in the definition */
	size_t name_at;          /* likewise its name */
	char *texts[TEXTS];      /* owned; of a user's; NULL: none */
};

/* A definition that is read. */
struct reader {
	const char *text;
	size_t at;        /* as far as it is read */
	size_t *position; /* of the fault, for the caller */
	char *message;    /* for the caller; FORMULA_ERROR_MAX bytes */
};

enum {
	WORD_MAX = 32 /* bytes of a word in a clause, NUL included */
};

/* A piece of the definition. */
struct span {
	const char *start;
	size_t length;
};

/* Says what is wrong at a byte of the definition, and returns false. */
__attribute__((format(printf, 3, 4))) static bool fail(struct reader *reader, size_t position,
						       const char *format, ...)
{
	va_list arguments;

	*reader->position = position;
	va_start(arguments, format);
	vsnprintf(reader->message, FORMULA_ERROR_MAX, format, arguments);
	va_end(arguments);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char peek(struct reader *reader)
{
	while (is_blank(reader->text[reader->at]))
		reader->at++;
	return reader->text[reader->at];
}

static bool is_text(struct reader *reader)
{
	for (size_t i = 0; reader->text[i]; i++) {
		const unsigned char c = (unsigned char)reader->text[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return fail(reader, i, "a control character has no place in a metric");
	}
	return true;
}

static void keep(struct metric *metric, enum text text, struct span span)
{
	free(metric->texts[text]);
	metric->texts[text] = xstrndup(span.start, span.length);
}

static bool is_small_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool read_name(struct reader *reader, struct metric *metric)
{
	const bool is_good = is_small_letter(peek(reader));
	const char *start = reader->text + reader->at;
	const size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyz0123456789_%/.-");

	metric->name_at = reader->at;
	if (!is_good)
		return fail(reader, reader->at,
			    "expected a name: a small letter, then small letters, digits and "
			    "_ %% / . -");
	if (length >= METRIC_NAME_MAX)
		return fail(reader, reader->at, "a name has %d characters at most",
			    METRIC_NAME_MAX - 1);
	keep(metric, TEXT_NAME, (struct span){start, length});
	keep(metric, TEXT_TITLE, (struct span){start, length});
	for (char *c = metric->texts[TEXT_TITLE]; *c; c++)
		if (is_small_letter(*c))
			*c = (char)(*c - 'a' + 'A');
	reader->at += length;
	return true;
}

/* From here to the next ';' that is in no quotes, without the blanks around it. */
static struct span read_span(struct reader *reader)
{
	struct span span;
	bool is_quoted = false;

	peek(reader);
	span.start = reader->text + reader->at;
	for (; reader->text[reader->at]; reader->at++) {
		if (reader->text[reader->at] == '"')
			is_quoted = !is_quoted;
		if (reader->text[reader->at] == ';' && !is_quoted)
			break;
	}
	span.length = (size_t)(reader->text + reader->at - span.start);
	while (span.length > 0 && is_blank(span.start[span.length - 1]))
		span.length--;
	return span;
}

static bool read_formula(struct reader *reader, struct metric *metric)
{
	struct span span;
	size_t position = 0;

	if (peek(reader) != '=')
		return fail(reader, reader->at, "expected '=' and a formula");
	reader->at++;
	span = read_span(reader);
	metric->formula_at = (size_t)(span.start - reader->text);
	keep(metric, TEXT_FORMULA, span);
	metric->formula = formula_create(metric->texts[TEXT_FORMULA], &position, reader->message);
	if (!metric->formula) {
		*reader->position = metric->formula_at + position;
		return false;
	}
	if (!formula_name(metric->formula, METRIC_NAMES_MAX))
		return true;
	return fail(reader,
		    metric->formula_at + formula_name_position(metric->formula, METRIC_NAMES_MAX),
		    "a formula has %d names at most", METRIC_NAMES_MAX);
}

/* The next word of a text, which is cut off it; one that is too long is none. */
static bool next_word(struct span *text, char word[static WORD_MAX])
{
	size_t length = 0;

	while (text->length > 0 && is_blank(*text->start)) {
		text->start++;
		text->length--;
	}
	while (length < text->length && !is_blank(text->start[length]))
		length++;
	if (length == 0 || length >= WORD_MAX)
		return false;
	memcpy(word, text->start, length);
	word[length] = '\0';
	text->start += length;
	text->length -= length;
	return true;
}

static bool take_width(struct reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];
	uint64_t width;

	if (!next_word(&text, word) || text.length > 0 ||
	    !units_parse_u64(word, 1, METRIC_WIDTH_MAX, &width))
		return fail(reader, position, "a width is a whole number from 1 to %d",
			    METRIC_WIDTH_MAX);
	metric->info.width = (int)width;
	return true;
}

/* The borders of the scale, which may be left out. */
static bool take_steps(struct reader *reader, struct metric *metric, struct span text)
{
	double *steps = metric->info.steps;
	char word[WORD_MAX];

	for (size_t i = 0; i < METRIC_STEPS - 1; i++) {
		const size_t position = (size_t)(text.start - reader->text);

		if (!next_word(&text, word) || !units_parse_double(word, -1e300, 1e300, &steps[i]))
			return fail(reader, position, "a scale has %d numbers", METRIC_STEPS - 1);
		if (i > 0 && steps[i] <= steps[i - 1])
			return fail(reader, position, "the numbers of a scale ascend");
	}
	if (text.length > 0)
		return fail(reader, (size_t)(text.start - reader->text), "a scale has %d numbers",
			    METRIC_STEPS - 1);
	return true;
}

static bool take_good(struct reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];

	memset(metric->info.steps, 0, sizeof(metric->info.steps));
	if (!next_word(&text, word))
		return fail(reader, position, "expected high or low");
	if (strcmp(word, "high") == 0)
		metric->info.direction = METRIC_HIGH_IS_GOOD;
	else if (strcmp(word, "low") == 0)
		metric->info.direction = METRIC_LOW_IS_GOOD;
	else
		return fail(reader, position, "expected high or low");
	return text.length == 0 || take_steps(reader, metric, text);
}

/* clang-format off */
static const struct {
	const char *word;
	enum text text; /* that it is, where there is no function */
	bool (*take)(struct reader *reader, struct metric *metric, struct span text);
} clauses[] = {
	{"unit",  TEXT_UNIT, NULL},
	{"width", TEXTS,     take_width},
	{"help",  TEXT_HELP, NULL},
	{"good",  TEXTS,     take_good},
};

/* clang-format on */

/* What is behind a ';'; it may be nothing. */
static bool read_clause(struct reader *reader, struct metric *metric)
{
	const char next = peek(reader);
	const size_t start = reader->at;

	if (next == '\0' || next == ';')
		return true;
	while (is_small_letter(reader->text[reader->at]))
		reader->at++;
	for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
		const char *word = clauses[i].word;

		if (strlen(word) != reader->at - start ||
		    strncmp(word, reader->text + start, reader->at - start) != 0)
			continue;

		const struct span text = read_span(reader);
		if (text.length == 0)
			return fail(reader, (size_t)(text.start - reader->text),
				    "%s is followed by what it is", word);
		if (clauses[i].take)
			return clauses[i].take(reader, metric, text);
		keep(metric, clauses[i].text, text);
		return true;
	}
	return fail(reader, start, "expected unit, width, help or good");
}

static void fill_info(struct metric *metric)
{
	struct metric_info *info = &metric->info;

	info->name = metric->texts[TEXT_NAME];
	info->title = metric->texts[TEXT_TITLE];
	info->formula = metric->texts[TEXT_FORMULA];
	info->unit = metric->texts[TEXT_UNIT] ? metric->texts[TEXT_UNIT] : "";
	info->help = metric->texts[TEXT_HELP] ? metric->texts[TEXT_HELP] : "";
	info->good = "";
	info->is_users = true;
}

/* What the metric owns is the caller's to free, whatever is returned. */
static bool define(struct metric *metric, struct reader *reader)
{
	if (!is_text(reader) || !read_name(reader, metric) || !read_formula(reader, metric))
		return false;
	while (reader->text[reader->at] == ';') {
		reader->at++;
		if (!read_clause(reader, metric))
			return false;
	}
	fill_info(metric);
	return true;
}

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
	for (size_t i = 0; i < TEXTS; i++)
		free(metric->texts[i]);
	free(metric);
}

static void list_fini(struct metric_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		destroy(list->metrics[i]);
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
		list_add(&set->list, create_builtin(&table[i]));
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

static bool check_name(const struct metric_set *set, struct reader *reader,
		       const struct metric *metric)
{
	const char *name = metric->texts[TEXT_NAME];
	const struct metric_name taken = metric_set_resolve(set, name);
	const char *needs;

	switch (taken.kind) {
	case METRIC_NAME_QUANTITY:
	case METRIC_NAME_INTERVAL_NS:
	case METRIC_NAME_INTERVAL_S:
		return fail(reader, metric->name_at, "%s is a quantity that has its name already",
			    name);
	case METRIC_NAME_METRIC:
		if (taken.index < set->builtin_count)
			return fail(reader, metric->name_at, "%s is a built-in metric", name);
		return true;
	case METRIC_NAME_EVENT:
		break;
	}
	needs = needs_event(set, name);
	if (needs)
		return fail(reader, metric->name_at, "%s is an event that the metric %s needs",
			    name, needs);
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

static bool check_cycle(const struct metric_set *set, struct reader *reader, size_t index)
{
	const struct metric *metric = set->list.metrics[index];
	char path[FORMULA_ERROR_MAX];
	size_t via = 0;

	if (!leads_to(set, index, index, &via, path))
		return true;
	return fail(reader, metric->formula_at + formula_name_position(metric->formula, via),
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

static bool check_needs(const struct metric_set *set, struct reader *reader, size_t index)
{
	for (size_t i = 0; i < set->list.count; i++) {
		if (count_needs(set, i, METRIC_NEEDS_MAX) > METRIC_NEEDS_MAX)
			return fail(reader, set->list.metrics[index]->formula_at,
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
	struct reader reader = {.text = definition, .position = position, .message = message};
	struct metric *metric = xcalloc(1, sizeof(*metric));

	set->added = SIZE_MAX;
	if (!define(metric, &reader) || !check_name(set, &reader, metric)) {
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
