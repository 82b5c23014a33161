/*
 * A name is looked for among the columns first; what is none may be the text of an event. Whether
 * an event that is known can be counted is the machine's business: where it is refused its column
 * shows that it is unknown, and the message line says why.
 */
#include "session/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/generic.h"
#include "model/layout.h"
#include "model/metric_set.h"
#include "source/source.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/filter.h"
#include "view/row_kind.h"
#include "view/table.h"

#include "session/engine_parts.h"
#include "session/options.h"

void resolver_init(struct resolver *resolver, struct engine *engine)
{
	*resolver = (struct resolver){
		.engine = engine,
		.columns = columns_create(engine->metric_set, row_kinds),
	};
	columns_know_kinds(resolver->columns, &engine->source->layout);
}

struct resolver *engine_resolver(struct engine *engine)
{
	if (engine->first)
		return engine_resolver(engine->first);
	if (!engine->resolver.columns)
		resolver_init(&engine->resolver, engine);
	return &engine->resolver;
}

static const struct event *find_column_event(const struct resolver *resolver, const char *name)
{
	const struct layout *layout = &resolver->engine->source->layout;
	const int index = layout_find_event(layout, name);

	return index >= 0 && !layout->events[index].is_removed ? &layout->events[index] : NULL;
}

/* Where columns of events go as the engine says that they are there. */
struct event_adding {
	struct resolver *resolver;
	struct column_list *list;
};

static void add_named_column(const char *name, void *context)
{
	const struct event_adding *adding = context;
	const struct event *event = find_column_event(adding->resolver, name);

	column_list_add(adding->list, columns_add_event(adding->resolver->columns, name,
							event ? event->unit : ""));
}

bool resolve_events(struct resolver *resolver, const char *list, struct column_list *added,
		    size_t *position, struct error *error)
{
	struct event_adding adding = {resolver, added};

	*position = RESOLVE_NOWHERE;
	return engine_add_events(resolver->engine, list, add_named_column, &adding, position,
				 error);
}

bool resolve_metric(struct resolver *resolver, const char *definition, const struct column **column,
		    size_t *position, struct error *error)
{
	const struct metric_info *info;
	const size_t begin = strspn(definition, " ");
	char name[COLUMN_NAME_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(definition + begin, " ="),
		 definition + begin);
	*position = begin;
	if (columns_is_built_in(resolver->columns, name))
		return error_set(error, ERROR_METRIC_TAKEN, name, NULL);
	*position = RESOLVE_NOWHERE;
	if (!engine_add_metric(resolver->engine, definition, &info, position, error))
		return false;
	columns_metric_changed(resolver->columns, info);
	*column = columns_find(resolver->columns, info->name);
	return true;
}

/* Whether a text that is no column is meant to be an event: then it is refused as one. */
static bool is_event_text(const char *word)
{
	return strpbrk(word, ":/{}=") ||
	       (word[0] == 'r' && word[1] != '\0' &&
		word[1 + strspn(word + 1, "0123456789abcdefABCDEF")] == '\0');
}

static bool refuse_unknown(const char *word, struct error *error)
{
	if (column_set_find(word))
		return error_set(error, ERROR_SET_IN_LIST, word, NULL);
	return error_set(error, ERROR_COLUMN_UNKNOWN, word, NULL);
}

static bool refuse_event_name(const char *word, const struct error *refusal, struct error *error)
{
	if (refusal->code != ERROR_EVENT_REFUSED &&
	    (!is_event_text(word) || refusal->code == ERROR_NONE))
		return refuse_unknown(word, error);
	if (error)
		*error = *refusal;
	return false;
}

/* The columns of a text that is no column's name, but events'. */
static bool open_events(struct resolver *resolver, const char *word, struct column_list *columns,
			size_t *position, struct error *error)
{
	struct column_list added = {0};
	struct error refusal = {0};
	char list[COLUMN_NAME_MAX * 2];
	const int kind = columns_split(resolver->columns, word, list, sizeof(list));
	bool good = list[0] != '\0' && resolve_events(resolver, list, &added, position, &refusal);

	for (size_t i = 0; good && i < added.count; i++) {
		const struct column *column = added.columns[i];

		if (kind >= 0)
			column = columns_of_kind(resolver->columns, column, kind);
		column_list_add(columns, column);
	}
	column_list_fini(&added);
	return good || refuse_event_name(word, &refusal, error);
}

