/*
 * The batch run. An interval is a table of rows, or of a log the lines that have come since the
 * last call: these are written in portions, since there may be any number of them.
 */
#include "print.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "kernel/sys.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/column.h"
#include "view/footer.h"
#include "view/functions.h"
#include "view/table.h"
#include "view/verdict.h"

#include "mode/against.h"
#include "mode/app_run.h"
#include "mode/condition.h"
#include "mode/past.h"
#include "output.h"
#include "perfdata/replay.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"

enum {
	LOG_PORTION = 1000,   /* lines that are written at a time */
	LAST_PORTION = 50,    /* the same for a reader that may take little of them */
	LAST_NS = 1000000000, /* how long an end that was asked for waits for lines */
};

/* What is printed of one host; without several recordings there is one. */
struct printed_host {
	struct verdict verdict;
	uint64_t intervals; /* printed */
	bool is_over;       /* its recording; what is to be said of that was said */
};

struct printer {
	const struct options *options;
	struct app *app;       /* owned */
	struct engine *engine; /* its */
	const struct view_info *view;
	struct loop *loop;
	struct child *child; /* the command; without one its pid is 0 */
	struct strbuf text;
	struct totals *totals;      /* owned; kept between intervals */
	unsigned int needs;         /* of its columns: COLUMN_NEEDS_... */
	struct printed_host *hosts; /* owned */
	struct printed_host *host;  /* the one that `engine` is of */
	struct condition fail_if;
	struct output output;
	struct sampled_by {
		enum session_sampling sampling; /* SAMPLING_OFF: not known yet */
		char event[SESSION_EVENT_MAX], words[SESSION_TEXT_MAX];
	} old_by;            /* those of the recording that is compared with, in totals */
	bool has_written;    /* anything */
	uint64_t next_entry; /* of the history: the first one that was not looked at */
	struct missing {
		uint64_t left_out; /* switches that the history has not got */
		uint64_t lost;     /* records */
	} missing;                 /* in what was printed; not said yet */
	size_t lines, cut;         /* of this interval's log: written, and beyond --top */
	bool is_writing;
	bool is_over; /* nothing more is to be printed in the loop */
	bool was_interrupted;
	bool trigger_failed; /* a file that was to be written is not there */
	bool was_ended;      /* by a signal, before all was printed: the loop is over */
	int abandoned;       /* the signal that had us leave the command alone; 0: none */
	struct error *error;
};

/* --- the recording beside it */

/* A recording that cannot be written any more is said once, and in the exit status. */
static void look_after_batch_recording(struct printer *printer)
{
	struct error error;

	if (engine_recording_has_failed(printer->engine, &error))
		output_say(&error);
}

/* Completes it; where that fails it is said, too. */
static void stop_batch_recording(struct printer *printer)
{
	struct error error = {0};

	look_after_batch_recording(printer);
	if (!engine_stop_recording(printer->engine, &error))
		output_say(&error);
}

/* --- an interval */

static void batch_source_is_ready(void *context)
{
	struct printer *printer = context;

	engine_drain(printer->engine);
	look_after_batch_recording(printer);
}

/* An end was asked for, and the command has come to its own: a reader is waited for a moment only.
 */
static bool ends_in_haste(const struct printer *printer)
{
	return printer->was_ended || (printer->was_interrupted && !child_runs(printer->child));
}

/* False: there is no reader any more. */
static bool write_batch(struct printer *printer)
{
	const struct loop_meanwhile meanwhile = {
		.fd = engine_source(printer->engine)->poll_fd,
		.handler = batch_source_is_ready,
		.context = printer,
	};

	return output_write(&printer->output, &printer->text,
			    ends_in_haste(printer) ? NULL : printer->loop, &meanwhile,
			    printer->error);
}

static bool prints_text(const struct printer *printer)
{
	return printer->options->format->is_for_people;
}

static struct view_request request_of_printer(const struct printer *printer)
{
	struct view_request request = app_request(printer->app);

	/* a script has hundreds of children that are alike; what programs read has each of them */
	if (printer->options->command && prints_text(printer) && !request.settings.threads)
		request.fold_exited = FOLD_BY_NAME;
	if (!printer->options->format->is_totals)
		request.most_rows = (size_t)printer->options->top;
	return request;
}

