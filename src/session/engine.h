#ifndef PERFTOP_SESSION_ENGINE_H
#define PERFTOP_SESSION_ENGINE_H

/*
 * From the kernel to a snapshot: the source, the model and the metrics as one thing that is drained
 * and ticked. The batch run and the screen both build on it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/shed.h"

struct child;
struct error;
struct event_finder;
struct event_set;
struct history;
struct host;
struct layout;
struct metric_info;
struct metric_set;
struct metrics;
struct model;
struct options;
struct parallel_scope;
struct processor;
struct recorder;
struct resolver;
struct session;
struct snapshot;
struct source;
struct strbuf;
struct target_pids;
struct view_table;
struct rule_input;

struct engine; /* opaque */

/* The options are borrowed. Only engine_child() may be asked of it before it is open. */
struct engine *engine_create(const struct options *options);
void engine_destroy(struct engine *engine);

/*
 * Finds the source that the options ask for and this user may have, and opens it. Counted are the
 * default events, unless columns are named, those of the options, and those of its metrics; an
 * unavailable one is no failure, its state says so. The command of the options is forked before and
 * waits. False: it is only good to be destroyed, error says why.
 */
bool engine_open(struct engine *engine, struct error *error);

/* Lets it count: the first interval begins, and the command. Records if the options ask for it. */
bool engine_start(struct engine *engine, struct error *error);

/* The exit status of the run: of the error, else of the command; 1 if a recording is not whole. */
int engine_exit_status(const struct engine *engine, const struct error *error);

/* What it is made of; all borrowed. */
struct resolver *engine_resolver(struct engine *engine);
struct child *engine_child(struct engine *engine); /* the command; its pid is 0: none */
/* Of the last tick, good until the next one; NULL: none yet. */
const struct snapshot *engine_snapshot(const struct engine *engine);
const struct metrics *engine_metrics(struct engine *engine); /* bound to its layout */
struct metric_set *engine_metric_set(const struct engine *engine);
const struct event_set *engine_events(const struct engine *engine);
struct event_finder *engine_finder(const struct engine *engine);
const struct host *engine_host(const struct engine *engine);

/* That of this machine, or of the recording's: its name, and the level that an event counts there
 * (event/processor.h). Of a metric the level is in its info. */
const struct processor *engine_processor(const struct engine *engine);

const struct layout *engine_layout(const struct engine *engine); /* of the source, by now */
struct source *engine_source(const struct engine *engine);
struct model *engine_model(const struct engine *engine);
const struct target_pids *engine_targets(const struct engine *engine);
const struct recorder *engine_recorder(const struct engine *engine); /* NULL: none */
enum shed_level engine_shed_level(const struct engine *engine);

/* It shows a recording, at any pace: its time is that of the records. */
bool engine_is_replay(const struct engine *engine);

/*
 * Whether all of the next interval is there. Of a live session it always is, of a recording unless
 * it is over or comes through a pipe that has not delivered it yet: what has come is taken then,
 * and more of it can be waited for with source.poll_fd.
 */
bool engine_can_tick(struct engine *engine);

/* What a recording calls its machine; "" unknown. */
const char *engine_host_name(const struct engine *engine);

/*
 * It is one of several machines, which is called so in what is shown, and has the columns of the
 * first one. has_pmu: one of them counts hardware events.
 */
void engine_join(struct engine *engine, struct engine *first, const char *name, bool has_pmu);

/* Begins the recording anew, with an empty history. False: it is a pipe, nothing has changed. */
bool engine_rewind(struct engine *engine, struct error *error);

/*
 * From the next interval on all of it may cost so many percent of the machine, 0: anything; see
 * budget.h. At first it is what the options say.
 */
void engine_set_budget(struct engine *engine, double pct);
double engine_budget(const struct engine *engine);

/* How long intervals are meant to be from now on; at first as the options say. */
void engine_set_interval(struct engine *engine, double delay_s);

/*
 * We were kept from running so long that we have taken a real-time priority (urgency.h): true once
 * each time, and *kept_ns says how long.
 */
bool engine_has_become_urgent(struct engine *engine, uint64_t *kept_ns);

/* Whether --realtime was asked for in vain; then error says so. */
bool engine_refuses_realtime(const struct engine *engine, struct error *error);

/* Takes what the kernel has written; cheap, any time. */
void engine_drain(struct engine *engine);

/* We have waited for descriptors since then, up to now: others are looked at while they sleep, but
 * we run whenever we look. */
void engine_note_wait(struct engine *engine, uint64_t since_ns);

/* Ends the interval; engine_snapshot() is its result, good until the next tick. */
void engine_tick(struct engine *engine);

