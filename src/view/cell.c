/* Numbers have the digits of their column's format; those that are too wide lose decimals. */

#include "view/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "model/layout.h"
#include "view/column_table.h"
#include "view/functions.h"
#include "view/pairs.h"
#include "view/stalls.h"
#include "view/tree.h"
#include "view/trends.h"

enum {
	BRANCH_MAX = 128
};

static int counted_event(const char *name, const struct layout *layout)
{
	const int event = layout_find_event(layout, name);

	if (event < 0 || layout->events[event].is_removed ||
	    !event_is_counted(&layout->events[event]))
		return CELL_ABSENT;
	return event;
}

static int bind_kind(const char *name, const struct layout *layout)
{
	for (size_t i = 0; i < layout->kind_count; i++)
		if (strcmp(layout->kinds[i].name, name) == 0)
			return (int)i;
	return CELL_ABSENT;
}

struct cell_column cell_column_bind(const struct column *column, const struct metrics *metrics,
				    const struct layout *layout)
{
	return (struct cell_column){
		.column = column,
		.metric = column->metric ? metrics_find(metrics, column->metric) : CELL_ABSENT,
		.event = column->event ? counted_event(column->event, layout) : CELL_ABSENT,
		.kind = column->kind ? bind_kind(column->kind, layout) : CELL_ABSENT,
	};
}

/* Counts of a function: its samples say where it ran, not how long; and shares of estimates. */
static bool is_sampled(const struct view_row *row, const struct column *column)
{
	if (row->kind != ROW_FUNCTION)
		return false;
	return column->metric || (row->function->is_estimate && column->format == COLUMN_FIXED_1);
}

/* Getters of run time. */
static bool is_estimate(const struct layout *layout, const struct column *column)
{
	return (layout->estimated & (1u << QUANTITY_RUN_NS)) != 0 && column_is_run_time(column);
}

bool cell_column_is_estimate(const struct cell_source *source, const struct cell_column *bound)
{
	if (bound->column->number)
		return is_estimate(source->layout, bound->column);
	if (bound->event >= 0)
		return source->layout->events[bound->event].is_estimate;
	return bound->metric >= 0 && metrics_is_estimate(source->metrics, (size_t)bound->metric);
}

struct metric_value cell_number(const struct cell_source *source, const struct cell_column *bound,
				const struct view_row *row)
{
	const struct metric_value unknown = {.value = NAN};
	const struct column *column = bound->column;
	const double number =
		column->number ? column->number(&source->getter_input, row, column->part) : NAN;

	if (column->number && (!column->metric || !isnan(number)))
		return (struct metric_value){.value = number,
					     .is_scaled = column->is_estimate,
					     .is_estimate = is_estimate(source->layout, column)};
	if (!row->interval || (column->kind && bound->kind < 0))
		return unknown;
	if (bound->event >= 0 && row->unknown & METRIC_EVENTS_UNKNOWN)
		return unknown;
	if (bound->event >= 0)
		return metrics_event_rate(source->layout, (size_t)bound->event, bound->kind,
					  row->interval, row->interval_ns);
	if (bound->metric < 0)
		return unknown;
	if (column->kind)
		return metrics_eval_kind(source->metrics, (size_t)bound->metric,
					 (size_t)bound->kind, row->interval, row->unknown,
					 row->interval_ns);
	return metrics_eval(source->metrics, (size_t)bound->metric, row->interval, row->unknown,
			    row->interval_ns);
}

/* Large numbers lose decimals that mean nothing, or for which their column has no room. */
static void format_fixed(char text[static UNITS_TEXT_MAX], double value, int decimals, int width)
{
	if (value >= 1000.0)
		decimals = 0;
	do {
		units_format_fixed(text, value, decimals);
	} while (strlen(text) > (size_t)width && decimals-- > 0);
	if (value >= 100000.0)
		units_format_si(text, value);
}

/* Counts are not negative and below 2^64, but a formula may say anything. */
static uint64_t to_whole(double value)
{
	if (value <= 0)
		return 0;
	return value < 0x1p63 ? (uint64_t)llround(value) : UINT64_MAX;
}

