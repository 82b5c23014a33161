/*
 * All columns, of the table (column_table.c) and others. Each entry of the table has a copy that
 * knows its metric, so that all columns are handled alike. Invariant: a metric of the set has
 * exactly one column without a kind, and so has an event.
 */

#include "view/column.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/column_table.h"
#include "view/row_kind.h"
#include "view/title.h"

enum {
	KIND_NAME_MAX = LAYOUT_KIND_NAME_MAX,
	HELP_MAX = 512,
	WIDTH_LEAST =
		6, /* of columns without a width of their own: three digits, point, suffix, minus */
	WIDTH_MOST = 40,
	TITLE_WIDEST = 24
};

/* A column that is not of the table, with the texts that it owns. */
struct made {
	struct column column;
	char name[COLUMN_NAME_MAX];
	char title[TITLE_BYTES_MAX];
	char help[HELP_MAX];
	char kind[KIND_NAME_MAX];
	char of[COLUMN_NAME_MAX]; /* metric or event */
	int own_width;            /* while another one is set; 0: none is */
};

struct columns {
	const struct metric_set *set; /* borrowed */
	size_t metric_count;          /* of the set, that have been looked at */
	struct made **made;           /* owned, each by itself: they never move */
	size_t count, capacity;
	size_t built_in_count; /* the first of them */
	char kinds[LAYOUT_KINDS_MAX][KIND_NAME_MAX];
	size_t kind_count;
};

static struct made *append_column(struct columns *columns, const struct column *like)
{
	struct made *made = xcalloc(1, sizeof(*made));

	made->column = *like;
	made->column.name = made->name;
	made->column.title = made->title;
	array_reserve(&columns->made, &columns->capacity, columns->count + 1,
		      sizeof(*columns->made));
	columns->made[columns->count++] = made;
	return made;
}

static void widen_to_title(struct made *made)
{
	const int title = (int)strlen(made->title);

	if (made->column.width < title)
		made->column.width = title;
	if (made->column.width > WIDTH_MOST)
		made->column.width = WIDTH_MOST;
}

/* The entry of the table that shows the metric; NULL: none. */
static const struct column *table_entry_of(const char *metric)
{
	for (size_t i = 0; i < column_table_count; i++)
		if (column_table[i].metric && strcmp(column_table[i].metric, metric) == 0)
			return &column_table[i];
	return NULL;
}

static enum column_format format_of(const struct metric_info *info)
{
	if (strcmp(info->unit, "%") == 0)
		return COLUMN_FIXED_1;
	if (strcmp(info->unit, "us") == 0)
		return COLUMN_DURATION;
	return COLUMN_SI;
}

/*
 * Sets what follows from the metric's parts. Rates and shares of the interval say how much there is
 * of something, and waits matter most to tasks that hardly run; everything else is a ratio.
 */
static void look_into(struct column *column, const struct metric_set *set)
{
	const uint32_t wakeups =
		1u << QUANTITY_QUEUED_NS | 1u << QUANTITY_WAKEUP_NS | 1u << QUANTITY_WAKEUPS;
	const int metric = metric_set_find(set, column->info->name);
	const struct metric_parts parts = metric_set_parts(set, (size_t)metric);
	const uint32_t preempted = 1u << QUANTITY_PREEMPTED_NS;
	const uint32_t latency = 1u << QUANTITY_LATENCY_NS;

	column->needs = (parts.quantities & wakeups ? COLUMN_NEEDS_WAKEUPS : 0) |
			(parts.quantities & preempted ? COLUMN_NEEDS_LIMITS : 0) |
			(parts.quantities & LAYOUT_SMT ? COLUMN_NEEDS_SMT : 0) |
			(parts.quantities & (uint32_t)LAYOUT_STATES
				 ? COLUMN_NEEDS_STATES | COLUMN_NEEDS_WAKEUPS
				 : 0) |
			(parts.quantities & latency ? COLUMN_NEEDS_LATENCY : 0);
	column->is_ratio = !parts.has_interval &&
			   (parts.quantities & (LAYOUT_WAITS | (uint32_t)LAYOUT_STATES)) == 0 &&
			   (parts.has_events || strcmp(column->info->unit, "%") == 0);
}