/*
 * What is counted is changed by these five, at any time after engine_open(). While it runs they end
 * the interval first; engine_snapshot() is good afterwards, in the new layout. False: nothing has
 * changed. An unavailable event is no failure: its state and reason say so.
 */

/*
 * Adds events as event_find() takes them; added() is called for each of the list, new or not. On a
 * fault in the list *position is its byte offset; otherwise it is left alone.
 */
bool engine_add_events(struct engine *engine, const char *list,
		       void (*added)(const char *name, void *context), void *context,
		       size_t *position, struct error *error);
bool engine_remove_event(struct engine *engine, const char *name, struct error *error);

/* Adds a metric (metric_set_add()) and the events that it needs. *position as above. */
bool engine_add_metric(struct engine *engine, const char *definition,
		       const struct metric_info **info, size_t *position, struct error *error);

/*
 * Adds the events that metrics need, in one change. False: error is about the first of those that
 * have an event that is not known; the others are counted.
 */
bool engine_need_metrics(struct engine *engine, const char *const *names, size_t count,
			 struct error *error);

/*
 * Metrics of a set of columns: the first `added` of the names are counted from now on, as by
 * engine_need_metrics(). Events that were added for such a set and that none of the names needs are
 * closed in the same change; so are names[] all metrics that are shown, sorted by or compared.
 */
bool engine_change_set(struct engine *engine, const char *const *names, size_t count, size_t added,
		       struct error *error);

/*
 * The light set: of the default events cycles and instructions only; those that are left out come
 * back when it is off. light: 1 on, 0 off; SETTING_UNSET, as from the start without --light: on
 * where reading counters is slow (kernel/counter_time.h).
 */
bool engine_set_light(struct engine *engine, int light, struct error *error);
bool engine_is_light(const struct engine *engine);

/*
 * Wake-ups and yields from now on, as far as they are available; the session's queue_words say what
 * became of it. Ends the interval as the above do, unless they were asked for before.
 */
bool engine_need_scheduler(struct engine *engine, struct error *error);

/*
 * At which event samples on the CPU are taken from when they are next asked for on; "": by time.
 * False: there is no such event, or it is a replay, and nothing has changed.
 */
bool engine_sample_by(struct engine *engine, const char *event, size_t *position,
		      struct error *error);
const char *engine_sampled_by(const struct engine *engine); /* "" by time */

/* What is to be sampled. */
struct engine_samples {
	unsigned int needs;   /* these bits of enum column_need */
	bool by_lbr;          /* callers as the processor records them */
	uint32_t stack_bytes; /* out of so much of the stack; 0: not so */
	const int32_t *pids;  /* off the CPU at least these processes; none: those of the scope */
	size_t pid_count;
};

/*
 * Tasks are sampled from now on as it says, or no more; of a recording what is in it. False: they
 * may not be, once each time that it is asked for; the session's sampling_words say it as long as
 * it is. *ends_interval: a recording is written, and the interval was ended for it.
 */
bool engine_need_samples(struct engine *engine, const struct engine_samples *wanted,
			 bool *ends_interval, struct error *error);

/*
 * Names of functions come later than samples. The descriptor is readable when some have come, -1:
 * none are expected; engine_take_names() says whether there are new ones, also without it.
 */
int engine_names_fd(const struct engine *engine);
bool engine_take_names(struct engine *engine);
void engine_await_names(struct engine *engine);

/*
 * From now on the cgroups of tasks are reported, or no more; of a recording what is in it. Of tasks
 * that run it is known from the next interval on.
 */
void engine_need_cgroups(struct engine *engine, bool needs);

/*
 * From now on the states of threads are known, as far as the scheduler's records are available, or
 * no more; of a recording once and for all. That includes engine_need_scheduler(), as which it ends
 * the interval. True: it did, and what was asked of the engine before is void.
 * An error: where threads leave their CPU is unknown, since the groups could not be opened anew; it
 * is tried again with the next change of events.
 */
bool engine_need_states(struct engine *engine, bool needs, struct error *error);

/*
 * From now on it is known how many threads of each scope (parallel.h) run at once, where CPUs are
 * counted, or no more; of a recording on the screen always. Of the first interval it is not known.
 */
void engine_need_parallelism(struct engine *engine, bool needs, const struct parallel_scope *scope);

/*
 * From now on what holds back the cgroups of the tasks in the scope is read, of the process `pid`
 * (0: none) in any case, or no more. It is known from the next interval on; of a recording what is
 * in it.
 */
void engine_need_stalls(struct engine *engine, bool needs, int32_t pid);

/* Keeps the last so many context switches; 0: none, as at first. */
void engine_keep_history(struct engine *engine, size_t capacity);

