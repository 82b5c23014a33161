/*
 * An interval is a table of rows, or of a log the lines that have come since the last call: these
 * are written in portions, since there may be any number of them.
 */
#include <stdint.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "kernel/sys.h"
#include "model/history.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "source/target_pids.h"
#include "view/table.h"

#include "print_parts.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"
#include "session/startup_selection.h"

enum {
	LOG_PORTION = 1000,   /* lines that are written at a time */
	LAST_PORTION = 50,    /* the same for a reader that may take little of them */
	LAST_NS = 1000000000, /* how long an end that was asked for waits for lines */
};

static void source_is_ready(void *context)
{
	struct printer *printer = context;

	engine_drain(printer->engine);
	print_look_after_recording(printer);
}

/* False: there is no reader any more. */
static bool write_out(struct printer *printer)
{
	const struct loop_meanwhile meanwhile = {
		.fd = source_poll_fd(engine_source(printer->engine)),
		.handler = source_is_ready,
		.context = printer,
	};

	return output_write(&printer->output, &printer->text,
			    printer->was_ended ? NULL : printer->loop, &meanwhile, printer->error);
}

static struct view_settings settings_of(const struct printer *printer)
{
	const struct options *options = printer->options;
	const bool is_part = engine_targets(printer->engine)->kind != TARGET_PIDS_ALL;

	return (struct view_settings){
		.sort = engine_selection(printer->engine)->order.sort,
		.sort_reversed = engine_selection(printer->engine)->order.sort_reversed,
		.then = engine_selection(printer->engine)->order.then,
		.then_reversed = engine_selection(printer->engine)->order.then_reversed,
		.threads = options->threads,
		.extra_rows = true,
		.ascii = options->ascii,
		.filter = options->filter,
		.uid = options->uid,
		.columns = &engine_selection(printer->engine)->columns,
		.extras = &engine_selection(printer->engine)->extras,
		.grouping = options->grouping,
		.history = engine_history(printer->engine),
		.wants_pid = is_part ? engine_wants : NULL,
		.wants_context = printer->engine,
	};
}

/* Formats what the settings choose, and writes it. False: there is no reader any more. */
static bool print_rows(struct printer *printer, const struct view_settings *settings,
		       uint64_t left_out)
{
	const struct batch_input input = {
		.view = printer->options->view,
		.settings = settings,
		.snapshot = engine_snapshot(printer->engine),
		.session = engine_session(printer->engine),
		.metrics = engine_metrics(printer->engine),
		.table = printer->table,
		.is_first = !printer->has_written,
		.left_out = left_out + printer->untold.left_out,
		.lost = printer->untold.lost,
		.totals = printer->totals,
		.top = printer->options->top,
	};

	strbuf_clear(&printer->text);
	printer->options->format->write(&printer->text, &input);
	printer->has_written = true;
	printer->untold = (struct missing){0};
	return write_out(printer);
}

/* Entries that came since, of those at most as many; skips what the history has dropped. */
static uint64_t take_entries(struct printer *printer, struct view_settings *settings, uint64_t most)
{
	const uint64_t first = history_first(settings->history);
	const uint64_t settled = history_settled(settings->history);
	const uint64_t from = printer->next_entry > first ? printer->next_entry : first;
	const uint64_t to = settled - from > most ? from + most : settled;
	const uint64_t left_out = from - printer->next_entry;

	settings->history_from = from;
	settings->history_to = to;
	printer->next_entry = to;
	return left_out;
}

static bool is_any_untold(const struct printer *printer)
{
	return printer->untold.left_out > 0 || printer->untold.lost > 0;
}

static bool print_portion(struct printer *printer, uint64_t most)
{
	struct view_settings settings = settings_of(printer);
	const uint64_t left_out = take_entries(printer, &settings, most);

	return print_rows(printer, &settings, left_out);
}

bool print_log(struct printer *printer)
{
	const uint64_t end = history_settled(engine_history(printer->engine));
	bool goes_on = true;

	printer->is_writing = true;
	while (goes_on && (printer->next_entry < end || is_any_untold(printer))) {
		const uint64_t rest = end - printer->next_entry;

		goes_on = print_portion(printer, rest < LOG_PORTION ? rest : LOG_PORTION);
		if (!engine_is_replay(printer->engine)) {
			engine_drain(printer->engine);
			goes_on = goes_on && loop_hear(printer->loop);
		}
	}
	printer->is_writing = false;
	return goes_on;
}

void print_tick(struct printer *printer)
{
	const struct snapshot *snapshot;

	engine_tick(printer->engine);
	snapshot = engine_snapshot(printer->engine);
	if (!snapshot)
		return;
	printer->untold.left_out += snapshot->shed_switches;
	printer->untold.lost += snapshot->lost_records;
}

static bool has_more_lines(const struct printer *printer)
{
	return printer->next_entry < history_settled(engine_history(printer->engine));
}

static bool leave_out_the_rest(struct printer *printer)
{
	struct view_settings settings = settings_of(printer);
	const uint64_t settled = history_settled(settings.history);
	const uint64_t left_out = settled - printer->next_entry;

	settings.history_from = settings.history_to = printer->next_entry = settled;
	return print_rows(printer, &settings, left_out);
}

void print_last_lines(struct printer *printer)
{
	const uint64_t end_ns = sys_now_ns() + LAST_NS;
	bool was_written = true;

	if (!printer->was_ended || !output_resume(&printer->output, &printer->text, printer->error))
		return;
	if (!print_has_lines(printer) || engine_is_replay(printer->engine))
		return;
	print_tick(printer);
	while (was_written && has_more_lines(printer) && sys_now_ns() < end_ns)
		was_written = print_portion(printer, LAST_PORTION);
	if (was_written && (has_more_lines(printer) || is_any_untold(printer)))
		leave_out_the_rest(printer);
}

bool print_has_lines(const struct printer *printer)
{
	return printer->options->view->is_log && !printer->options->format->is_totals;
}

bool print_interval(struct printer *printer)
{
	struct view_settings settings = settings_of(printer);
	const struct view_info *view = printer->options->view;
	uint64_t left_out = 0;
	bool was_written;

	if (print_has_lines(printer)) {
		was_written = print_log(printer);
	} else {
		if (view->needs_history)
			left_out = take_entries(printer, &settings, UINT64_MAX);
		printer->is_writing = true;
		was_written = print_rows(printer, &settings, left_out);
		printer->is_writing = false;
	}
	return was_written && ++printer->printed != printer->options->iterations;
}
