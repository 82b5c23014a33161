/*
 * A name is looked for among the columns first; what is none may be the text of an event. Whether
 * an event that is known can be counted is the machine's business: where it is refused its column
 * shows that it is unknown, and the message line says why.
 */
#include "choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "model/layout.h"
#include "model/metric.h"
#include "source/source.h"
#include "view/column.h"
#include "view/filter.h"
#include "view/table.h"

#include "engine/engine.h"

enum {
	NAMES_MAX = 1024
};

void chooser_init(struct chooser *chooser, struct engine *engine)
{
	*chooser = (struct chooser){
		.engine = engine,
		.columns = columns_create(engine->metric_set),
	};
	columns_know_kinds(chooser->columns, &engine->source->layout);
}

void chooser_fini(struct chooser *chooser)
{
	columns_destroy(chooser->columns);
	chooser->columns = NULL;
}

static const struct event *find_event(const struct chooser *chooser, const char *name)
{
	const struct layout *layout = &chooser->engine->source->layout;
	const int index = layout_find_event(layout, name);

	return index >= 0 && !layout->events[index].is_removed ? &layout->events[index] : NULL;
}

/* Names of events, until the engine has finished with its layout. */
struct names {
	char **names; /* owned */
	size_t count, capacity;
};

static void note_name(const char *name, void *context)
{
	struct names *names = context;

	array_reserve(&names->names, &names->capacity, names->count + 1, sizeof(*names->names));
	names->names[names->count++] = xstrdup(name);
}

static void names_fini(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
}

bool choose_events(struct chooser *chooser, const char *list, struct column_list *added,
		   size_t *position, struct error *error)
{
	struct names names = {0};
	bool good;

	*position = CHOOSE_NOWHERE;
	good = engine_add_events(chooser->engine, list, note_name, &names, position, error);
	for (size_t i = 0; good && i < names.count; i++) {
		const struct event *event = find_event(chooser, names.names[i]);

		column_list_add(added, columns_add_event(chooser->columns, names.names[i],
							 event ? event->unit : ""));
	}
	names_fini(&names);
	return good;
}

bool choose_metric(struct chooser *chooser, const char *definition, const struct column **column,
		   size_t *position, struct error *error)
{
	const struct metric_info *info;
	const size_t begin = strspn(definition, " ");
	char name[COLUMN_NAME_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(definition + begin, " ="),
		 definition + begin);
	*position = begin;
	if (column_is_built_in(name))
		return error_set(error, ERROR_METRIC_TAKEN, name, NULL);
	*position = CHOOSE_NOWHERE;
	if (!engine_add_metric(chooser->engine, definition, &info, position, error))
		return false;
	columns_metric_changed(chooser->columns, info);
	*column = columns_find(chooser->columns, info->name);
	return true;
}

/* Whether a text that is no column is meant to be an event: then it is refused as one. */
static bool is_event_text(const char *word)
{
	return strpbrk(word, ":/{}=") ||
	       (word[0] == 'r' && word[1] != '\0' &&
		word[1 + strspn(word + 1, "0123456789abcdefABCDEF")] == '\0');
}

/* The columns that may have been meant; "" when none is near. */
static void find_nearest(const struct chooser *chooser, const char *word, char *names, size_t size)
{
	const size_t count = columns_count(chooser->columns);
	struct nearest nearest;

	nearest_init(&nearest, word);
	for (size_t i = 0; i < count; i++)
		nearest_offer(&nearest, columns_get(chooser->columns, i)->name);
	nearest_format(&nearest, names, size);
}

static bool refuse_unknown(const struct chooser *chooser, const char *word, struct error *error)
{
	char names[NAMES_MAX], hint[NAMES_MAX + 32];

	find_nearest(chooser, word, names, sizeof(names));
	if (names[0] != '\0') {
		snprintf(hint, sizeof(hint), "the nearest: %s", names);
	} else {
		column_names(names, sizeof(names));
		snprintf(hint, sizeof(hint), "columns are: %s", names);
	}
	return error_set(error, ERROR_COLUMN_UNKNOWN, word[0] != '\0' ? word : "\"\"", hint);
}

/* Whether an event that is not known was refused with others that may have been meant. */
static bool has_near_events(const char *word, const struct error *refusal)
{
	struct error lonely;

	error_set(&lonely, ERROR_EVENT_UNKNOWN, word, "none");
	return refusal->code == ERROR_EVENT_UNKNOWN && strcmp(refusal->remedy, lonely.remedy) != 0;
}

static bool refuse_name(const struct chooser *chooser, const char *word,
			const struct error *refusal, struct error *error)
{
	char columns[NAMES_MAX];
	bool is_about_event = is_event_text(word) && refusal->code != ERROR_NONE;

	if (!is_about_event && has_near_events(word, refusal)) {
		find_nearest(chooser, word, columns, sizeof(columns));
		is_about_event = columns[0] == '\0';
	}
	if (!is_about_event)
		return refuse_unknown(chooser, word, error);
	if (error)
		*error = *refusal;
	return false;
}

