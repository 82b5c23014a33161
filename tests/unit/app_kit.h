#ifndef PERFTOP_TESTS_APP_KIT_H
#define PERFTOP_TESTS_APP_KIT_H

/*
 * The app on a small machine of two CPUs, without a terminal: engine, model and all above are the
 * program's. Its source reports what the tasks of the kit do (kit.tasks), an interval of a second
 * after the other; as long as nothing has run on the second CPU, what that does is not known. The
 * source takes every process below 1000 and denies events whose name has "refused". Time stands
 * still but for intervals, /proc knows what the test says, and the events are those of a folder.
 * kit_replay() makes a recording of such intervals and shows it. The tests of these are
 * one program (perftop_kit() of program.cmake).
 */

#include <stdlib.h>

#include "base/error.h"
#include "kernel/proc.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "source/source.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/page.h"
#include "mode/pager.h"
#include "mode/pane.h"
#include "mode/prompts.h"
#include "mode/strips.h"
#include "mode/task_scope.h"
#include "perfdata/recorder.h"
#include "playback/playback_parts.h"
#include "session/engine_parts.h"
#include "session/loop.h"
#include "session/options.h"
#include "switch_builder.h"
#include "term/term.h"

enum {
	KIT_TASKS = 24,
	KIT_CPUS = 2,
	KIT_EVENTS = LAYOUT_GROUP_MEMBERS_MAX,
	KIT_RECORDS = 256,
	KIT_ATTACHED_MAX = 16,
	KIT_REFUSED = 666 /* the id of a tracepoint */
};

static const uint64_t KIT_INTERVAL_NS = 1000000000;

/* What a task does in each interval. */
struct kit_task {
	int32_t pid, parent_pid;
	const char *name, *command_line, *cgroup;
	int64_t uid;
	uint64_t run_ms; /* 0: it sleeps */
	bool is_kernel_thread;
	bool ends;      /* behind that */
	bool is_reborn; /* its number becomes another task's */
};

struct kit_cpu {
	uint64_t sequence; /* of switches */
	uint64_t values[KIT_EVENTS];
	int32_t running;
	uint64_t now_ns;   /* its values are those of this time */
	uint64_t count_ns; /* that they were counted for */
};

/* A record, and what it borrows. */
struct kit_record {
	struct record record;
	struct record_reading reading;
	uint64_t values[KIT_EVENTS];
};

struct kit {
	struct kit_task tasks[KIT_TASKS], reported[KIT_TASKS];
	size_t task_count, reported_count;
	struct kit_cpu cpus[KIT_CPUS];
	struct kit_record records[KIT_RECORDS];
	size_t count, next;
	uint64_t now_ns, end_ns; /* of the interval; 0: a second after the one before */
	uint64_t uncounted_pct;  /* of the time: other groups have their turn */
	uint64_t look_ns;        /* that a look at the clock takes */
	struct source source;
	struct options options;
	struct engine *engine; /* owned */
	struct app app;
	int32_t attached[KIT_ATTACHED_MAX]; /* asked of the source */
	size_t attached_count;
	size_t changes;     /* of what is counted */
	size_t walks;       /* through /proc */
	int32_t threads[4]; /* that a walk through a process visits */
	size_t thread_count;
	uint64_t start_ticks; /* of all tasks, as /proc says */
	int32_t reborn_pid;   /* began after what is shown; 0: none */
	char task_state;      /* 0: asleep */
	bool is_kernel_thread;
	size_t repaints;
	int32_t named[4]; /* what proc_find_by_name() finds */
	size_t named_count;
	bool change_is_refused;    /* of what is counted */
	struct told_switches told; /* of the model's history; those of the tasks are not reported */
	bool scheduler_is_refused;
	bool has_rows_of_no_task; /* tables have those of the exited and the unattributed */
};

enum {
	PIDFD = 1000000 /* a descriptor that there is not: closing it does nothing */
};

/* Signals, nice values and CPUs: what the kernel answers, and what it was asked for, which is done
 * to no process. */
struct fake_control {
	int open, signal, set_nice, set_cpus; /* what they answer */
	int gone;                             /* a signal 0 says that it has gone */
	int opened, sent_open, sent_pid;      /* to whom; 0: nobody */
	int number;                           /* of the signal sent */
	int nice[2];                          /* of all threads; of 77 */
	int reniced[4], reniced_count;        /* threads */
	int new_nice;
	size_t bound, cpu_count;
	int64_t slept_ns; /* the machine, since boot */
};

extern struct kit kit;
extern struct fake_control fake;

struct rounds *kit_rounds(void);

struct prompts *prompts_shown(void);

struct pager *pager_shown(void);

/* NULL: it has ended. */
struct kit_task *kit_task(int32_t pid);

/* An interval passes, and is shown. */
void kit_tick(void);

/* Shows what there is; an interval with it, if the tasks do something else. */
void kit_build(void);

struct kit_task *kit_add_task(struct kit_task task);

/* Rows by cpu%: 7 "nginx", 70 "nginx-worker", 8 "redis". */
int kit_set_up(void **state);

int kit_tear_down(void **state);

/* From now on the switches that are told to kit.told are kept, and no others come. */
void kit_keep_history(size_t capacity);

/* What the history calls a task of the kit. */
uint64_t kit_actor(int32_t pid);

/* The intervals that follow are recorded; NULL: into a file of the kit's. */
void kit_begin_recording(const char *to);

/* The app on a recording, of which no interval is shown yet. */
void kit_show(const char *path);

void kit_end_recording(void);

/* On what was recorded here. */
void kit_show_recording(void);

/* The same of so many intervals of what the tasks do. */
void kit_replay(size_t intervals);

/* A long interval that ends then. */
void kit_pass_to(uint64_t time_ns);

/* All tasks but the first ones have ended, and are forgotten. */
void kit_end_tasks(size_t first);

void kit_set_state(size_t event, enum event_state state);

/* A command; the rows are made anew where it makes that necessary. */
void run(const char *text);

#define add_task(...) kit_add_task((struct kit_task){__VA_ARGS__})

/* The folder that is the machine. */
const char *kit_root(void);

#endif
