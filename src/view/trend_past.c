/*
 * Rows are made of a kept interval as they were made when it was shown, but for the filter: that
 * only leaves rows out. Events may have come and gone since, so metrics are bound anew to each.
 */

#include "view/trend_past.h"

#include "model/metric.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/trends.h"

enum {
	TASKS_MOST = 8192 /* in all intervals together: a key is answered at once */
};

static void note_interval(struct trends *trends, const struct trend_past *past,
			  const struct snapshot *snapshot, struct rows *rows)
{
	struct metrics *metrics = metrics_create(snapshot->layout, past->settings->metric_set);
	const struct cell_source source = {
		.getter_input = *past->getter_input,
		.metrics = metrics,
		.layout = snapshot->layout,
	};
	const struct rows_input input = {
		.settings = past->settings,
		.snapshot = snapshot,
		.session = past->session,
		.source = &source,
	};
	const struct cell_column column = cell_column_bind(past->column, metrics, snapshot->layout);

	past->view->make_rows(rows, &input);
	trends_begin(trends, past->column, snapshot->time_ns, snapshot->interval_ns);
	for (size_t i = 0; i < rows->count; i++)
		trends_put(trends, rows->rows[i].id,
			   cell_number(&source, &column, &rows->rows[i]).value);
	metrics_destroy(metrics);
}

void trend_past_note(struct trends *trends, const struct trend_past *past)
{
	const struct view_settings *settings = past->settings;
	const struct snapshot *snapshots[TRENDS_KEPT - 1];
	struct rows rows = {0};
	size_t count, first, tasks = 0;

	trends_fini(trends);
	count = settings->past(settings->past_context, past->shown->time_ns, snapshots,
			       TRENDS_KEPT - 1);
	for (first = count; first > 0; first--) {
		tasks += snapshots[first - 1]->task_count + snapshots[first - 1]->cpu_count;
		if (tasks > TASKS_MOST)
			break;
	}
	for (size_t i = first; i < count; i++)
		note_interval(trends, past, snapshots[i], &rows);
	rows_fini(&rows);
}