/* The columns of a text that is no column's name, but events'. */
static bool open_events(struct chooser *chooser, const char *word, struct column_list *chosen,
			size_t *position, struct error *error)
{
	struct column_list added = {0};
	struct error refusal = {0};
	char list[COLUMN_NAME_MAX * 2];
	const int kind = columns_split(chooser->columns, word, list, sizeof(list));
	bool good = list[0] != '\0' && choose_events(chooser, list, &added, position, &refusal);

	for (size_t i = 0; good && i < added.count; i++) {
		char name[COLUMN_NAME_MAX];

		snprintf(name, sizeof(name), "%.250s%s", added.columns[i]->name,
			 kind >= 0 ? strrchr(word, '@') : "");
		column_list_add(chosen, columns_find(chooser->columns, name));
	}
	column_list_fini(&added);
	return good || refuse_name(chooser, word, &refusal, error);
}

/* What a column needs is counted from now on, if it can be. */
static bool open_column(struct chooser *chooser, const struct column *column, struct error *error)
{
	struct column_list again = {0};
	size_t position;
	bool good = true;

	if (column->metric) {
		engine_need_metric(chooser->engine, column->metric, &chooser->note);
	} else if (column->event && !find_event(chooser, column->event)) {
		good = choose_events(chooser, column->event, &again, &position, error);
		column_list_fini(&again);
	}
	return good;
}

static bool choose_column(struct chooser *chooser, const char *word, struct column_list *chosen,
			  size_t *position, struct error *error)
{
	const struct column *column = columns_find(chooser->columns, word);

	*position = 0;
	if (!column)
		return open_events(chooser, word, chosen, position, error);
	if (!open_column(chooser, column, error))
		return false;
	column_list_add(chosen, column);
	return true;
}

/* Which events of the layout are asked for; the caller frees it. */
static bool *note_events(const struct chooser *chooser, size_t *count)
{
	const struct layout *layout = &chooser->engine->source->layout;
	bool *is_open = xcalloc(layout->event_count + 1, sizeof(*is_open));

	*count = layout->event_count;
	for (size_t i = 0; i < layout->event_count; i++)
		is_open[i] = !layout->events[i].is_removed;
	return is_open;
}

/* Counts no longer what was not asked for when it was noted. */
static void take_back(struct chooser *chooser, const bool *was_open, size_t count)
{
	const struct layout *layout = &chooser->engine->source->layout;
	struct names names = {0};

	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed && (i >= count || !was_open[i]))
			note_name(layout->events[i].name, &names);
	for (size_t i = 0; i < names.count; i++)
		engine_remove_event(chooser->engine, names.names[i], NULL);
	names_fini(&names);
}

bool choose_columns(struct chooser *chooser, const char *list, struct column_list *chosen,
		    size_t *position, struct error *error)
{
	struct column_list found = {0};
	char word[COLUMN_NAME_MAX * 2];
	const char *cursor = list;
	const char *begin = list;
	struct error refusal = {0};
	size_t open_count;
	bool *was_open = note_events(chooser, &open_count);
	bool good = true;

	chooser->note = (struct error){0};
	*position = 0;
	while (good && (begin = cursor + strspn(cursor, " ")) &&
	       column_word_next(chooser->columns, &cursor, word, sizeof(word)))
		good = choose_column(chooser, word, &found, position, &refusal);
	if (good && found.count == 0)
		good = refuse_unknown(chooser, "", &refusal);
	for (size_t i = 0; good && i < found.count; i++)
		column_list_add(chosen, found.columns[i]);
	column_list_fini(&found);
	if (!good)
		take_back(chooser, was_open, open_count);
	free(was_open);
	if (!good && *position != CHOOSE_NOWHERE)
		*position += (size_t)(begin - list);
	if (!good && error)
		*error = refusal;
	return good;
}

bool choose_sort(struct chooser *chooser, const char *text, const struct column **column,
		 bool *reversed, size_t *position, struct error *error)
{
	const size_t sign = *text == '-' || *text == '+';
	struct column_list found = {0};
	bool good;

	chooser->note = (struct error){0};
	good = choose_column(chooser, text + sign, &found, position, error);
	if (good && found.count > 0 && found.columns[0]->format == COLUMN_TREND) {
		*position = sign;
		good = error_set(error, ERROR_COLUMN_NO_ORDER, found.columns[0]->name, NULL);
	} else if (good && found.count > 0) {
		*column = found.columns[0];
		*reversed = sign > 0 && (*text == '-') != (*column)->descends;
	} else if (*position != CHOOSE_NOWHERE) {
		*position += sign;
	}
	column_list_fini(&found);
	return good;
}

/* Where the first column of the list ends, which may be an event with commas in its text. */
static const char *end_of_first(const struct chooser *chooser, const char *text)
{
	const char *cursor = text + (*text == '-' || *text == '+');
	char word[COLUMN_NAME_MAX * 2];
	const bool found = column_word_next(chooser->columns, &cursor, word, sizeof(word));

	return found && cursor > text && cursor[-1] == ',' ? cursor - 1 : cursor;
}