/* What a column needs is counted from now on, if it can be. */
static bool open_column(struct resolver *resolver, const struct column *column, struct error *error)
{
	struct column_list again = {0};
	size_t position;
	bool good = true;

	if (column->metric) {
		engine_need_metrics(resolver->engine, &column->metric, 1, &resolver->note);
	} else if (column->event && !find_column_event(resolver, column->event)) {
		good = resolve_events(resolver, column->event, &again, &position, error);
		column_list_fini(&again);
	}
	return good;
}

static bool choose_column(struct resolver *resolver, const char *word, struct column_list *columns,
			  size_t *position, struct error *error)
{
	const struct column *column = columns_find(resolver->columns, word);

	*position = 0;
	if (!column)
		return open_events(resolver, word, columns, position, error);
	if (!open_column(resolver, column, error))
		return false;
	column_list_add(columns, column);
	return true;
}

/* Which events of the layout are asked for; the caller frees it. */
static bool *note_events(const struct resolver *resolver, size_t *count)
{
	const struct layout *layout = &resolver->engine->source->layout;
	bool *is_open = xcalloc(layout->event_count + 1, sizeof(*is_open));

	*count = layout->event_count;
	for (size_t i = 0; i < layout->event_count; i++)
		is_open[i] = !layout->events[i].is_removed;
	return is_open;
}

/* Counts no longer what was not asked for when it was noted. */
static void take_back_events(struct resolver *resolver, const bool *was_open, size_t count)
{
	const struct layout *layout = &resolver->engine->source->layout;
	char name[EVENT_NAME_MAX];

	for (size_t i = 0; i < layout->event_count; i++) {
		if (layout->events[i].is_removed || (i < count && was_open[i]))
			continue;
		strcpy(name, layout->events[i].name);
		engine_remove_event(resolver->engine, name, NULL);
	}
}

bool resolve_columns(struct resolver *resolver, const char *list, struct column_list *columns,
		     size_t *position, struct error *error)
{
	struct column_list found = {0};
	char word[COLUMN_NAME_MAX * 2];
	const char *cursor = list;
	const char *begin = list;
	struct error refusal = {0};
	size_t open_count;
	bool *was_open = note_events(resolver, &open_count);
	bool good = true;

	resolver->note = (struct error){0};
	*position = 0;
	while (good && (begin = cursor + strspn(cursor, " ")) &&
	       column_word_next(resolver->columns, &cursor, word, sizeof(word)))
		good = choose_column(resolver, word, &found, position, &refusal);
	if (good && found.count == 0)
		good = refuse_unknown("", &refusal);
	for (size_t i = 0; good && i < found.count; i++)
		if (!column_list_has(columns, found.columns[i]))
			column_list_add(columns, found.columns[i]);
	column_list_fini(&found);
	if (!good)
		take_back_events(resolver, was_open, open_count);
	free(was_open);
	if (!good && *position != RESOLVE_NOWHERE)
		*position += (size_t)(begin - list);
	if (!good && error)
		*error = refusal;
	return good;
}

static bool resolve_sort(struct resolver *resolver, const char *text, const struct column **column,
			 bool *reversed, size_t *position, struct error *error)
{
	const size_t sign = *text == '-' || *text == '+';
	struct column_list found = {0};
	bool good;

	resolver->note = (struct error){0};
	good = choose_column(resolver, text + sign, &found, position, error);
	if (good && found.count > 0 && found.columns[0]->format == COLUMN_TREND) {
		*position = sign;
		good = error_set(error, ERROR_COLUMN_NO_ORDER, found.columns[0]->name, NULL);
	} else if (good && found.count > 0) {
		*column = found.columns[0];
		*reversed = sign > 0 && (*text == '-') != (*column)->descends;
	} else if (*position != RESOLVE_NOWHERE) {
		*position += sign;
	}
	column_list_fini(&found);
	return good;
}