/* The title of a metric's column is the metric's, which names the cache that is counted. */
static void take_title(struct made *made)
{
	const struct metric_info *info = made->column.info;

	snprintf(made->title, sizeof(made->title), "%s", info->title);
	made->column.width = info->width > 0 ? info->width : WIDTH_LEAST;
	widen_to_title(made);
}

/* What the metric says of itself. */
static void describe_metric(const struct columns *columns, struct made *made,
			    const struct metric_info *info)
{
	made->column.info = info;
	look_into(&made->column, columns->set);
	made->column.metric = info->name;
	made->column.format = format_of(info);
	made->column.help = info->help[0] != '\0' ? NULL : info->formula;
	take_title(made);
}

static void add_metric_column(struct columns *columns, const struct metric_info *info)
{
	const struct column like = {.descends = true, .was_asked_for = true};
	struct made *made = append_column(columns, &like);

	snprintf(made->name, sizeof(made->name), "%s", info->name);
	describe_metric(columns, made, info);
}

/* Makes columns for metrics that were added to the set. */
static void look_at_set(struct columns *columns)
{
	while (columns->metric_count < metric_set_count(columns->set)) {
		const struct metric_info *info =
			metric_set_info(columns->set, columns->metric_count++);

		/* those of the table were made in its order */
		if (!table_entry_of(info->name))
			add_metric_column(columns, info);
	}
}

static void add_table_row(struct columns *columns, const struct column *entry)
{
	struct made *made = append_column(columns, entry);

	made->column.name = entry->name;
	if (!entry->metric) {
		made->column.title = entry->title;
		return;
	}
	made->column.info =
		metric_set_info(columns->set, (size_t)metric_set_find(columns->set, entry->metric));
	look_into(&made->column, columns->set);
	take_title(made);
}

/* What only rows of one kind have. */
static void add_own_columns(struct columns *columns, enum row_kind kind,
			    const struct row_kind_info *info)
{
	for (size_t i = 0; i < info->column_count; i++) {
		struct column column = info->columns[i];

		column.rows |= 1u << kind;
		add_table_row(columns, &column);
	}
}

struct columns *columns_create(const struct metric_set *set,
			       const struct row_kind_info *const kinds[ROW_KINDS])
{
	struct columns *columns = xcalloc(1, sizeof(*columns));

	columns->set = set;
	for (size_t i = 0; i < column_table_count; i++)
		add_table_row(columns, &column_table[i]);
	for (enum row_kind kind = 0; kind < ROW_KINDS; kind++)
		add_own_columns(columns, kind, kinds[kind]);
	columns->built_in_count = columns->count;
	look_at_set(columns);
	return columns;
}

void columns_metric_changed(struct columns *columns, const struct metric_info *info)
{
	look_at_set(columns);
	for (size_t i = 0; i < columns->count; i++) {
		struct made *made = columns->made[i];
		struct column *column = &made->column;

		if (!column->metric || strcmp(column->metric, info->name) != 0)
			continue;
		if (column->kind)
			column->info = info;
		else
			describe_metric(columns, made, info);
		made->own_width = 0;
	}
}

/* Adds the kind of CPUs to title and help; help: that of the whole column. */
static void add_cpu_kind(struct made *made, const char *help)
{
	title_add_kind(made->title, made->kind);
	snprintf(made->help, sizeof(made->help), "On CPUs of kind %s: %s", made->kind, help);
	made->column.help = made->help;
	widen_to_title(made);
}

