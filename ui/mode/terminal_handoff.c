#include "mode/terminal_handoff.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#include "source/source.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/table.h"

#include "event/event.h"
#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "perfdata/recorder.h"
#include "session/loop.h"
#include "session/options.h"
#include "term/term.h"

enum {
	PATH_BYTES = 4096
};

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

static void leave_out(struct perf_events *perf_events, const char *name, const char *reason)
{
	strbuf_printf(perf_events->left_out, "%s%s: %s",
		      perf_events->left_out->length > 0 ? "; " : "", name, reason);
}

static void add_spec(struct perf_events *perf_events, const struct event_spec *spec)
{
	struct strbuf words = {0};
	const char *reason;

	if (!event_perf_words(spec, &words, &reason)) {
		leave_out(perf_events, spec->name, reason);
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

static void add_off_cpu(const struct handover_input *input, struct perf_events *perf_events)
{
	if (input->may_trace && !perf_events->has_switches)
		strbuf_add(&perf_events->plain, ",sched:sched_switch");
	else if (!perf_events->has_switches)
		leave_out(perf_events, "sched:sched_switch", "tracepoints cannot be read");
}

void handover_write(const struct handover_input *input, struct strbuf *command,
		    struct strbuf *left_out)
{
	struct perf_events perf_events = {.left_out = left_out};

	add_events(input, &perf_events);
	if (input->is_off_cpu)
		add_off_cpu(input, &perf_events);
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

/* "[ perf record: Captured and wrote 0.02 MB perf.data (5 samples) ]" without the brackets. */
static void add_line(struct strbuf *out, const char *line, size_t length)
{
	while (length > 0 && strchr("[ \t\r", line[0])) {
		line++;
		length--;
	}
	while (length > 0 && strchr("] \t\r", line[length - 1]))
		length--;
	strbuf_clear(out);
	strbuf_add_bytes(out, line, length);
}

static bool is_of_no_reason(const char *line)
{
	return line[0] == '\0' || strcmp(line, "Error:") == 0 ||
	       strncmp(line, "Warning:", 8) == 0 ||
	       strncmp(line, "perf record: Woken up", 21) == 0 || strcmp(line, "^C") == 0 ||
	       strncmp(line, "^C[ perf record: Woken up", 25) == 0;
}

void handover_outcome(const char *words, struct strbuf *out)
{
	struct strbuf line = {0};

	strbuf_clear(out);
	while (*words != '\0') {
		const size_t length = strcspn(words, "\n");

		add_line(&line, words, length);
		words += length + (words[length] == '\n');
		if (strstr(strbuf_text(&line), "and wrote")) {
			strbuf_clear(out);
			strbuf_add(out, strbuf_text(&line));
		} else if (out->length == 0 && !is_of_no_reason(strbuf_text(&line))) {
			strbuf_add(out, strbuf_text(&line));
		}
	}
	strbuf_fini(&line);
}

static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");

	for (; path && *path != '\0'; path += *path == ':') {
		const size_t length = strcspn(path, ":");
		char file[PATH_BYTES];

		snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, name);
		if (length > 0 && access(file, X_OK) == 0)
			return true;
		path += length;
	}
	return false;
}

bool handover_has_program(const char *command, char *name, size_t size)
{
	const char *begin = command + strspn(command, " \t");

	snprintf(name, size, "%.*s", (int)strcspn(begin, " \t"), begin);
	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	return name[0] != '\0' && is_in_path(name);
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

/* In the child: signals are as usual again, and it becomes the command. Never returns. */
static _Noreturn void become(const char *command, int words_fd)
{
	static const int usual[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD};
	sigset_t none;

	setpgid(0, 0);
	take_terminal(getpid());
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		signal(usual[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(words_fd, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_RUN);
}

bool job_start(struct job *job, const char *command, struct error *error)
{
	int fds[2];

	*job = (struct job){.words_fd = -1};
	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "pipe2", errno);
	job->pid = fork();
	if (job->pid == 0)
		become(command, fds[1]);
	close(fds[1]);
	if (job->pid < 0) {
		job->pid = 0;
		close(fds[0]);
		return error_set_errno(error, ERROR_SYSTEM, "fork", errno);
	}
	setpgid(job->pid, job->pid);
	take_terminal(job->pid);
	job->words_fd = fds[0];
	fcntl(job->words_fd, F_SETFL, O_NONBLOCK);
	return true;
}

/* Of too much the beginning is forgotten. */
static void remember(struct job *job, const char *bytes, size_t count)
{
	const size_t room = JOB_WORDS_MAX - 1;
	size_t kept = job->length;

	if (count > room) {
		bytes += count - room;
		count = room;
	}
	if (kept + count > room)
		kept = room - count;
	memmove(job->words, job->words + job->length - kept, kept);
	memcpy(job->words + kept, bytes, count);
	job->length = kept + count;
	job->words[job->length] = '\0';
}

/* A terminal that ^S has stopped, or a pipe without a reader, would hold us up. */
static void repeat_words(const char *bytes, size_t count)
{
	struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&output, 1, 0) <= 0 || (output.revents & POLLOUT) == 0)
		return;
	if (write(STDERR_FILENO, bytes, count) < 0)
		return; /* they are remembered all the same */
}

bool job_hear(struct job *job)
{
	char bytes[1024];
	ssize_t count;

	while ((count = read(job->words_fd, bytes, sizeof(bytes))) > 0) {
		remember(job, bytes, (size_t)count);
		repeat_words(bytes, (size_t)count);
	}
	return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static void close_words(struct job *job)
{
	if (job->words_fd < 0)
		return;
	job_hear(job);
	close(job->words_fd);
	job->words_fd = -1;
}

bool job_collect(struct job *job, int *status)
{
	int raw;

	while (job->pid > 0 && waitpid(job->pid, &raw, WNOHANG | WUNTRACED) == job->pid) {
		if (WIFSTOPPED(raw)) {
			kill(-job->pid, SIGCONT);
			continue;
		}
		*status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
		job->pid = 0;
		take_terminal(getpgrp());
		close_words(job);
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
	close_words(job);
}

/* Keys are not read meanwhile: in the background that would stop us. */

enum {
	LINE_INDENT = 4
};

static const uint64_t LONGER_NS = UINT64_C(12000000000);

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
	if (text[0] == '\0' || app->prompts.candidate_count == PROMPTS_CANDIDATES_MAX)
		return;
	strbuf_clear(&app->prompts.candidates[app->prompts.candidate_count]);
	text_append_safe(&app->prompts.candidates[app->prompts.candidate_count], text, strlen(text),
			 app->ascii);
	app->prompts.candidate_count++;
}

/* The prompt shows a part of what is longer than a line. */
static void add_whole(struct app *app, const char *command)
{
	const size_t width = app->screen.width > 2 * LINE_INDENT
				     ? (size_t)(app->screen.width - LINE_INDENT)
				     : LINE_INDENT;
	char line[1024];

	if (strlen(command) + LINE_INDENT < width)
		return;
	while (*command != '\0' && app->prompts.candidate_count + 2 < PROMPTS_CANDIDATES_MAX) {
		snprintf(line, sizeof(line), "%.*s", (int)width, command);
		add_note(app, line);
		command += strlen(line);
	}
}

/* Of the function under the cursor; false: there is none, or its name is not known. */
static bool propose_function(struct app *app, struct strbuf *command)
{
	const struct view_row *row = app_row(app);
	struct handover_function input = {.recording = app->options->input};
	struct function_name name;

	if (!row || !row->function || row->function->by != CALLS_BY_FUNCTION)
		return false;
	if (input.recording && strcmp(input.recording, "-") == 0) /* it was read once */
		return false;
	name = function_names_find(view_table_function_names(app->table), row->function->number,
				   row->function->time_ns);
	if (name.reason || name.object[0] == '\0')
		return false;
	input.name = name.function;
	if (task_scope_is_in_force(app)) {
		input.pid = app->task_scope.pid;
		input.tid = app->task_scope.tid;
	} else if (app->attached.count == 1) {
		input.pid = input.tid = app->attached.pids[0];
	}
	handover_write_function(&input, command);
	app->prompts.candidate_count = 0;
	add_whole(app, strbuf_text(command));
	add_note(app, "Enter runs it in this terminal, q returns; Esc cancels");
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
	app->prompts.candidate_count = 0;
	add_whole(app, strbuf_text(command));
	if (left_out.length > 0) {
		strbuf_add(&left_out, " (left out)");
		add_note(app, strbuf_text(&left_out));
	}
	add_note(app, "Enter runs it in this terminal; ^C ends it and returns; Esc cancels");
	strbuf_fini(&left_out);
	return true;
}

bool terminal_handoff_is_on(const struct app *app)
{
	return app->job.pid > 0;
}

static void words_come(void *context)
{
	struct app *app = context;

	if (!job_hear(&app->job))
		loop_remove(app->loop, app->job.words_fd);
}

static void say_start(const char *command)
{
	char words[256];
	const int length = snprintf(words, sizeof(words), "perftop counts on while this runs:\r\n");

	if (write(STDOUT_FILENO, words, (size_t)length) < 0 ||
	    write(STDOUT_FILENO, command, strlen(command)) < 0 || write(STDOUT_FILENO, "\n", 1) < 0)
		return; /* the command says for itself what it does */
}

bool terminal_handoff_start(struct app *app, const char *command, struct error *error)
{
	char name[64];

	if (!handover_has_program(command, name, sizeof(name)))
		return error_set(error, ERROR_PROGRAM_MISSING, name, NULL);
	term_suspend(app->term);
	say_start(command);
	if (!job_start(&app->job, command, error)) {
		term_resume(app->term);
		return false;
	}
	if (!loop_add(app->loop, app->job.words_fd, words_come, app, error)) {
		job_end(&app->job);
		term_resume(app->term);
		return false;
	}
	return true;
}

/* What it wrote or why it failed, in its own words. */
static void say_outcome(struct app *app, int status)
{
	struct strbuf line = {0}, safe = {0};
	const bool good = status == 0 || status == 130;

	handover_outcome(app->job.words, &line);
	text_append_safe(&safe, strbuf_text(&line), line.length, app->ascii);
	if (safe.length > 0)
		app_say(app, !good, "%s", strbuf_text(&safe));
	else if (good)
		app_say(app, false, "the command has ended");
	else
		app_say(app, true, "the command has ended with status %d", status);
	app->message.until_ns += LONGER_NS; /* its beginning was not seen */
	strbuf_fini(&line);
	strbuf_fini(&safe);
}

void terminal_handoff_collect(struct app *app)
{
	const int fd = app->job.words_fd;
	int status;

	if (!terminal_handoff_is_on(app))
		return;
	if (!job_collect(&app->job, &status))
		return;
	loop_remove(app->loop, fd);
	term_resume(app->term);
	app_resize(app);
	say_outcome(app, status);
}

void terminal_handoff_end(struct app *app)
{
	job_end(&app->job);
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
	text_safe(path, sizeof(path), recorder_path(engine_recorder(app->engine)), app->ascii);
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
	text_safe(safe, sizeof(safe), path, app->ascii);
	app_say(app, false, "recording to %s; %s: end", safe,
		keys_name_of(&app->keys, "ask record"));
	return true;
}

bool record_command_run(struct app *app, const char *path, struct error *error)
{
	char *whole;
	bool good;

	app->needs_build = true; /* beginning and ending end the interval */
	if (path[0] == '\0')
		return end(app, error);
	if (engine_is_replay(app->engine))
		return error_set(error, ERROR_REPLAY_NOT, "record", NULL);
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
	text_safe(path, sizeof(path), name, app->ascii);
	strbuf_printf(out, "recording %s %.1f MB  ", path,
		      (double)recorder_bytes(engine_recorder(app->engine)) / MB);
}