/* Where the first column of the list ends, which may be an event with commas in its text. */
static const char *end_of_first(const struct resolver *resolver, const char *text)
{
	const char *cursor = text + (*text == '-' || *text == '+');
	char word[COLUMN_NAME_MAX * 2];
	const bool found = column_word_next(resolver->columns, &cursor, word, sizeof(word));

	return found && cursor > text && cursor[-1] == ',' ? cursor - 1 : cursor;
}

bool resolve_order(struct resolver *resolver, const char *text, struct sort_order *order,
		   size_t *position, struct error *error)
{
	const char *end = end_of_first(resolver, text);
	const char *rest = *end == ',' ? end + 1 + strspn(end + 1, " ") : NULL;
	struct sort_order parsed = {0};
	char *first = xstrndup(text, (size_t)(end - text));
	bool good =
		resolve_sort(resolver, first, &parsed.sort, &parsed.sort_reversed, position, error);

	free(first);
	if (good && rest && *end_of_first(resolver, rest) == ',') {
		*position = (size_t)(end_of_first(resolver, rest) - text);
		good = error_set(error, ERROR_SORT_COUNT, text, NULL);
	} else if (good && rest) {
		good = resolve_sort(resolver, rest, &parsed.then, &parsed.then_reversed, position,
				    error);
		*position += *position != RESOLVE_NOWHERE ? (size_t)(rest - text) : 0;
	}
	if (good)
		*order = parsed;
	return good;
}

/* A name that is no column may be an event. */
static bool open_name(struct resolver *resolver, const char *text, size_t *position,
		      struct error *error)
{
	struct column_list found = {0};
	struct error refusal = {0};
	char name[COLUMN_NAME_MAX];
	size_t fault;
	bool good;

	if (!filter_name_at(text, *position, name, sizeof(name)))
		return false;
	good = choose_column(resolver, name, &found, &fault, &refusal);
	column_list_fini(&found);
	/* the filter's own sentence knows more than that there is no such column */
	if (!good && refusal.code != ERROR_COLUMN_UNKNOWN) {
		*position += fault != RESOLVE_NOWHERE ? fault : 0;
		if (error)
			*error = refusal;
	}
	return good;
}

/* False: refused. Names of events that have no column yet are opened one after the other. */
static bool make_counted_filter(struct resolver *resolver, const char *text, struct filter **filter,
				size_t *position, struct error *error)
{
	struct error refusal = {0};
	size_t last = SIZE_MAX;

	for (;;) {
		filter_destroy(*filter);
		refusal = (struct error){0};
		*filter = filter_create(text, resolver->columns, position, &refusal);
		if (refusal.code != ERROR_FILTER_NAME || *position == last)
			break;
		last = *position;
		if (!open_name(resolver, text, position, &refusal))
			break;
	}
	if (refusal.code != ERROR_NONE && error)
		*error = refusal;
	return refusal.code == ERROR_NONE;
}

static void note_refused(const char *name, void *context)
{
	struct resolver *resolver = context;
	const struct event *event = find_column_event(resolver, name);

	if (!event || event_is_counted(event) || resolver->note.code != ERROR_NONE)
		return;
	error_set(&resolver->note, ERROR_EVENT_REFUSED, name,
		  event->reason[0] != '\0' ? event->reason : event_state_name(event->state));
}

static bool open_compared(struct resolver *resolver, const struct column *column,
			  struct error *error)
{
	const struct metric_set *set = resolver->engine->metric_set;
	int metric;

	if (!open_column(resolver, column, error))
		return false;
	metric = column->metric ? metric_set_find(set, column->metric) : -1;
	if (metric >= 0)
		metric_set_events(set, (size_t)metric, note_refused, resolver);
	if (column->event)
		note_refused(column->event, resolver);
	return true;
}

bool resolve_filter(struct resolver *resolver, const char *text, size_t *position,
		    struct error *error)
{
	size_t open_count;
	bool *was_open = note_events(resolver, &open_count);
	struct column_list compared = {0};
	const struct column *column;
	struct filter *filter = NULL;
	bool good;

	resolver->note = (struct error){0};
	*position = RESOLVE_NOWHERE;
	good = make_counted_filter(resolver, text, &filter, position, error);
	for (size_t i = 0; good && (column = filter_column(filter, i, ROW_TASK)); i++) {
		if (column_list_has(&compared, column))
			continue;
		column_list_add(&compared, column);
		good = open_compared(resolver, column, error);
	}
	column_list_fini(&compared);
	filter_destroy(filter);
	if (!good)
		take_back_events(resolver, was_open, open_count);
	free(was_open);
	return good;
}