void columns_metrics_fitted(struct columns *columns)
{
	look_at_set(columns);
	for (size_t i = 0; i < columns->count; i++) {
		struct made *made = columns->made[i];
		const int width = made->own_width > 0 ? made->column.width : 0;

		if (!made->column.info)
			continue;
		take_title(made);
		if (made->column.kind)
			add_cpu_kind(made, made->column.info->help);
		made->own_width = width > 0 && width != made->column.width ? made->column.width : 0;
		made->column.width = width > 0 ? width : made->column.width;
	}
}

/* NULL: it is a column of the table. */
static struct made *find_made(const struct columns *columns, const struct column *column)
{
	for (size_t i = 0; i < columns->count; i++)
		if (&columns->made[i]->column == column)
			return columns->made[i];
	return NULL;
}

void columns_set_width(struct columns *columns, const struct column *column, int width)
{
	struct made *made = find_made(columns, column);
	const int own = made->own_width > 0 ? made->own_width : made->column.width;

	made->own_width = width > 0 && width != own ? own : 0;
	made->column.width = made->own_width > 0 ? width : own;
}

int columns_set_width_of(const struct columns *columns, const struct column *column)
{
	return find_made(columns, column)->own_width > 0 ? column->width : 0;
}

void columns_destroy(struct columns *columns)
{
	if (!columns)
		return;
	for (size_t i = 0; i < columns->count; i++)
		free(columns->made[i]);
	free(columns->made);
	free(columns);
}

size_t columns_count(struct columns *columns)
{
	look_at_set(columns);
	return columns->count;
}

const struct column *columns_get(struct columns *columns, size_t index)
{
	assert(index < columns->count);
	return &columns->made[index]->column;
}

/* Names of events are case-sensitive; all others are not. */
static bool column_is_named(const struct column *column, const char *name)
{
	return column->event ? strcmp(column->name, name) == 0
			     : strcasecmp(column->name, name) == 0;
}

/* As it stands over the column of a metric, but for blanks: "usr", "dwait%". Other titles are names
 * of events, too. */
static bool column_is_titled(const struct column *column, const char *name)
{
	const char *title = column->metric && !column->kind ? column->title : "";

	if (*title == '\0')
		return false;
	while (*title != '\0' && (*title == ' ' || tolower(*title) == tolower(*name))) {
		name += *title != ' ';
		title++;
	}
	return *title == '\0' && *name == '\0';
}

/* By its name, or its title where none has that name. */
static const struct column *find_column(struct columns *columns, const char *name)
{
	look_at_set(columns);
	for (size_t i = 0; i < columns->count; i++)
		if (column_is_named(&columns->made[i]->column, name))
			return &columns->made[i]->column;
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->made[i]->column;

		if (column->metric && !column->kind && strcasecmp(column->metric, name) == 0)
			return column;
	}
	for (size_t i = 0; i < columns->count; i++)
		if (column_is_titled(&columns->made[i]->column, name))
			return &columns->made[i]->column;
	return NULL;
}

int columns_split(const struct columns *columns, const char *text, char *name, size_t size)
{
	const char *at = strrchr(text, '@');

	snprintf(name, size, "%s", text);
	for (size_t i = 0; at && i < columns->kind_count; i++) {
		if (strcasecmp(at + 1, columns->kinds[i]) != 0)
			continue;
		if ((size_t)(at - text) < size)
			name[at - text] = '\0';
		return (int)i;
	}
	return -1;
}

/* The column for one kind of CPU; NULL: the column is a fact about the row. */
static const struct column *split_off(struct columns *columns, const struct column *whole,
				      const char *kind)
{
	struct made *made;

	if (!whole->metric && !whole->event)
		return NULL;
	made = append_column(columns, whole);
	snprintf(made->name, sizeof(made->name), "%s@%s", whole->name, kind);
	snprintf(made->title, sizeof(made->title), "%s", whole->title);
	snprintf(made->kind, sizeof(made->kind), "%s", kind);
	made->column.kind = made->kind;
	made->column.was_asked_for = true;
	add_cpu_kind(made, column_help(whole));
	return &made->column;
}