/* Of a log there are lines as soon as they are known. */
static bool prints_lines(const struct printer *printer)
{
	return printer->view->is_log;
}

/* Lines of source and what was inlined are asked for when rows are made, of functions that are
 * known; the names of locks likewise. */
static void await_names(const struct printer *printer, struct engine *engine,
			const struct batch_input *input)
{
	struct view_request request = *input->request;

	if (printer->options->format->has_frames)
		request.state.info = &view_frames;
	engine_await_names(engine);
	if (!request.state.info->has_frames)
		return;
	batch_build(input, &request);
	engine_await_names(engine);
}

/* What is to be said now, with these switches. */
static struct missing take_missing(struct printer *printer, uint64_t left_out)
{
	const struct missing missing = {
		.left_out = left_out + printer->missing.left_out,
		.lost = printer->missing.lost,
	};

	printer->missing = (struct missing){0};
	return missing;
}

/* Whether the samples of an interval stand for the same as those of the recording that is compared
 * with. */
static bool fits_old(struct printer *printer, const struct batch_input *input)
{
	const struct profile *profile = input->snapshot->profile;
	const struct session *session = input->session;
	struct sampled_by *old = &printer->old_by;

	if (input->request->settings.samples != SAMPLES_ON_CPU || !profile ||
	    profile->entry_count == 0 || session->sampling == SAMPLING_OFF)
		return true;
	if (input->is_old && old->sampling == SAMPLING_OFF) {
		old->sampling = session->sampling;
		snprintf(old->event, sizeof(old->event), "%s", session->sampling_event);
		snprintf(old->words, sizeof(old->words), "%s", session->sampling_words);
	}
	return old->sampling == SAMPLING_OFF ||
	       (old->sampling == session->sampling &&
		strcmp(old->event, session->sampling_event) == 0) ||
	       error_set(printer->error, ERROR_AGAINST_EVENT, printer->options->against,
			 old->words);
}

/* Formats what is asked for, and writes it. False: there is no reader any more, or what is shown
 * cannot be together (the error says it). */
static bool print_rows(struct printer *printer, const struct view_request *request,
		       struct missing missing, bool ends_interval)
{
	const struct batch_input input = {
		.request = request,
		.snapshot = engine_snapshot(printer->engine),
		.session = engine_session(printer->engine),
		.metrics = engine_metrics(printer->engine),
		.verdict = printer->host->verdict.line,
		.table = app_table(printer->app),
		.is_first = !printer->has_written,
		.left_out = missing.left_out,
		.lost = missing.lost,
		.ends_interval = ends_interval,
		.totals = printer->totals,
		.top = (size_t)printer->options->top,
	};

	if ((printer->needs & (COLUMN_NEEDS_SAMPLES | COLUMN_NEEDS_ACCESSES) ||
	     printer->view->has_frames) &&
	    (ends_interval || !prints_lines(printer)))
		await_names(printer, printer->engine, &input);
	if (printer->options->format->is_totals && !fits_old(printer, &input))
		return false;
	strbuf_clear(&printer->text);
	printer->options->format->write(&printer->text, &input);
	printer->has_written = true;
	return write_batch(printer);
}

/* Entries that came since, of those at most as many; skips what the history has dropped. */
static uint64_t take_entries(struct printer *printer, struct view_request *request, uint64_t most)
{
	const uint64_t first = history_first(request->history);
	const uint64_t settled = history_settled(request->history);
	const uint64_t from = printer->next_entry > first ? printer->next_entry : first;
	const uint64_t to = settled - from > most ? from + most : settled;
	const uint64_t left_out = from - printer->next_entry;

	request->history_from = from;
	request->history_to = to;
	printer->next_entry = to;
	return left_out;
}

static bool is_any_missing(const struct printer *printer)
{
	return printer->missing.left_out > 0 || printer->missing.lost > 0;
}

