#include "session/unknown.h"

#include <stdint.h>

#include "base/stall.h"
#include "base/strbuf.h"
#include "model/layout.h"
#include "model/metric_set.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/column.h"
#include "view/column_table.h"

#include "session/engine_parts.h"

static const uint32_t QUEUE_QUANTITIES = UINT32_C(1) << QUANTITY_QUEUED_NS |
					 UINT32_C(1) << QUANTITY_WAKEUP_NS |
					 UINT32_C(1) << QUANTITY_WAKEUPS;

/* The first event that is not counted, and why; NULL: there is none. */
struct uncounted {
	const struct engine *engine;
	const char *name, *reason;
};

static const char *not_here(const struct engine *engine)
{
	return engine->is_replay ? "not in this recording" : "not known here";
}

static void look_for_uncounted(const char *name, void *context)
{
	struct uncounted *uncounted = context;
	const struct layout *layout = &uncounted->engine->source->layout;
	const int index = layout_find_event(layout, name);
	const struct event *event = index >= 0 ? &layout->events[index] : NULL;

	if (uncounted->name || (event && !event->is_removed && event_is_counted(event)))
		return;
	uncounted->name = name;
	if (!event || event->is_removed)
		uncounted->reason = not_here(uncounted->engine);
	else
		uncounted->reason =
			event->reason[0] != '\0' ? event->reason : event_state_name(event->state);
}

/* Bit per enum quantity of what the column is made of. */
static uint32_t quantities_of(const struct engine *engine, const struct column *column)
{
	const int metric =
		column->metric ? metric_set_find(engine->metric_set, column->metric) : -1;

	if (metric >= 0)
		return metric_set_parts(engine->metric_set, (size_t)metric).quantities;
	if (column->needs & COLUMN_NEEDS_STATES)
		return UINT32_C(1) << QUANTITY_IRQ_NS;
	return column->needs & COLUMN_NEEDS_WAKEUPS ? UINT32_C(1) << QUANTITY_WAKEUP_NS : 0;
}

/* Live, wake-ups are unknown until something asks for them. */
static bool was_asked_for_wakeups(const struct engine *engine)
{
	return engine->is_replay || engine->source->session.queue_words[0] != '\0';
}

static const char *reason_of_quantities(const struct engine *engine, uint32_t quantities)
{
	const struct session *session = &engine->source->session;
	const char *no_switches = engine_lacks_switches(engine);
	uint32_t unknown = session->unknown & quantities;

	if (!was_asked_for_wakeups(engine))
		unknown &= ~QUEUE_QUANTITIES;
	if (unknown == 0)
		return "";
	if (no_switches)
		return no_switches;
	if ((unknown & QUEUE_QUANTITIES) == 0)
		return not_here(engine);
	return session->queue_words[0] != '\0' ? session->queue_words : "no wake-ups were recorded";
}

static const char *reason_of_session(const struct engine *engine, const struct column *column)
{
	const struct session *session = &engine->source->session;
	const char *reason = "";

	if (engine->is_replay && column_is_of_proc(column))
		return "from /proc, which recordings do not have";
	if (session->host[0] == '\0' && column_is_of_hosts(column))
		return "there is one host (perftop -i A -i B shows several)";
	if (column->needs & COLUMN_NEEDS_SMT)
		reason = session_smt_reason(session);
	if (reason[0] == '\0' && column->needs & COLUMN_NEEDS_STATES &&
	    was_asked_for_wakeups(engine))
		reason = session_states_reason(session);
	if (reason[0] == '\0' && column->needs & COLUMN_NEEDS_LATENCY &&
	    engine_lacks_parallelism(engine))
		reason = engine_lacks_parallelism(engine);
	return reason[0] != '\0' ? reason
				 : reason_of_quantities(engine, quantities_of(engine, column));
}

static bool has_stalls(const struct snapshot *snapshot, uint32_t stalls)
{
	for (size_t i = 0; i < snapshot->cgroup_count; i++)
		if (snapshot->cgroups[i].known & stalls)
			return true;
	return false;
}

static bool has_cgroups(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].cgroup)
			return true;
	return false;
}

static const char *reason_of_interval(const struct engine *engine, const struct column *column,
				      const struct snapshot *snapshot)
{
	const uint32_t stalls = column_stalls(column);
	/* others need them only to say more */
	const bool is_cgroup =
		column->format == COLUMN_TEXT && (column->needs & COLUMN_NEEDS_CGROUPS);
	const bool is_known = (snapshot->unknown & quantities_of(engine, column)) == 0 &&
			      (stalls == 0 || has_stalls(snapshot, stalls)) &&
			      (!is_cgroup || has_cgroups(snapshot));

	return is_known ? "" : not_here(engine);
}

bool column_is_unknown(const struct engine *engine, const struct column *column,
		       const struct snapshot *snapshot, struct strbuf *why)
{
	const int metric =
		column->metric ? metric_set_find(engine->metric_set, column->metric) : -1;
	struct uncounted uncounted = {.engine = engine};
	const char *reason;

	if (metric >= 0)
		metric_set_events(engine->metric_set, (size_t)metric, look_for_uncounted,
				  &uncounted);
	if (column->event || (column->metric && metric < 0))
		look_for_uncounted(column->event ? column->event : column->metric, &uncounted);
	reason = uncounted.name ? uncounted.reason : reason_of_session(engine, column);
	if (reason[0] == '\0' && snapshot)
		reason = reason_of_interval(engine, column, snapshot);
	if (reason[0] != '\0' && why)
		strbuf_printf(why, "%s: %s%s", uncounted.name ? uncounted.name : column->name,
			      uncounted.name ? "not counted: " : "", reason);
	return reason[0] != '\0';
}