bool choose_order(struct chooser *chooser, const char *text, struct chosen_order *order,
		  size_t *position, struct error *error)
{
	const char *end = end_of_first(chooser, text);
	const char *rest = *end == ',' ? end + 1 + strspn(end + 1, " ") : NULL;
	struct chosen_order chosen = {0};
	char *first = xstrndup(text, (size_t)(end - text));
	bool good =
		choose_sort(chooser, first, &chosen.sort, &chosen.sort_reversed, position, error);

	free(first);
	if (good && rest && *end_of_first(chooser, rest) == ',') {
		*position = (size_t)(end_of_first(chooser, rest) - text);
		good = error_set(error, ERROR_SORT_COUNT, text, NULL);
	} else if (good && rest) {
		good = choose_sort(chooser, rest, &chosen.then, &chosen.then_reversed, position,
				   error);
		*position += *position != CHOOSE_NOWHERE ? (size_t)(rest - text) : 0;
	}
	if (good)
		*order = chosen;
	return good;
}

/* A name that is no column may be an event. */
static bool open_name(struct chooser *chooser, const char *text, size_t *position,
		      struct error *error)
{
	struct column_list found = {0};
	struct error refusal = {0};
	char name[COLUMN_NAME_MAX];
	size_t fault;
	bool good;

	if (!filter_name_at(text, *position, name, sizeof(name)))
		return false;
	good = choose_column(chooser, name, &found, &fault, &refusal);
	column_list_fini(&found);
	/* the filter's own sentence knows more than that there is no such column */
	if (!good && refusal.code != ERROR_COLUMN_UNKNOWN) {
		*position += fault != CHOOSE_NOWHERE ? fault : 0;
		if (error)
			*error = refusal;
	}
	return good;
}

/* NULL: refused. Names of events that have no column yet are opened one after the other. */
static struct filter *make_filter(struct chooser *chooser, const char *text, size_t *position,
				  struct error *error)
{
	struct filter *filter = NULL;
	struct error refusal = {0};
	size_t last = SIZE_MAX;

	while (!filter) {
		filter = filter_create(text, chooser->columns, position, &refusal);
		if (filter || refusal.code != ERROR_FILTER_NAME || *position == last)
			break;
		last = *position;
		if (!open_name(chooser, text, position, &refusal))
			break;
	}
	if (!filter && error)
		*error = refusal;
	return filter;
}

static void note_refused(const char *name, void *context)
{
	struct chooser *chooser = context;
	const struct event *event = find_event(chooser, name);

	if (!event || event_is_counted(event) || chooser->note.code != ERROR_NONE)
		return;
	error_set(&chooser->note, ERROR_EVENT_REFUSED, name,
		  event->reason[0] != '\0' ? event->reason : event_state_name(event->state));
}

static bool open_compared(struct chooser *chooser, const struct column *column, struct error *error)
{
	const struct metric_set *set = chooser->engine->metric_set;
	int metric;

	if (!open_column(chooser, column, error))
		return false;
	metric = column->metric ? metric_set_find(set, column->metric) : -1;
	if (metric >= 0)
		metric_set_events(set, (size_t)metric, note_refused, chooser);
	if (column->event)
		note_refused(column->event, chooser);
	return true;
}

bool choose_filter(struct chooser *chooser, const char *text, size_t *position, struct error *error)
{
	size_t open_count;
	bool *was_open = note_events(chooser, &open_count);
	struct column_list compared = {0};
	struct filter *filter;
	bool good;

	chooser->note = (struct error){0};
	*position = CHOOSE_NOWHERE;
	filter = make_filter(chooser, text, position, error);
	good = filter;
	for (size_t i = 0; good && i < filter_column_count(filter); i++) {
		const struct column *column = filter_column(filter, i);

		if (column_list_has(&compared, column))
			continue;
		column_list_add(&compared, column);
		good = open_compared(chooser, column, error);
	}
	column_list_fini(&compared);
	filter_destroy(filter);
	if (!good)
		take_back(chooser, was_open, open_count);
	free(was_open);
	return good;
}

bool choose_fits_view(const struct chooser *chooser, const char *text, const struct view_info *view,
		      struct error *error)
{
	size_t position;
	struct filter *filter = filter_create(text, chooser->columns, &position, NULL);
	const char *unsupported = filter ? filter_unsupported(filter, view->filtered) : NULL;
	const bool fits =
		!unsupported || error_set(error, ERROR_FILTER_VIEW, unsupported, view->name);

	filter_destroy(filter);
	return fits;
}

bool choose_refusal(const struct chooser *chooser, const struct column_list *columns,
		    struct error *refusal)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = columns->columns[i];
		const struct event *event =
			column->event ? find_event(chooser, column->event) : NULL;

		if (!event || event_is_counted(event))
			continue;
		error_set(refusal, ERROR_EVENT_REFUSED, event->name,
			  event->reason[0] != '\0' ? event->reason
						   : event_state_name(event->state));
		return true;
	}
	return false;
}

void choose_mark(struct error *error, const char *text, size_t position)
{
	if (position != CHOOSE_NOWHERE && position <= strlen(text))
		error_mark(error, text, position);
}