/* Of these entries of a log as many rows as --top still leaves to the interval. False: none. */
static bool cut_lines(struct printer *printer, struct view_request *request)
{
	const size_t due = (size_t)printer->options->top - printer->lines;
	struct view_table *table = app_table(printer->app);
	size_t count;

	request->most_rows = 0;
	view_table_build(table, request, engine_snapshot(printer->engine),
			 engine_session(printer->engine), engine_metrics(printer->engine));
	count = view_table_row_count(table);
	printer->lines += count < due ? count : due;
	printer->cut += count < due ? 0 : count - due;
	request->most_rows = due;
	return due > 0;
}

static bool print_portion(struct printer *printer, uint64_t most)
{
	struct view_request request = request_of_printer(printer);
	const struct missing dropped = {.left_out = take_entries(printer, &request, most)};

	if (printer->options->top == 0 || cut_lines(printer, &request))
		return print_rows(printer, &request, dropped, false);
	printer->cut += (size_t)dropped.left_out;
	return true;
}

/* What comes next is left out up to here. */
static bool leave_lines_out(struct printer *printer, uint64_t end)
{
	struct view_request request = request_of_printer(printer);
	const struct missing missing = take_missing(printer, end - printer->next_entry);

	request.history_from = request.history_to = printer->next_entry = end;
	return print_rows(printer, &request, missing, false);
}

/* What is of the interval and no line of the log, where the format has it. */
static bool print_interval_end(struct printer *printer)
{
	struct view_request request = request_of_printer(printer);
	bool was_written;

	if (!printer->options->format->has_intervals)
		return true;
	request.history_from = request.history_to = printer->next_entry;
	request.most_rows = 0;
	printer->is_writing = true;
	was_written = print_rows(printer, &request, (struct missing){0}, true);
	printer->is_writing = false;
	return was_written;
}

/*
 * Writes the lines that are settled by now: between two portions the rings are looked after, and
 * what comes meanwhile is left to the next call, so that intervals end though it never stops. What
 * the interval lacks is said behind its lines: live, most of them were written before it ended, and
 * a replay is to say it in the same place. False: there is no reader any more.
 */
static bool print_log(struct printer *printer, bool ends_interval)
{
	const uint64_t end = history_settled(engine_history(printer->engine));
	bool goes_on = true;

	printer->is_writing = true;
	while (goes_on && printer->next_entry < end) {
		const uint64_t rest = end - printer->next_entry;

		goes_on = print_portion(printer, rest < LOG_PORTION ? rest : LOG_PORTION);
		if (!engine_is_replay(printer->engine)) {
			engine_drain(printer->engine);
			goes_on = goes_on && loop_hear(printer->loop);
		}
	}
	if (ends_interval) {
		printer->missing.left_out += printer->cut;
		printer->cut = printer->lines = 0;
	}
	if (goes_on && is_any_missing(printer))
		goes_on = leave_lines_out(printer, printer->next_entry);
	printer->is_writing = false;
	return goes_on;
}

/* What is wrong in the interval that has just ended, where the output says it. Limits that may be
 * why are read from now on. */
static void take_verdict(struct printer *printer)
{
	struct rule_input input =
		engine_rule_input(printer->engine, engine_snapshot(printer->engine));

	if (prints_lines(printer) || !printer->options->format->has_verdict)
		return;
	input.metrics = engine_metrics(printer->engine);
	verdict_take(&printer->host->verdict, &input);
	app_need_cgroups(printer->app,
			 printer->needs |
				 (printer->host->verdict.wants_cgroups ? COLUMN_NEEDS_LIMITS : 0));
}

/* Ends an interval of the engine. */
static void tick_engine(struct printer *printer)
{
	const struct snapshot *snapshot;

	engine_note_wait(printer->engine, loop_waiting_ns(printer->loop));
	engine_tick(printer->engine);
	snapshot = engine_snapshot(printer->engine);
	if (!snapshot)
		return;
	printer->missing.left_out += snapshot->shed_switches;
	printer->missing.lost += snapshot->lost_records;
	take_verdict(printer);
}

static bool has_more_lines(const struct printer *printer)
{
	return printer->next_entry < history_settled(engine_history(printer->engine));
}