static void format_number(char text[static UNITS_TEXT_MAX], const struct column *column,
			  double value)
{
	switch (column->format) {
	case COLUMN_INTEGER:
		units_format_fixed(text, value, 0);
		break;
	case COLUMN_SI:
		units_format_si(text, value);
		break;
	case COLUMN_BYTES:
		units_format_bytes(text, to_whole(value));
		break;
	case COLUMN_FIXED_1:
	case COLUMN_BAR:
		format_fixed(text, value, 1, column->width);
		break;
	case COLUMN_FIXED_2:
		format_fixed(text, value, 2, column->width);
		break;
	case COLUMN_DURATION:
		units_format_duration(text, to_whole(value * 1000.0));
		break;
	case COLUMN_CPU_TIME:
		units_format_cpu_time(text, to_whole(value));
		break;
	case COLUMN_CLOCK:
		/* the day is evident from the neighbouring rows */
		units_format_clock(text, (int64_t)(to_whole(value) * 1000), 6);
		break;
	case COLUMN_TEXT:
	case COLUMN_TREND:
	case COLUMN_FORMATS:
		text[0] = '\0';
		break;
	}
}

static void make_unknown(struct cell *cell)
{
	cell->is_unknown = true;
	strcpy(cell->text, "-");
}

/* "nginx 4711", or the number alone where there is no name. */
static void make_numbered_words(struct cell *cell, const struct getter_input *in,
				struct getter_text words)
{
	char number[16];
	size_t length;

	snprintf(number, sizeof(number), "%s%" PRId32, words.text[0] != '\0' ? " " : "",
		 words.number);
	length = text_safe(cell->text, sizeof(cell->text) - sizeof(number), words.text, in->ascii);
	strcpy(cell->text + length, number);
	cell->tail = strlen(number);
}

/* Length of the number at the end, with the blank or # before it; 0: there is none. */
static size_t tail_length(const char *text)
{
	const size_t length = strlen(text);
	size_t begin = length;

	while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
		begin--;
	if (begin == length || begin == 0)
		return length - begin;
	return strchr(" #", text[begin - 1]) ? length - begin + 1 : 0;
}

static void make_words(struct cell *cell, const struct getter_input *in, struct getter_text words)
{
	size_t length;

	if (words.number != 0) {
		make_numbered_words(cell, in, words);
		return;
	}
	if (words.text[0] == '\0') {
		make_unknown(cell);
		return;
	}
	if (words.mark) {
		snprintf(cell->text, sizeof(cell->text), "%s%s", words.text, words.mark);
		return;
	}
	if (!words.in_brackets) {
		text_safe(cell->text, sizeof(cell->text), words.text, in->ascii);
		if (words.ends_in_number)
			cell->tail = tail_length(cell->text);
		if (words.begins_with_program)
			cell->program = strcspn(cell->text, " ");
		return;
	}
	cell->text[0] = '[';
	length = 1 + text_safe(cell->text + 1, sizeof(cell->text) - 2, words.text, in->ascii);
	strcpy(cell->text + length, "]");
}

/* The lines of the tree come before the name; what has no room is cut. */
static void put_branch(struct cell *cell, const struct view_row *row, bool ascii)
{
	char branch[BRANCH_MAX];
	size_t length, room;

	tree_write_branch(branch, sizeof(branch), &row->branch, ascii);
	length = strlen(branch);
	room = sizeof(cell->text) - length - 1;
	if (length == 0)
		return;
	if (strlen(cell->text) > room) {
		while (((unsigned char)cell->text[room] & 0xc0) == 0x80)
			room--;
		cell->text[room] = '\0';
	}
	memmove(cell->text + length, cell->text, strlen(cell->text) + 1);
	memcpy(cell->text, branch, length);
	cell->head = length;
	cell->is_unknown = false;
}

/* Once in a row: that of accesses is of their addresses. */
static bool shows_tree(const struct view_row *row, const struct column *column)
{
	return column->shows_tree && (row->kind != ROW_ACCESS || column->rows == 1u << ROW_ACCESS);
}

/* What replaces counts. */
static bool is_from_proc(const struct view_row *row, const struct column *column)
{
	return row->is_from_proc && (column->metric || column_is_run_time(column));
}

/*
 * The least value of a full block in a trend: 100 for shares, so that small ones look small; 0: the
 * largest value of the rows.
 */
static double full_trend(const struct cell_source *source)
{
	const struct column *of = source->trends->of;
	const int metric = of && of->metric ? metrics_find(source->metrics, of->metric) : -1;

	if (metric < 0 || strcmp(metrics_info(source->metrics, (size_t)metric)->unit, "%") != 0)
		return 0;
	return 100;
}