/* Of a set what stays unknown here, and why the first of it does. */
struct lack {
	const struct resolver *resolver;
	struct strbuf names;        /* titles of the columns */
	size_t count, column_count; /* of columns, and of all of the set */
	char event[EVENT_NAME_MAX]; /* "": it is for want of wake-ups */
	bool is_lacking;            /* the column that is looked at */
};

static void look_for_lack(const char *name, void *context)
{
	struct lack *lack = context;
	const struct event *event = find_column_event(lack->resolver, name);

	if (event && event_is_counted(event))
		return;
	lack->is_lacking = true;
	if (lack->event[0] == '\0')
		snprintf(lack->event, sizeof(lack->event), "%s", name);
}

/* Of a machine it is known only when they were asked for, and of a recording not at its beginning.
 */
static bool lacks_wakeups(const struct resolver *resolver, const struct column *column)
{
	const struct engine *engine = resolver->engine;

	return (column->needs & COLUMN_NEEDS_WAKEUPS) != 0 && engine->is_replay &&
	       engine->is_running && engine->source->session.queue == QUEUE_UNKNOWN;
}

static void find_lack(struct lack *lack, const struct column_set *set,
		      const struct column_list *list)
{
	const struct metric_set *metrics = lack->resolver->engine->metric_set;

	for (size_t i = 0; i < list->count; i++) {
		const struct column *column = list->columns[i];

		if (!column->metric || !word_list_has(set->columns, column->name))
			continue;
		lack->is_lacking = lacks_wakeups(lack->resolver, column);
		metric_set_events(metrics, (size_t)metric_set_find(metrics, column->metric),
				  look_for_lack, lack);
		lack->column_count++;
		if (lack->is_lacking)
			strbuf_printf(&lack->names, "%s%s", lack->count++ > 0 ? ", " : ": ",
				      column->title);
	}
}

/* why: what is said of an event that is not known. */
static void refuse_lack(struct lack *lack, const struct column_set *set, const struct error *why,
			struct error *error)
{
	const struct event *event = find_column_event(lack->resolver, lack->event);
	const struct session *session = &lack->resolver->engine->source->session;

	if (lack->count == lack->column_count)
		strbuf_clear(&lack->names);
	if (lack->event[0] != '\0' && !session->has_pmu)
		strbuf_add(&lack->names, " (no hardware counters)");
	else if (event)
		strbuf_printf(&lack->names, " (%s: %s)", event->name,
			      event->reason[0] != '\0' ? event->reason
						       : event_state_name(event->state));
	else if (lack->resolver->engine->is_replay && lack->event[0] != '\0')
		strbuf_printf(&lack->names, " (%s: not in this recording)", lack->event);
	else if (lack->resolver->engine->is_replay)
		strbuf_add(&lack->names, " (wake-ups: not recorded here)");
	else
		strbuf_printf(&lack->names, " (%s)", why->text);
	error_set(error,
		  2 * lack->count > lack->column_count ? ERROR_SET_LACKS_MOST : ERROR_SET_LACKS,
		  set->name, strbuf_text(&lack->names));
}

/* Why it has no counts: where there are no counters at all, that is said in short. */
static const char *reason_of_lack(const struct lack *lack)
{
	static const char no_counters[] = "no hardware counters";
	const struct event *event = find_column_event(lack->resolver, lack->event);
	const char *reason = event ? event->reason : "";

	if (reason[0] != '\0' && strncmp(reason, no_counters, strlen(no_counters)) != 0)
		return reason;
	if (!lack->resolver->engine->source->session.has_pmu)
		return no_counters;
	return reason[0] != '\0' ? reason : lack->event;
}

bool resolve_is_sortable(const struct resolver *resolver, const struct column *column,
			 struct error *error)
{
	const struct engine *engine = resolver->engine;
	struct lack lack = {.resolver = resolver};