/*
 * After an end that was asked for: what was being written is completed, for a reader that reads.
 * What a log has not printed yet is written, too, but for a second at most; how much is left then
 * is reported.
 */
static void print_last_lines(struct printer *printer)
{
	const uint64_t end_ns = sys_now_ns() + LAST_NS;
	bool was_written = true;

	if (!printer->was_ended || !output_resume(&printer->output, &printer->text, printer->error))
		return;
	if (!prints_lines(printer) || engine_is_replay(printer->engine))
		return;
	tick_engine(printer);
	while (was_written && has_more_lines(printer) && sys_now_ns() < end_ns)
		was_written = print_portion(printer, LAST_PORTION);
	printer->missing.left_out += printer->cut;
	if (was_written && (has_more_lines(printer) || is_any_missing(printer)))
		was_written =
			leave_lines_out(printer, history_settled(engine_history(printer->engine)));
	if (was_written && engine_snapshot(printer->engine))
		print_interval_end(printer);
}

/* Of the host, of which so many were asked for. */
static bool has_its_intervals(const struct printer *printer, const struct printed_host *host)
{
	return printer->options->iterations > 0 && host->intervals >= printer->options->iterations;
}

static bool has_printed_all(const struct printer *printer)
{
	for (size_t i = 0; i < app_hosts(printer->app); i++)
		if (!has_its_intervals(printer, &printer->hosts[i]))
			return false;
	return true;
}

/* Writes the interval that has just ended. False: nothing more is to be printed. */
static bool print_interval(struct printer *printer)
{
	struct view_request request = request_of_printer(printer);
	uint64_t left_out = 0;
	bool was_written;

	if (prints_lines(printer)) {
		was_written = print_log(printer, true) && print_interval_end(printer);
	} else {
		if (printer->view->needs_history)
			left_out = take_entries(printer, &request, UINT64_MAX);
		printer->is_writing = true;
		was_written = print_rows(printer, &request, take_missing(printer, left_out), false);
		printer->is_writing = false;
	}
	printer->host->intervals++;
	return was_written && !has_printed_all(printer);
}

static void choose_host(struct printer *printer, size_t index)
{
	app_show_host(printer->app, index);
	printer->engine = app_engine(printer->app);
	printer->host = &printer->hosts[index];
}

/* --- the run as a whole */

/* The command goes on without us: its end is waited for when nothing is left to print. */
static void stop_printing(struct printer *printer)
{
	printer->is_over = true;
	if (printer->child->pid <= 0 || child_collect(printer->child))
		loop_quit(printer->loop);
}

/* Which row has passed, and which file has what was around it. */
static void say_trigger(struct printer *printer,
			bool (*look)(struct app *app, struct strbuf *said, struct error *error))
{
	struct strbuf said = {0};
	struct error error = {0};
	const bool good = look(printer->app, &said, &error);

	if (said.length > 0)
		fprintf(stderr, "perftop: %s\n", strbuf_text(&said));
	if (!good) {
		output_say(&error);
		printer->trigger_failed = true;
	}
	strbuf_fini(&said);
}

/* A row that passes --fail-if is the error. */
static bool has_failed(struct printer *printer)
{
	const struct view_request request = request_of_printer(printer);
	struct view_table *table = app_table(printer->app);
	struct strbuf row = {0};

	if (!condition_look(&printer->fail_if, printer->app, table, &request))
		return false;
	condition_write_row(&printer->fail_if, table, &row);
	error_set(printer->error, ERROR_FAIL_IF, printer->fail_if.text, strbuf_text(&row));
	strbuf_fini(&row);
	return true;
}

static void close_interval(struct printer *printer)
{
	bool goes_on;

	tick_engine(printer);
	look_after_batch_recording(printer);
	say_trigger(printer, past_look);
	goes_on = print_interval(printer);
	if ((printer->error->code == ERROR_NONE && has_failed(printer)) || !goes_on)
		stop_printing(printer);
}

/* The command has ended: what it did since the last interval is printed, and that is all. */
static void print_the_rest(struct printer *printer)
{
	if (!printer->is_over)
		close_interval(printer);
	printer->is_over = true;
	loop_quit(printer->loop);
}