/* Zero as it is shown, of an amount, and not one that is worst. */
static bool is_idle_zero(const struct column *column, const struct cell *cell)
{
	return column->descends && strpbrk(cell->text, "123456789") == NULL &&
	       (cell->goodness < 0 || cell->goodness >= METRIC_STEPS / 2);
}

/* "+0.31", "-2.5M"; "0.0" is neither more nor less. */
static void format_difference(struct cell *cell, const struct column *column, double value)
{
	char size[UNITS_TEXT_MAX];

	format_number(size, column, fabs(value));
	if (strpbrk(size, "123456789")) {
		snprintf(cell->text, sizeof(cell->text), "%c%s", value < 0 ? '-' : '+', size);
	} else {
		strcpy(cell->text, size);
		cell->is_minor = true;
	}
}

bool cell_has_difference(const struct column *column)
{
	if (column->words || column->format == COLUMN_TREND || column->format == COLUMN_CLOCK)
		return false;
	return column->metric || column->event || column->descends;
}

/* What the row is made of: what only the mark has is so of that. */
static const struct cell_source *source_of(const struct cell_source *now,
					   const struct view_row *row)
{
	return now->mark && row->is_gone ? now->mark->source : now;
}

static struct cell_column bind_marked(const struct cell_source *now, const struct column *column)
{
	return cell_column_bind(column, now->mark->source->metrics, now->mark->source->layout);
}

/* What has grown with the time that passed says nothing of another length of time. */
static bool is_comparable(const struct column *column, bool are_two)
{
	return column->total == TOTAL_NOT || (column->total == TOTAL_SINCE_START && !are_two);
}

/* Now less mark. marked: the column as it is bound for the mark */
static struct metric_value difference_of(const struct cell_source *now,
					 const struct cell_column *bound,
					 const struct cell_column *marked,
					 const struct view_row *row)
{
	const struct cell_mark *mark = now->mark;
	const struct view_row *before = row->is_gone ? row : mark->find(mark->difference, row);
	struct metric_value number =
		cell_number(now, bound, row->is_gone ? mark->nothing_now : row);
	const struct metric_value then =
		cell_number(mark->source, marked, before ? before : mark->nothing_there);

	number.value -= then.value;
	number.is_scaled |= then.is_scaled;
	number.is_estimate |= then.is_estimate;
	if (!is_comparable(bound->column, mark->are_two))
		number.value = NAN;
	return number;
}

static void make_difference(const struct cell_source *source, const struct cell_column *column,
			    const struct view_row *row, struct cell *cell)
{
	const struct cell_column marked = bind_marked(source, column->column);
	const struct metric_value number = difference_of(source, column, &marked, row);

	if (!isfinite(number.value)) {
		make_unknown(cell);
		return;
	}
	cell->is_difference = true;
	cell->value = number.value;
	cell->is_scaled = number.is_scaled;
	cell->is_estimate = number.is_estimate || is_from_proc(row, column->column) ||
			    is_sampled(row, column->column);
	format_difference(cell, column->column, number.value);
}

void cell_make(const struct cell_source *now, const struct cell_column *column,
	       const struct view_row *row, struct cell *cell)
{
	const struct cell_source *source = source_of(now, row);
	struct metric_value number;

	cell->value = NAN;
	cell->is_unknown = false;
	cell->is_scaled = false;
	cell->is_estimate = false;
	cell->is_minor = false;
	cell->is_difference = false;
	cell->goodness = -1;
	cell->load = 0;
	cell->system_pct = 0;
	cell->head = 0;
	cell->program = 0;
	cell->tail = 0;
	if (column->column->format == COLUMN_TREND) {
		if (!trends_write(source->trends, row->id ^ source->id_tag, source->time_ns,
				  full_trend(source), (size_t)column->column->width,
				  source->getter_input.ascii, cell->text, sizeof(cell->text)))
			make_unknown(cell);
		return;
	}
	if (column->column->words) {
		make_words(cell, &source->getter_input,
			   column->column->words(&source->getter_input, row));
		if (shows_tree(row, column->column))
			put_branch(cell, row, source->getter_input.ascii);
		return;
	}
	if (now->mark && cell_has_difference(column->column)) {
		make_difference(now, column, row, cell);
		return;
	}
	number = cell_number(source, column, row);
	if (!isfinite(number.value)) {
		make_unknown(cell);
		return;
	}
	cell->value = number.value;
	cell->is_scaled = number.is_scaled;
	cell->is_estimate = number.is_estimate || is_from_proc(row, column->column) ||
			    is_sampled(row, column->column);
	format_number(cell->text, column->column, number.value);
	if (column->metric >= 0 && !row_is_idle(row)) {
		const struct metric_info *info =
			metrics_info(source->metrics, (size_t)column->metric);

		cell->goodness = metric_goodness_shown(info, number.value, cell->text);
		cell->load = metric_load(info, number.value);
	}
	if (column->column->format == COLUMN_BAR && row->kind == ROW_CPU)
		cell->system_pct = fmax(0, cpu_system_pct(source->getter_input.snapshot,
							  row->cpu->cpu, number.value));
	cell->is_minor =
		(column->column->is_ratio && row->is_minor) || is_idle_zero(column->column, cell);
}

