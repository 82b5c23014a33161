#include "mode/terminal_handoff.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/proc.h"
#include "model/layout.h"
#include "model/session.h"
#include "source/source.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/table.h"

#include "event/event.h"
#include "mode/app.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/page.h"
#include "mode/prompts.h"
#include "mode/task_scope.h"
#include "perfdata/recorder.h"
#include "session/options.h"
#include "term/term.h"

static bool is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_,./:=-+@%";

	return text[0] != '\0' && text[strspn(text, plain)] == '\0';
}

/* A word as a shell takes it for itself. */
static void add_quoted(struct strbuf *out, const char *text)
{
	if (is_plain(text)) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add(out, "'");
	for (; *text != '\0'; text++)
		if (*text == '\'')
			strbuf_add(out, "'\\''");
		else
			strbuf_add_bytes(out, text, 1);
	strbuf_add(out, "'");
}

/* The events of the command as they come together. */
struct perf_events {
	struct strbuf plain;    /* owned; all that need no filter, with commas */
	struct strbuf filtered; /* owned; -e and --filter of the others */
	struct strbuf *left_out;
	bool has_time; /* one of them samples while the task runs */
	bool has_switches;
};

static void leave_option_out(struct perf_events *perf_events, const char *name, const char *reason)
{
	strbuf_printf(perf_events->left_out, "%s%s: %s",
		      perf_events->left_out->length > 0 ? "; " : "", name, reason);
}

static void add_spec(struct perf_events *perf_events, const struct event_spec *spec)
{
	struct strbuf words = {0};
	const char *reason;

	if (!event_perf_words(spec, &words, &reason)) {
		leave_option_out(perf_events, spec->name, reason);
	} else if (spec->filter[0] != '\0') {
		strbuf_add(&perf_events->filtered, " -e ");
		add_quoted(&perf_events->filtered, strbuf_text(&words));
		strbuf_add(&perf_events->filtered, " --filter ");
		add_quoted(&perf_events->filtered, spec->filter);
	} else {
		strbuf_printf(&perf_events->plain, "%s%s", perf_events->plain.length > 0 ? "," : "",
			      strbuf_text(&words));
	}
	perf_events->has_time =
		perf_events->has_time || spec->class == EVENT_CLASS_HARDWARE || spec->is_clock;
	perf_events->has_switches =
		perf_events->has_switches || strcmp(strbuf_text(&words), "sched:sched_switch") == 0;
	strbuf_fini(&words);
}

static void add_events(const struct handover_input *input, struct perf_events *perf_events)
{
	const struct layout *layout = input->layout;

	for (size_t i = 0; i < input->events->count; i++) {
		const struct evsel *evsel = &input->events->evsels[i];
		const int index = layout_find_event(layout, evsel->name);

		if (index < 0 || layout->events[index].is_removed ||
		    !event_is_counted(&layout->events[index]))
			continue;
		for (size_t j = 0; j < evsel->spec_count; j++)
			add_spec(perf_events, &evsel->specs[j]);
	}
	/* a profile without one says nothing of where the time goes */
	if (!perf_events->has_time)
		strbuf_add(&perf_events->plain,
			   perf_events->plain.length > 0 ? ",cpu-clock" : "cpu-clock");
}

static void add_off_cpu_options(const struct handover_input *input, struct perf_events *perf_events)
{
	if (input->may_trace && !perf_events->has_switches)
		strbuf_add(&perf_events->plain, ",sched:sched_switch");
	else if (!perf_events->has_switches)
		leave_option_out(perf_events, "sched:sched_switch", "tracepoints cannot be read");
}

void handover_write(const struct handover_input *input, struct strbuf *command,
		    struct strbuf *left_out)
{
	struct perf_events perf_events = {.left_out = left_out};

	add_events(input, &perf_events);
	if (input->is_off_cpu)
		add_off_cpu_options(input, &perf_events);
	strbuf_printf(command, "perf record -g %s %d", input->tid != input->pid ? "-t" : "-p",
		      input->tid);
	if (input->is_off_cpu)
		strbuf_add(command, " --switch-events");
	strbuf_add(command, " -e ");
	add_quoted(command, strbuf_text(&perf_events.plain));
	strbuf_add(command, strbuf_text(&perf_events.filtered));
	strbuf_fini(&perf_events.plain);
	strbuf_fini(&perf_events.filtered);
}

void handover_write_function(const struct handover_function *input, struct strbuf *command)
{
	if (!input->recording && input->pid == 0)
		strbuf_add(command, "perf record -a sleep 10 && ");
	else if (!input->recording)
		strbuf_printf(command, "perf record %s %d sleep 10 && ",
			      input->tid != input->pid ? "-t" : "-p", input->tid);
	strbuf_add(command, "perf annotate ");
	if (input->recording) {
		strbuf_add(command, "-i ");
		add_quoted(command, input->recording);
		strbuf_add_char(command, ' ');
	}
	strbuf_add(command, "-s ");
	add_quoted(command, input->name);
}