static void records_came(void *context)
{
	struct printer *printer = context;

	engine_drain(printer->engine);
	look_after_batch_recording(printer);
	/* the first interval says what is where; until it ends the history keeps them */
	if (!prints_lines(printer) || !engine_snapshot(printer->engine) || printer->is_over)
		return;
	if (!print_log(printer, false))
		stop_printing(printer);
	else if (printer->child->has_ended) /* while it was being written */
		print_the_rest(printer);
}

/* Processes may end, but a cgroup was to stay. */
static void end_of_watched(struct printer *printer)
{
	if (printer->options->cgroup)
		error_set(printer->error, ERROR_CGROUP_GONE, printer->options->cgroup, NULL);
	stop_printing(printer);
}

static void batch_interval_ends(void *context)
{
	struct printer *printer = context;

	if (printer->is_over)
		return;
	close_interval(printer);
	if (printer->is_over)
		return;
	if (printer->child->has_ended) /* while the output was waited for */
		print_the_rest(printer);
	else if (engine_is_finished(printer->engine) && printer->child->pid <= 0)
		end_of_watched(printer);
}

/* Of several recordings the one that is printed now. */
static const char *input_name(const struct printer *printer)
{
	const struct session *session = engine_session(printer->engine);

	return session->host[0] != '\0' ? session->host : printer->options->input;
}

/* What is not in the output is said beside it. */
static void say_remarks(const struct printer *printer)
{
	char remarks[512];

	replay_remarks(engine_source(printer->engine), remarks, sizeof(remarks));
	if (remarks[0] != '\0')
		fprintf(stderr, "perftop: %s: %s\n", input_name(printer), remarks);
}

static void say_no_stacks(const struct printer *printer)
{
	const struct view_request request = app_request(printer->app);
	const struct footer_input footer = {
		.request = &request,
		.snapshot = engine_snapshot(printer->engine),
		.session = engine_session(printer->engine),
	};
	struct strbuf why = {0};

	printer->view->write_footer(&why, &footer);
	fprintf(stderr, "perftop: %s: %s\n", input_name(printer), strbuf_text(&why));
	strbuf_fini(&why);
}

/* Output that is empty must not look as if nothing had happened. */
static void say_why_nothing(const struct printer *printer)
{
	const struct history *history = engine_history(printer->engine);
	const char *lack = engine_lacks_switches(printer->engine);

	if (lack && history && history_settled(history) == 0)
		fprintf(stderr, "perftop: %s: %s\n", input_name(printer), lack);
	if (printer->options->format->has_frames &&
	    view_table_row_count(app_table(printer->app)) == 0)
		say_no_stacks(printer);
}

/* As live, a process that is not there is an error; that is known when all has been read. */
static void refuse_unseen(const struct printer *printer)
{
	struct strbuf unseen = {0};

	strbuf_printf(&unseen, "%s: ", input_name(printer));
	if (printer->host->is_over && engine_list_unseen(printer->engine, &unseen))
		error_set(printer->error, ERROR_REPLAY_LACKS, strbuf_text(&unseen), NULL);
	strbuf_fini(&unseen);
}

/* Why columns that need every switch, or wake-ups, have nothing, or less. */
static void say_lacks(const struct printer *printer)
{
	const struct session *session = engine_session(printer->engine);
	const unsigned int needs = printer->needs;
	const char *states = session_states_reason(session);
	const char *why = session->is_live ? session->queue_words : "";
	const char *parallelism = app_lacks_parallelism(printer->app);

	if (needs & COLUMN_NEEDS_LATENCY && parallelism)
		fprintf(stderr, "perftop: %s\n", parallelism);
	if (needs & COLUMN_NEEDS_STATES && states[0] != '\0')
		fprintf(stderr, why[0] != '\0' ? "perftop: %s (%s)\n" : "perftop: %s\n", states,
			why);
	else if (needs & ~printer->view->needs & COLUMN_NEEDS_WAKEUPS &&
		 session->queue != QUEUE_WAKEUPS &&
		 (session->queue_words[0] != '\0' || !session->is_live))
		fprintf(stderr, "perftop: %s\n",
			session->queue_words[0] != '\0' ? session->queue_words
							: "no wake-ups were recorded");
}