	if (column->metric)
		metric_set_events(engine->metric_set,
				  (size_t)metric_set_find(engine->metric_set, column->metric),
				  look_for_lack, &lack);
	else if (column->event)
		look_for_lack(column->event, &lack);
	if (!lack.is_lacking)
		return true;
	return error_set(error, ERROR_SORT_LACKS, column->title, reason_of_lack(&lack));
}

static void look_for_counter(const char *name, void *context)
{
	const struct generic_event *event = generic_find(name, strcspn(name, ":"));
	bool *needs_counter = context;

	*needs_counter = *needs_counter || !event || event->type != EVENT_TYPE_SOFTWARE;
}

bool resolve_lacks_counters(const struct resolver *resolver, const struct column *column)
{
	const struct metric_set *metrics = resolver->engine->metric_set;
	const struct session *session = &resolver->engine->source->session;
	bool needs_counter = false;

	if (session->has_pmu || session->pmu_words[0] == '\0' || !column->metric)
		return false;
	const size_t metric = (size_t)metric_set_find(metrics, column->metric);

	/* a user's own may be of tracepoints */
	if (!metric_set_info(metrics, metric)->is_users)
		metric_set_events(metrics, metric, look_for_counter, &needs_counter);
	return needs_counter;
}

static size_t name_metrics(const struct column_list *list, const char **names)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->columns[i]->metric)
			names[count++] = list->columns[i]->metric;
	return count;
}

/* Those of the list are counted from now on, those shown go on. */
static void change_columns(const struct resolver *resolver, const struct column_list *list,
			   const struct column_list *shown, struct error *why)
{
	const char **metrics = xcalloc(list->count + shown->count + 1, sizeof(*metrics));
	const size_t added = name_metrics(list, metrics);
	const size_t count = added + name_metrics(shown, metrics + added);

	engine_change_set(resolver->engine, metrics, count, added, why);
	free(metrics);
}

bool resolve_set(struct resolver *resolver, const struct column_set *set,
		 const struct view_info *view, const struct column_list *shown,
		 struct error *lacking, struct error *error)
{
	struct lack lack = {.resolver = resolver};
	struct column_list list = {0};
	struct error why = {0};

	*lacking = (struct error){0};
	if (!view->around)
		return error_set(error, ERROR_SET_VIEW, set->name, view->name);
	/* whether there are hardware counters shows when events are counted */
	view_set_columns(view, set, true, resolver->columns, &list);
	change_columns(resolver, &list, shown, &why);
	find_lack(&lack, set, &list);
	if (lack.count > 0)
		refuse_lack(&lack, set, &why, lacking);
	strbuf_fini(&lack.names);
	column_list_fini(&list);
	return true;
}

void resolve_defaults(struct resolver *resolver, const struct view_info *view,
		      const struct column_list *shown)
{
	struct column_list list = {0};

	if (resolver->engine->options->column_list)
		view_default_columns(view, resolver->engine->source->session.has_pmu, NULL,
				     resolver->columns, &list);
	change_columns(resolver, &list, shown, NULL);
	column_list_fini(&list);
}

void resolve_own(struct resolver *resolver, const struct column_list *shown)
{
	const struct column_list none = {0};

	change_columns(resolver, &none, shown, NULL);
}

bool resolve_fits_view(const struct resolver *resolver, const char *text,
		       const struct view_info *view, struct error *error)
{
	size_t position;
	struct filter *filter = filter_create(text, resolver->columns, &position, NULL);
	const char *unsupported = filter ? view_filter_unsupported(view, filter) : NULL;
	const bool fits =
		!unsupported || error_set(error, ERROR_FILTER_VIEW, unsupported, view->name);

	filter_destroy(filter);
	return fits;
}

bool resolve_refusal(const struct resolver *resolver, const struct column_list *columns,
		     struct error *refusal)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = columns->columns[i];
		const struct event *event =
			column->event ? find_column_event(resolver, column->event) : NULL;

		if (!event || event_is_counted(event))
			continue;
		error_set(refusal, ERROR_EVENT_REFUSED, event->name,
			  event->reason[0] != '\0' ? event->reason
						   : event_state_name(event->state));
		return true;
	}
	return false;
}

bool resolve_mark(struct error *error, const char *text, size_t position)
{
	if (position != RESOLVE_NOWHERE && position <= strlen(text))
		error_mark(error, text, position);
	return false;
}