/*
 * Job control as a shell does it: both sides put the child into its group and its group into the
 * foreground, since either may come first. SIGTTOU would stop us when we take the terminal back
 * from the background; it is blocked for that moment.
 */

enum {
	NOT_RUN = 127
};

static void take_terminal(pid_t group)
{
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	tcsetpgrp(STDIN_FILENO, group);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ^C ends what it runs and not the shell that waits for Enter then. */
static const char runs_and_waits[] =
	"trap : INT QUIT; sh -c \"$1\"; printf '\\nEnter returns to perftop '; read -r line";

/* In the child: signals are as usual again, and it becomes the command. Never returns. */
static _Noreturn void become(const char *command)
{
	static const int usual[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD};
	sigset_t none;

	setpgid(0, 0);
	take_terminal(getpid());
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		signal(usual[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", runs_and_waits, "sh", command, (char *)NULL);
	_exit(NOT_RUN);
}

bool job_start(struct job *job, const char *command, struct error *error)
{
	const pid_t pid = fork();

	if (pid == 0)
		become(command);
	if (pid < 0)
		return error_set_errno(error, ERROR_SYSTEM, "fork", errno);
	setpgid(pid, pid);
	take_terminal(pid);
	job->pid = pid;
	return true;
}

bool job_collect(struct job *job)
{
	int status;

	while (job->pid > 0 && waitpid(job->pid, &status, WNOHANG | WUNTRACED) == job->pid) {
		if (WIFSTOPPED(status)) {
			kill(-job->pid, SIGCONT);
			continue;
		}
		job->pid = 0;
		take_terminal(getpgrp());
		return true;
	}
	return false;
}

void job_end(struct job *job)
{
	if (job->pid <= 0)
		return;
	kill(-job->pid, SIGTERM);
	kill(-job->pid, SIGCONT);
	while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
		;
	job->pid = 0;
	take_terminal(getpgrp());
}

/* Keys are not read meanwhile: in the background that would stop us. */

enum {
	LINE_INDENT = 4,
	COMMAND_LINES_MOST = 3
};

static bool may_trace(void)
{
	static const char *const files[] = {
		"/sys/kernel/tracing/events/sched/sched_switch/id",
		"/sys/kernel/debug/tracing/events/sched/sched_switch/id",
	};

	return access(files[0], R_OK) == 0 || access(files[1], R_OK) == 0;
}

/* The views of the history are about switches. */
static bool is_off_cpu(const struct app *app)
{
	return app->views[app->view].info->needs_history;
}

static void add_note(struct app *app, const char *text)
{
	struct prompts *prompts = app->parts[PART_prompts];
	struct strbuf note = {0};

	text_append_safe(&note, text, strlen(text), app->screen.is_ascii);
	complete_add(&prompts->complete, strbuf_text(&note), NULL);
	strbuf_fini(&note);
}

/* The prompt shows a part of what is longer than a line. */
static void add_whole_machine(struct app *app, const char *command)
{
	struct prompts *prompts = app->parts[PART_prompts];
	const size_t width = app->screen.width > 2 * LINE_INDENT
				     ? (size_t)(app->screen.width - LINE_INDENT)
				     : LINE_INDENT;
	char line[1024];

	if (strlen(command) + LINE_INDENT < width)
		return;
	while (*command != '\0' && prompts->complete.count < COMMAND_LINES_MOST) {
		snprintf(line, sizeof(line), "%.*s", (int)width, command);
		add_note(app, line);
		command += strlen(line);
	}
}

/* Of the function under the cursor; false: there is none, its name is not known, or it is that of
 * cgroups, which perf does not accept without an event. */
static bool propose_function(struct app *app, struct strbuf *command)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct task_scope *scope = app->parts[PART_task_scope];
	const struct view_row *row = app_row(app);
	struct handover_function input = {.recording = hosts_recording(app)};
	struct function_name name;

	if (!row || !row->function || row->function->by != CALLS_BY_FUNCTION ||
	    compared_refuse_row(app, NULL))
		return false;
	if (input.recording && strcmp(input.recording, "-") == 0) /* it was read once */
		return false;
	name = function_names_find(view_table_function_names(app->table), row->function->number,
				   row->function->time_ns);
	if (name.reason || name.object[0] == '\0')
		return false;
	input.name = name.function;
	if (scope->is_on) {
		input.pid = scope->pid;
		input.tid = scope->tid;
	} else if (attached->count == 1) {
		input.pid = input.tid = attached->pids[0];
	} else if (!input.recording && engine_session(app->engine)->clock_stops) {
		return false;
	}
	handover_write_function(&input, command);
	add_whole_machine(app, strbuf_text(command));
	add_note(app, "Enter runs it in this terminal; Esc cancels");
	return true;
}

bool terminal_handoff_propose(struct app *app, struct strbuf *command, struct error *error)
{
	struct handover_input input = {
		.events = engine_events(app->engine),
		.layout = engine_layout(app->engine),
		.is_off_cpu = is_off_cpu(app),
		.may_trace = may_trace(),
	};
	struct strbuf left_out = {0};
	struct proc_task task;

	if (propose_function(app, command))
		return true;
	if (engine_is_replay(app->engine))
		return error_set(error, ERROR_REPLAY_NOT, "perf record", NULL);
	if (!page_find_task(app, "", &input.pid, &input.tid, error))
		return false;
	if (!proc_read_task(input.tid, &task)) {
		char number[16];

		snprintf(number, sizeof(number), "%d", input.tid);
		return error_set(error, ERROR_PROCESS_GONE, number, NULL);
	}
	handover_write(&input, command, &left_out);
	add_whole_machine(app, strbuf_text(command));
	if (left_out.length > 0) {
		strbuf_add(&left_out, " (left out)");
		add_note(app, strbuf_text(&left_out));
	}
	add_note(app, "Enter runs it in this terminal; ^C ends it; Esc cancels");
	strbuf_fini(&left_out);
	return true;
}

bool terminal_handoff_is_on(const struct app *app)
{
	const struct job *job = app->parts[PART_job];

	return job->pid > 0;
}

static void say_start(const struct app *app, const char *command)
{
	char words[256];
	const int length =
		snprintf(words, sizeof(words), "%s while this runs:\r\n",
			 engine_is_replay(app->engine) ? "perftop waits" : "perftop counts on");

	if (write(STDOUT_FILENO, words, (size_t)length) < 0 ||
	    write(STDOUT_FILENO, command, strlen(command)) < 0 || write(STDOUT_FILENO, "\n", 1) < 0)
		return; /* the command says for itself what it does */
}

bool terminal_handoff_start(struct app *app, const char *command, struct error *error)
{
	term_suspend(app->term);
	say_start(app, command);
	if (job_start(app->parts[PART_job], command, error))
		return true;
	term_resume(app->term);
	return false;
}

void terminal_handoff_collect(struct app *app)
{
	if (!job_collect(app->parts[PART_job]))
		return;
	term_resume(app->term);
	app_resize(app);
}

static const double MB = 1e6;

bool record_command_is_on(const struct app *app)
{
	return engine_recorder(app->engine);
}

static bool end(struct app *app, struct error *error)
{
	char path[256];

	if (!record_command_is_on(app))
		return error_set(error, ERROR_COMMAND_USAGE, "record FILE", NULL);
	text_safe(path, sizeof(path), recorder_path(engine_recorder(app->engine)),
		  app->screen.is_ascii);
	if (!engine_stop_recording(app->engine, error))
		return false;
	app_say(app, false, "saved %s; replay it with perftop -i, or use perf script", path);
	return true;
}

static bool begin(struct app *app, const char *path, struct error *error)
{
	const struct options *options = app->options;
	char safe[256];

	if (!engine_record(app->engine, path, options->compression, options->arguments, error))
		return false;
	text_safe(safe, sizeof(safe), path, app->screen.is_ascii);
	app_say(app, false, "recording to %s; %s: end", safe,
		keys_name_of(app->parts[PART_keys], "ask record"));
	return true;
}

bool record_command_run(struct app *app, const char *path, struct error *error)
{
	char *whole;
	bool good;

	app->needs_build = true; /* beginning and ending end the interval */
	if (path[0] == '\0')
		return end(app, error);
	if (record_command_is_on(app))
		return error_set(error, ERROR_RECORDING_ON,
				 recorder_path(engine_recorder(app->engine)), NULL);
	whole = text_expand_home(path);
	good = begin(app, whole, error);
	free(whole);
	return good;
}

void record_command_write(const struct app *app, struct strbuf *out)
{
	char path[256];
	const char *name;

	if (!record_command_is_on(app))
		return;
	name = recorder_path(engine_recorder(app->engine));
	text_safe(path, sizeof(path), name, app->screen.is_ascii);
	strbuf_printf(out, "recording %s %.1f MB  ", path,
		      (double)recorder_bytes(engine_recorder(app->engine)) / MB);
}

const struct app_part part_job = {.bytes =
					  sizeof(struct job)}; /* has the terminal, while it runs */