/* What is to be said at the end of the host's recording. */
static void end_of_recording(struct printer *printer)
{
	printer->host->is_over = true;
	say_remarks(printer);
	if (!engine_snapshot(printer->engine))
		error_set(printer->error, ERROR_REPLAY_EMPTY, input_name(printer),
			  "no record in it has a time");
	else
		say_why_nothing(printer);
	if (engine_snapshot(printer->engine))
		say_lacks(printer);
}

/* The same of those that were not read to their ends. */
static void say_lacks_of_others(struct printer *printer)
{
	for (size_t i = 0; i < app_hosts(printer->app); i++) {
		choose_host(printer, i);
		if (!printer->host->is_over && !engine_session(printer->engine)->is_live)
			say_lacks(printer);
	}
}

/* An interval of each host that has one. False: none has, or not yet. */
static bool print_hosts(struct printer *printer)
{
	bool has_printed = false;

	for (size_t i = 0; i < app_hosts(printer->app) && !printer->is_over; i++) {
		choose_host(printer, i);
		if (has_its_intervals(printer, printer->host) || !engine_can_tick(printer->engine))
			continue;
		close_interval(printer);
		has_printed = true;
	}
	return has_printed;
}

/* Whether nothing more will come of any host. */
static bool are_hosts_over(struct printer *printer)
{
	bool are_over = true;

	for (size_t i = 0; i < app_hosts(printer->app); i++) {
		choose_host(printer, i);
		if (!printer->host->is_over && engine_is_finished(printer->engine))
			end_of_recording(printer);
		if (!printer->host->is_over && !has_its_intervals(printer, printer->host))
			are_over = false;
	}
	return are_over;
}

/* A recording is printed as fast as it can be read and written. */
static void batch_replay_goes_on(void *context)
{
	struct printer *printer = context;

	while (!printer->is_over && print_hosts(printer))
		if (!loop_hear(printer->loop))
			return;
	if (!printer->is_over && are_hosts_over(printer))
		stop_printing(printer);
}

static void end_now(struct printer *printer)
{
	if (!printer->is_over)
		printer->was_ended = true;
	loop_quit(printer->loop);
}

/* Where the output is being waited for, an end that was asked for does not wait with it. */
static void batch_child_ended(struct printer *printer)
{
	if (!printer->is_writing)
		print_the_rest(printer);
	else if (printer->was_interrupted)
		end_now(printer);
}

/*
 * A terminal's ^C reaches the command by itself, and its end ends us; the second one does not
 * wait for it.
 */
static void end_was_asked(struct printer *printer, int number)
{
	bool has_child = child_runs(printer->child);

	printer->output.is_in_haste = true;
	if (!has_child || printer->was_interrupted) {
		printer->abandoned = has_child ? number : 0;
		end_now(printer);
		return;
	}
	printer->was_interrupted = true;
	if (number != SIGINT)
		child_signal(printer->child, number);
}

static void batch_signal_arrived(void *context, int number)
{
	struct printer *printer = context;
	bool has_child = child_runs(printer->child);

	switch (number) {
	case SIGCHLD:
		if (has_child && child_collect(printer->child))
			batch_child_ended(printer);
		return;
	case SIGINT:
	case SIGTERM:
	case SIGHUP:
	case SIGQUIT:
		end_was_asked(printer, number);
		return;
	case SIGTSTP:
		raise(SIGSTOP);
		return;
	default:
		return;
	}
}

/* Why columns have nothing that need CPUs which share cores. */
static void say_smt(const struct printer *printer, unsigned int needs)
{
	const char *reason = session_smt_reason(engine_session(printer->engine));

	if (needs & COLUMN_NEEDS_SMT && reason[0] != '\0')
		fprintf(stderr, "perftop: SMT: %s\n", reason);
}