/*
 * Rank comes before value and is not reversed by the direction: ratios of rows that hardly
 * ran come behind those of rows that matter, then unknown values, and what is of no task
 * last. Equal values are ordered by identity,
 * ascending, so that rows do not jump from refresh to refresh.
 */

enum order_rank {
	RANK_KNOWN,
	/* a ratio of hardly anything, or what was taken from others than those asked for: by value,
	 * too, but behind all that matter */
	RANK_MINOR,
	RANK_UNKNOWN,
	RANK_LAST
};

/* marked: the column as it is bound for the mark, where there is one */
static struct order_value make_value(const struct view_row *row, const struct cell_source *now,
				     const struct cell_column *sort,
				     const struct cell_column *marked)
{
	const struct cell_source *source = source_of(now, row);
	struct order_value value = {.rank = RANK_KNOWN};

	if (sort->column->words) {
		value.text = sort->column->words(&source->getter_input, row).text;
		if (value.text[0] == '\0')
			value.rank = RANK_UNKNOWN;
	} else {
		value.number = now->mark && cell_has_difference(sort->column)
				       ? difference_of(now, sort, marked, row).value
				       : cell_number(source, sort, row).value;
		if (!isfinite(value.number))
			value.rank = RANK_UNKNOWN;
		else if (sort->column->is_ratio && row->is_minor)
			value.rank = RANK_MINOR;
	}
	if (row->pair && row->pair->is_taken && value.rank == RANK_KNOWN)
		value.rank = RANK_MINOR;
	if (row->kind == ROW_UNATTRIBUTED || row->kind == ROW_IDLE ||
	    (row->pair && row->pair->is_others))
		value.rank = RANK_LAST;
	return value;
}

static int compare_values(const struct order_value *a, const struct order_value *b,
			  const struct order_by *by)
{
	int result;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->rank != RANK_KNOWN && a->rank != RANK_MINOR)
		return 0;
	if (by->column->column->words)
		result = strcasecmp(a->text, b->text);
	else
		result = (a->number > b->number) - (a->number < b->number);
	return by->descends ? -result : result;
}

static int compare_order_keys(const void *left, const void *right, void *context)
{
	const struct order_key *a = left;
	const struct order_key *b = right;
	const struct order_by *by = context;

	for (size_t i = 0; i < ORDER_COLUMNS_MAX && by[i].column; i++) {
		const int result = compare_values(&a->values[i], &b->values[i], &by[i]);

		if (result != 0)
			return result;
	}
	return (a->id > b->id) - (a->id < b->id);
}

void order_keys(struct order_key *keys, size_t count, const struct order_by by[ORDER_COLUMNS_MAX])
{
	struct order_by order[ORDER_COLUMNS_MAX];

	memcpy(order, by, sizeof(order));
	if (count > 1)
		qsort_r(keys, count, sizeof(*keys), compare_order_keys, order);
}

void order_rows(struct order_key *keys, const struct view_row *rows, size_t count,
		const struct cell_source *source, const struct order_by by[ORDER_COLUMNS_MAX])
{
	struct cell_column marked[ORDER_COLUMNS_MAX] = {0};

	for (size_t j = 0; source->mark && j < ORDER_COLUMNS_MAX && by[j].column; j++)
		marked[j] = bind_marked(source, by[j].column->column);
	for (size_t i = 0; i < count; i++) {
		keys[i] = (struct order_key){.id = rows[i].id, .row = (uint32_t)i};
		for (size_t j = 0; j < ORDER_COLUMNS_MAX && by[j].column; j++)
			keys[i].values[j] = make_value(&rows[i], source, by[j].column, &marked[j]);
	}
	order_keys(keys, count, by);
}