const struct column *columns_find(struct columns *columns, const char *name)
{
	const struct column *column = find_column(columns, name);
	char whole[COLUMN_NAME_MAX];
	int kind;

	if (column)
		return column;
	kind = columns_split(columns, name, whole, sizeof(whole));
	if (kind < 0)
		return NULL;
	column = find_column(columns, whole);
	return column ? columns_of_kind(columns, column, kind) : NULL;
}

const struct column *columns_of_kind(struct columns *columns, const struct column *whole, int kind)
{
	char name[COLUMN_NAME_MAX];
	const struct column *column;

	snprintf(name, sizeof(name), "%s@%s", whole->name, columns->kinds[kind]);
	column = find_column(columns, name);
	return column ? column : split_off(columns, whole, columns->kinds[kind]);
}

static const struct column *find_event_column(const struct columns *columns, const char *event)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->made[i]->column;

		if (column->event && !column->kind && strcmp(column->event, event) == 0)
			return column;
	}
	return NULL;
}

/* Another column of that title; NULL: none. */
static struct made *find_title(const struct columns *columns, const struct made *by)
{
	for (size_t i = 0; i < columns->count; i++) {
		struct made *other = columns->made[i];

		if (other != by && strcmp(other->column.title, by->title) == 0)
			return other;
	}
	return NULL;
}

/* Gives two events with the same title enough of their names to distinguish them. */
static bool distinguish_titles(const struct columns *columns, struct made *made, struct made *other)
{
	bool differs = false;

	if (!other->column.event)
		return false;
	for (size_t width = COLUMN_TITLE_MAX; width <= TITLE_WIDEST && !differs; width++) {
		title_of_event(made->title, made->of, width);
		title_of_event(other->title, other->of, width);
		differs = strcmp(made->title, other->title) != 0 && !find_title(columns, made) &&
			  !find_title(columns, other);
	}
	if (!differs)
		title_of_event(other->title, other->of, COLUMN_TITLE_MAX);
	widen_to_title(other);
	return differs;
}

/* Events that no title distinguishes have numbers. */
static void make_title(const struct columns *columns, struct made *made)
{
	struct made *other;
	size_t number = 2;

	title_of_event(made->title, made->of, COLUMN_TITLE_MAX);
	other = find_title(columns, made);
	if (!other || distinguish_titles(columns, made, other))
		return;
	do {
		title_of_event(made->title, made->of, COLUMN_TITLE_MAX);
		title_add_number(made->title, number++);
	} while (find_title(columns, made));
}

const struct column *columns_add_event(struct columns *columns, const char *event, const char *unit)
{
	static const struct column like = {
		.width = WIDTH_LEAST,
		.format = COLUMN_SI,
		.descends = true,
		.was_asked_for = true,
	};
	const struct column *known = find_event_column(columns, event);
	struct made *made;

	if (known)
		return known;
	made = append_column(columns, &like);
	snprintf(made->name, sizeof(made->name), "%s", event);
	snprintf(made->of, sizeof(made->of), "%s", event);
	make_title(columns, made);
	snprintf(made->help, sizeof(made->help), "Event %s: %s per second.", event,
		 unit[0] != '\0' ? unit : "times");
	made->column.event = made->of;
	made->column.help = made->help;
	widen_to_title(made);
	return &made->column;
}

void columns_know_kinds(struct columns *columns, const struct layout *layout)
{
	columns->kind_count = 0;
	for (size_t i = 0; i < layout->kind_count; i++) {
		if (layout->kinds[i].name[0] == '\0')
			continue;
		snprintf(columns->kinds[columns->kind_count++], KIND_NAME_MAX, "%s",
			 layout->kinds[i].name);
	}
}