/* Callers are found in another way than was asked for. */
static void say_no_lbr(const struct printer *printer)
{
	const struct session *session = engine_session(printer->engine);

	if (session->is_live && session->sampling != SAMPLING_OFF &&
	    session->chains == CHAINS_BY_FRAME_POINTERS &&
	    app_request(printer->app).settings.call_graph == CALL_GRAPH_LBR)
		fprintf(stderr,
			"perftop: --call-graph lbr: this CPU or its driver does not record "
			"branches (%s): callers by frame pointers\n",
			session->sampling_words);
}

/* The history begins with the first interval: records before it only say which tasks run. */
static bool start_counting(struct printer *printer)
{
	const struct session *session = engine_session(printer->engine);
	const struct view_request request = request_of_printer(printer);
	const unsigned int needs = app_first_needs(printer->app) |
				   condition_needs(&printer->fail_if, printer->app, &request);
	struct error refusal = {0};

	printer->needs = needs;
	if (engine_refuses_realtime(printer->engine, &refusal))
		output_say(&refusal);
	if (!app_need(printer->app, needs, printer->error))
		return false;
	if (session->is_live &&
	    (!condition_is_known(&printer->fail_if, printer->app, false, printer->error) ||
	     !past_may_come(printer->app, printer->error)))
		return false;
	if (session->is_live)
		say_lacks(printer);
	if (printer->view->kind == ROW_PAIR && session_wait_reason(session)[0] != '\0')
		fprintf(stderr, "perftop: %s\n", session_wait_reason(session));
	say_smt(printer, needs);
	if (!app_need_samples(printer->app, needs, printer->error) ||
	    !engine_start(printer->engine, printer->error))
		return false;
	say_no_lbr(printer);
	return true;
}

/* Totals are of all intervals: those of the recording that is compared with come first. */
static bool print_old(struct printer *printer)
{
	struct app *old = against_old(printer->app);
	struct engine *engine = old ? app_engine(old) : NULL;
	bool has_samples = false;

	if (!old || !printer->options->format->is_totals)
		return true;
	while (engine_can_tick(engine)) {
		const struct view_request request = app_request(old);
		const struct profile *profile;
		struct batch_input input = {
			.request = &request,
			.table = app_table(old),
			.totals = printer->totals,
			.is_old = true,
		};

		engine_tick(engine);
		input.snapshot = engine_snapshot(engine);
		input.session = engine_session(engine);
		input.metrics = engine_metrics(engine);
		if (!input.snapshot)
			continue;
		profile = input.snapshot->profile;
		has_samples |= profile && profile->entry_count > 0;
		if (!fits_old(printer, &input))
			return false;
		await_names(printer, engine, &input);
		printer->options->format->write(&printer->text, &input);
	}
	return has_samples ||
	       error_set(printer->error, ERROR_AGAINST_SAMPLES, printer->options->against, NULL);
}

/* What comes through a pipe is waited for in the loop, a file is there. */
static bool start_replay(struct printer *printer)
{
	for (size_t i = 0; i < app_hosts(printer->app); i++) {
		int fd;

		choose_host(printer, i);
		fd = engine_source(printer->engine)->poll_fd;
		if (!start_counting(printer) || !print_old(printer) ||
		    (fd >= 0 &&
		     !loop_add(printer->loop, fd, batch_replay_goes_on, printer, printer->error)))
			return false;
	}
	batch_replay_goes_on(printer);
	return true;
}

/* Everything that is to be counted and printed, before it begins. Empty columns, another order and
 * missing rows say nothing of why. */
static bool prepare_printer(struct printer *printer)
{
	struct strbuf remarks = {0};
	bool good = app_prepare(printer->app, &remarks, printer->error);

	printer->hosts = xcalloc(app_hosts(printer->app), sizeof(*printer->hosts));
	printer->host = printer->hosts;
	if (good)
		printer->view = app_request(printer->app).state.info;
	if (good &&
	    (!against_read(printer->app, &remarks, printer->error) ||
	     !condition_prepare(&printer->fail_if, printer->app, printer->view, printer->error)))
		good = false;
	for (const char *remark = strbuf_text(&remarks); good && *remark != '\0';
	     remark += strcspn(remark, "\n") + 1)
		fprintf(stderr, "perftop: %.*s\n", (int)strcspn(remark, "\n"), remark);
	strbuf_fini(&remarks);
	return good;
}