/* NULL: none is kept. It changes with every drain and tick. */
const struct history *engine_history(const struct engine *engine);

/* Whether a process is in the scope; the context is the struct engine. */
bool engine_wants(int32_t pid, const void *context);

/*
 * The result of a live run so far, of a command or pids that are picked out of the machine: as
 * text, each line after `begin`, or as a line of JSON (begin NULL). Nothing otherwise: counters
 * that are opened for each task miss those that end at once.
 */
void engine_write_result(struct engine *engine, const char *begin, struct strbuf *out);

/* The command has ended: what comes is not added to the result any more. */
void engine_complete_result(struct engine *engine);

/*
 * Feeds what /proc knows of a process to the model, so that idle ones are seen too. Of all of them
 * (pid 0): little by little, with each drain.
 */
void engine_introduce(struct engine *engine, int32_t pid);

/* It counts the whole machine by its CPUs, or cgroups since engine_count_cgroups(). */
bool engine_may_count_cgroups(const struct engine *engine);

/*
 * From now on the tasks of these cgroups alone are counted, by their paths, a line each, or, NULL,
 * the whole machine again: with the same events, and a model and a history without a past. What
 * views need beyond counting is to be asked for anew. engine_snapshot() is that of a first, short
 * interval. False: nothing has changed. Only if it may.
 */
bool engine_count_cgroups(struct engine *engine, const char *paths, struct error *error);

/* What is counted since; NULL: what the options say. */
const char *engine_counted_cgroups(const struct engine *engine);

/*
 * Sees to it that process `pid` is counted and in the scope. False: there is none, or it may not be
 * watched.
 */
bool engine_attach(struct engine *engine, int32_t pid, struct error *error);

/* Every process in the scope has ended, and nothing will come any more. */
bool engine_is_finished(const struct engine *engine);

/* The process of thread `id`, which may be the process itself. False: there is none. */
bool engine_find_process(const struct engine *engine, int32_t id, int32_t *pid,
			 struct error *error);

/* Why there are no context switches in a recording; NULL: there may be some. */
const char *engine_lacks_switches(const struct engine *engine);

/* Why it is not known how many threads of a process run at once; NULL: it is. */
const char *engine_lacks_parallelism(const struct engine *engine);

/* Appends "pid 7, 8", the processes of the options not seen in a recording so far. False: there are
 * none of these. */
bool engine_list_unseen(const struct engine *engine, struct strbuf *out);

/* The uid of a name or of a number, in a recording that of its machine; -1: there is none. */
int64_t engine_find_user(const struct engine *engine, const char *name);

/* Says to a table where the names of a recording's users come from, or what /proc says of tasks. */
void engine_serve_table(struct engine *engine, struct view_table *table);

/*
 * Appends the namespaces of a task, as far as they are others than perftop's, in a recording than
 * those of process 1: "mnt 4026532445, net 4026532449".
 */
void engine_add_namespaces(const struct engine *engine, int32_t tid, struct strbuf *words);

/* The snapshot and what else rules look at; of the present /proc, too. Metrics are left out. */
struct rule_input engine_rule_input(const struct engine *engine, const struct snapshot *snapshot);

const struct session *engine_session(const struct engine *engine);

/*
 * Writes all records from now on as perf.data; while it runs the interval ends first, as above.
 * compression: a level from 1 to 22, 0: none; arguments: the command line, borrowed for the call.
 * False: nothing is recorded, error says why.
 */
bool engine_record(struct engine *engine, const char *path, int compression, char *const *arguments,
		   struct error *error);

/* Completes the file. False: error says why it is not whole. Without a recording nothing happens.
 */
bool engine_stop_recording(struct engine *engine, struct error *error);

/*
 * Writes what is kept, up to the interval that has just ended, as a recording to a new file; what
 * is kept from then on begins with its second half at the earliest. False: there is no such file,
 * error says why. To another file system it is copied meanwhile, by a process of its own.
 */
bool engine_save_past(struct engine *engine, const char *path, struct error *error);

/* As of the last call of engine_follow_copy(), which waits for its end or not. False: there is no
 * such file, error says why. */
bool engine_copies_past(const struct engine *engine);
bool engine_follow_copy(struct engine *engine, bool waits, struct error *error);

/* Nothing is kept any more. */
void engine_end_past(struct engine *engine);

/* What is kept now is not let go before it is saved, or no more. */
void engine_hold_past(struct engine *engine, bool is_held);
bool engine_keeps_past(const struct engine *engine);

/* Writing has failed: *error says why, once; the recording is over, or what was kept of the past
 * is, and counting goes on. */
bool engine_recording_has_failed(struct engine *engine, struct error *error);

#endif