bool columns_is_built_in(const struct columns *columns, const char *name)
{
	for (size_t i = 0; i < columns->built_in_count; i++)
		if (strcasecmp(columns->made[i]->column.name, name) == 0)
			return true;
	return false;
}

/* And so a value in all columns that do not name their rows. */
static const bool has_counts[ROW_KINDS] = {
#define KIND(constant, name, counts) [ROW_##constant] = counts,
#define VIEW(name, kinds)            kinds
#include "view/views.def"
#undef KIND
};

/* Functions have ratios of events. */
bool column_is_of(const struct column *column, enum row_kind kind)
{
	if (column->rows != 0)
		return column->rows & 1u << kind;
	return has_counts[kind] || (kind == ROW_FUNCTION && column->metric && column->is_ratio);
}

const char *column_help(const struct column *column)
{
	if (column->help)
		return column->help;
	return column->info ? column->info->help : "";
}

/* Lists are short and searched linearly. */

void column_list_fini(struct column_list *list)
{
	free(list->columns);
	*list = (struct column_list){0};
}

void column_list_copy(struct column_list *copy, const struct column_list *list)
{
	*copy = (struct column_list){0};
	for (size_t i = 0; i < list->count; i++)
		column_list_add(copy, list->columns[i]);
}

bool column_list_has(const struct column_list *list, const struct column *column)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->columns[i] == column)
			return true;
	return false;
}

void column_list_add(struct column_list *list, const struct column *column)
{
	array_reserve(&list->columns, &list->capacity, list->count + 1, sizeof(*list->columns));
	list->columns[list->count++] = column;
}

void column_list_insert(struct column_list *list, const struct column *column)
{
	const struct column *last;

	if (column_list_has(list, column))
		return;
	column_list_add(list, column);
	if (list->count < 2)
		return;
	last = list->columns[list->count - 2];
	if (last->format != COLUMN_TEXT || column->format == COLUMN_TEXT)
		return;
	list->columns[list->count - 2] = column;
	list->columns[list->count - 1] = last;
}

bool column_list_remove(struct column_list *list, const struct column *column)
{
	size_t kept = 0;
	const size_t before = list->count;

	for (size_t i = 0; i < before; i++)
		if (list->columns[i] != column)
			list->columns[kept++] = list->columns[i];
	list->count = kept;
	return kept != before;
}

/* Whether slashes in the text are not in pairs. */
static bool has_paths(const char *word)
{
	static const char *const forms[] = {
		"uprobe:", "uretprobe:", "kprobe:", "kretprobe:", "mem:"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strncmp(word, forms[i], strlen(forms[i])) == 0)
			return true;
	return false;
}

/* Bytes up to the comma that ends the text of an event. */
static size_t length_of_event(const char *text)
{
	const bool slashes_pair = !has_paths(text);
	bool is_between = false; /* two slashes */
	size_t depth = 0;
	size_t length = 0;

	for (; text[length] != '\0'; length++) {
		const char c = text[length];

		if (c == ',' && depth == 0 && !is_between)
			break;
		if (c == '/' && slashes_pair)
			is_between = !is_between;
		depth += c == '{';
		depth -= c == '}' && depth > 0;
	}
	return length;
}

/* Copies the word without the blanks at its end. */
static void copy_word(char *word, size_t size, const char *begin, size_t length)
{
	while (length > 0 && begin[length - 1] == ' ')
		length--;
	snprintf(word, size, "%.*s", (int)length, begin);
}

bool column_word_next(struct columns *columns, const char **cursor, char *word, size_t size)
{
	const char *begin = *cursor + strspn(*cursor, " ");
	size_t length = strcspn(begin, ",");

	if (**cursor == '\0')
		return false;
	copy_word(word, size, begin, length);
	/* "sw/s" has a slash, too */
	if (!columns_find(columns, word)) {
		length = length_of_event(begin);
		copy_word(word, size, begin, length);
	}
	*cursor = begin[length] == ',' ? begin + length + 1 : begin + length;
	return true;
}