static bool start_printer(struct printer *printer)
{
	const struct options *options = printer->options;
	struct error *error = printer->error;

	if (!prepare_printer(printer) || !output_open(&printer->output, options, error))
		return false;
	printer->loop = loop_create(error);
	if (!printer->loop ||
	    !loop_take_signals(printer->loop, batch_signal_arrived, printer, error))
		return false;
	if (engine_is_replay(printer->engine))
		return start_replay(printer);
	if (!start_counting(printer) ||
	    !loop_add(printer->loop, engine_source(printer->engine)->poll_fd, records_came, printer,
		      error))
		return false;
	return loop_set_timer(printer->loop, (uint64_t)(options->delay_s * 1e9),
			      batch_interval_ends, printer, error);
}

/* Returns the exit status. Signals, but for the one that has ended us, are delivered again by now:
 * waiting for the command can be ended by them. */
static int fini_printer(struct printer *printer)
{
	int status;

	if (printer->abandoned == 0)
		child_finish(printer->child);
	totals_destroy(printer->totals);
	condition_fini(&printer->fail_if);
	strbuf_fini(&printer->text);
	output_close(&printer->output, printer->error);
	status = engine_exit_status(printer->engine, printer->error);
	if (status == 0 && printer->trigger_failed)
		status = 1;
	app_destroy(printer->app);
	free(printer->hosts);
	return printer->abandoned > 0 && printer->error->code == ERROR_NONE
		       ? 128 + printer->abandoned
		       : status;
}

/* The totals of what was asked for are the end of the output where its format has a place for them.
 */
static void print_batch_result(struct printer *printer)
{
	if (printer->error->code != ERROR_NONE || printer->abandoned > 0 ||
	    !printer->options->format->has_result)
		return;
	/* what the command did since the last interval that was printed */
	if (printer->child->pid > 0 && engine_snapshot(printer->engine))
		engine_tick(printer->engine);
	strbuf_clear(&printer->text);
	engine_write_result(printer->engine, prints_text(printer) ? "# " : NULL, &printer->text);
	if (printer->text.length > 0)
		output_write(&printer->output, &printer->text, NULL, NULL, printer->error);
}

static void write_end(struct printer *printer)
{
	struct view_request request = request_of_printer(printer);
	const struct batch_input input = {
		.request = &request,
		.snapshot = engine_snapshot(printer->engine),
		.session = engine_session(printer->engine),
		.metrics = engine_metrics(printer->engine),
		.table = app_table(printer->app),
		.totals = printer->totals,
	};

	request.history_from = printer->next_entry;
	request.is_over = true;
	strbuf_clear(&printer->text);
	printer->options->format->end(&printer->text, &input);
	output_write(&printer->output, &printer->text, NULL, NULL, printer->error);
}

/* What closes the output, for a reader that reads. */
static void print_end(struct printer *printer)
{
	if (printer->error->code == ERROR_NONE && printer->options->format->end &&
	    !printer->output.is_cut && !printer->output.is_gone)
		write_end(printer);
}

int print_run(const struct options *options, struct error *error)
{
	struct printer printer = {
		.options = options,
		.app = app_create(options),
		.totals = totals_create(),
		.fail_if = {.text = options->fail_if, .never = ERROR_FAIL_IF_NEVER},
		.output = {.fd = -1},
		.error = error,
	};

	printer.engine = app_engine(printer.app);
	printer.child = engine_child(printer.engine);
	if (start_printer(&printer))
		loop_run(printer.loop, error);
	print_last_lines(&printer); /* while a closed pipe is no signal */
	say_trigger(&printer, past_end);
	stop_batch_recording(&printer);
	print_batch_result(&printer);
	print_end(&printer);
	if (printer.has_written)
		say_lacks_of_others(&printer);
	if (printer.has_written && error->code == ERROR_NONE)
		condition_is_known(&printer.fail_if, printer.app, true, error);
	loop_destroy(printer.loop);
	output_finish(&printer.output, error);
	if (error->code == ERROR_NONE)
		refuse_unseen(&printer);
	return fini_printer(&printer);
}
