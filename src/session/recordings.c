/*
 * A recording that begins amid a session first gets what the model knows by then: which tasks there
 * are, which run and which wait since when, and the readings from which counters go on being
 * counted. A replay of it counts from there what the session counts.
 */
#include "session/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/sendfile.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "source/source.h"
#include "view/names.h"

#include "perfdata/recorder.h"
#include "session/engine_parts.h"
#include "session/options.h"

enum {
	COPY_BYTES = 1 << 20 /* at a time */
};

/* --- what goes into all of them */

static struct recorder *recorder_of(const struct engine *engine, size_t use)
{
	return engine->recordings.of[use];
}

void recordings_take(struct engine *engine, const struct record *record)
{
	for (size_t i = 0; i < RECORDING_USES; i++)
		if (recorder_of(engine, i))
			recorder_take(recorder_of(engine, i), record);
}

void recordings_round(struct engine *engine)
{
	for (size_t i = 0; i < RECORDING_USES; i++)
		if (recorder_of(engine, i))
			recorder_round(recorder_of(engine, i));
}

static void write_tick(const struct engine *engine, struct recorder *recorder,
		       const struct own_usage *own)
{
	const struct session *session = &engine->source->session;
	struct recording_interval tick = {
		.time_ns = engine->source->tick_ns,
		.wall_offset_ns = session->wall_offset_ns,
		.is_partial = session->is_partial,
		.is_start = !own,
	};

	if (own) {
		tick.own_cpu_ns = own->cpu_ns;
		tick.own_rss_bytes = own->rss_bytes;
		tick.own_descriptors = (uint32_t)own->descriptors;
		tick.own_switch_ns = own->switch_ns;
		tick.own_samples_ns = own->samples_ns;
		tick.own_budget_mpct = own->budget_mpct;
		tick.own_counting_mpct = own->counting_mpct;
	}
	recorder_tick(recorder, &tick);
	if (own)
		recorder_change(recorder, engine->source);
	recorder_round(recorder);
}

void recordings_tick(struct engine *engine, const struct own_usage *own)
{
	for (size_t i = 0; i < RECORDING_USES; i++)
		if (recorder_of(engine, i))
			write_tick(engine, recorder_of(engine, i), own);
}

void recordings_change(struct engine *engine)
{
	for (size_t i = 0; i < RECORDING_USES; i++)
		if (recorder_of(engine, i))
			recorder_change(recorder_of(engine, i), engine->source);
}

void recordings_set_targets(struct engine *engine)
{
	for (size_t i = 0; i < RECORDING_USES; i++)
		if (recorder_of(engine, i))
			recorder_set_targets(recorder_of(engine, i), &engine->targets);
}

/* --- their beginning and end */

static void set_recorder(struct engine *engine, enum recording_use use, struct recorder *recorder)
{
	struct recordings *recordings = &engine->recordings;

	recordings->of[use] = recorder;
	recordings->are_on = false;
	for (size_t i = 0; i < RECORDING_USES; i++)
		recordings->are_on = recordings->are_on || recordings->of[i];
}

static const char *user_name_of(void *users, int64_t uid)
{
	return users_name(users, uid);
}

static void record_state(void *context, const struct record *record)
{
	recorder_take(context, record);
}

/* What is known by now, right after a tick. */
static void begin_amid(struct engine *engine, struct recorder *recorder)
{
	const struct record settled = {
		.kind = RECORD_SETTLED,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = engine->source->settled_ns,
	};

	model_resync(engine->model, record_state, recorder);
	write_tick(engine, recorder, NULL);
	recorder_take(recorder, &settled);
}

static bool begin_recording(struct engine *engine, enum recording_use use, const char *path,
			    int compression, char *const *arguments, struct error *error)
{
	const struct recorder_request request = {
		.path = path,
		.compression = compression,
		.is_internal = use != RECORDING_ASKED,
		.version = PERFTOP_VERSION,
		.arguments = arguments,
		.host = &engine->host,
		.source = engine->source,
		.targets = &engine->targets,
		.user_name = user_name_of,
		.user_context = engine->users,
		.since_ns = engine->is_running ? engine->source->tick_ns : 0,
	};

	set_recorder(engine, use, recorder_create(&request, error));
	if (!recorder_of(engine, use))
		return false;
	source_report_cgroups(engine->source);
	if (engine->is_running)
		begin_amid(engine, recorder_of(engine, use));
	return true;
}

bool recordings_begin(struct engine *engine, const char *path, int compression,
		      char *const *arguments, struct error *error)
{
	return begin_recording(engine, RECORDING_ASKED, path, compression, arguments, error);
}

bool engine_stop_recording(struct engine *engine, struct error *error)
{
	struct recorder *recorder = recorder_of(engine, RECORDING_ASKED);

	set_recorder(engine, RECORDING_ASKED, NULL);
	if (recorder_finish(recorder, error))
		return true;
	engine->recordings.has_failed = true;
	return false;
}

const struct recorder *engine_recorder(const struct engine *engine)
{
	return recorder_of(engine, RECORDING_ASKED);
}

/* --- the past */

/* The file goes with it. */
static void drop_past(struct engine *engine, enum recording_use use)
{
	struct recorder *recorder = recorder_of(engine, use);

	if (!recorder)
		return;
	unlink(recorder_path(recorder));
	set_recorder(engine, use, NULL);
	recorder_finish(recorder, NULL);
}

void engine_end_past(struct engine *engine)
{
	drop_past(engine, RECORDING_ELDER);
	drop_past(engine, RECORDING_YOUNGER);
	engine->recordings.past.keep_ns = 0;
}

static char *path_in(const char *folder, const char *name)
{
	struct strbuf path = {0};
	char *copy;

	strbuf_printf(&path, "%s/%s", folder, name);
	copy = xstrdup(strbuf_text(&path));
	strbuf_fini(&path);
	return copy;
}

bool recordings_keep_past(struct engine *engine, uint64_t keep_s, struct error *error)
{
	const char *tmp = getenv("TMPDIR");
	char *folder = path_in(tmp && tmp[0] == '/' ? tmp : "/var/tmp", "perftop-XXXXXX");

	if (!mkdtemp(folder)) {
		error_set_errno(error, ERROR_PAST_CREATE, folder, errno);
		free(folder);
		return false;
	}
	engine->recordings.past.folder = folder;
	engine->recordings.past.keep_ns = keep_s * 1000000000;
	return true;
}

void recordings_turn(struct engine *engine)
{
	struct recordings *recordings = &engine->recordings;
	const uint64_t now_ns = engine->source->tick_ns;
	char name[16], *path;

	if (recordings->past.keep_ns == 0 || recordings->past.is_held ||
	    (recorder_of(engine, RECORDING_YOUNGER) &&
	     now_ns - recordings->past.begun_ns < recordings->past.keep_ns))
		return;
	drop_past(engine, RECORDING_ELDER);
	set_recorder(engine, RECORDING_ELDER, recorder_of(engine, RECORDING_YOUNGER));
	snprintf(name, sizeof(name), "%u", recordings->past.count++);
	path = path_in(recordings->past.folder, name);
	recordings->past.begun_ns = now_ns;
	begin_recording(engine, RECORDING_YOUNGER, path, 0, engine->options->arguments,
			&recordings->past.failure);
	free(path);
}

static bool copy_all(int from, int to)
{
	ssize_t count;

	do
		count = sendfile(to, from, NULL, COPY_BYTES);
	while (count > 0 || (count < 0 && errno == EINTR));
	return count == 0;
}

/* In the child: only one of the two files is left. Nothing of ours stays open because of it. */
static _Noreturn void copy_and_exit(const struct past_copy *copy, int out)
{
	const int in = open(copy->from, O_RDONLY | O_CLOEXEC);
	int failure = in < 0 ? errno : 0;

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	sys_close_from(STDERR_FILENO);
	if (failure == 0 && (!copy_all(STDIN_FILENO, STDOUT_FILENO) || close(STDOUT_FILENO) < 0))
		failure = errno;
	unlink(failure == 0 ? copy->from : copy->path);
	_exit(failure);
}

static void end_copy(struct past_copy *copy)
{
	free(copy->from);
	free(copy->path);
	*copy = (struct past_copy){0};
}

static bool begin_copy(struct past_copy *copy, const char *from, const char *path, int out,
		       struct error *error)
{
	copy->from = xstrdup(from);
	copy->path = xstrdup(path);
	copy->pid = fork();
	if (copy->pid == 0)
		copy_and_exit(copy, out);
	if (copy->pid > 0)
		return true;
	error_set_errno(error, ERROR_FILE_WRITE, path, errno);
	error_set(error, ERROR_PAST_KEPT_THERE, error->text, from);
	end_copy(copy);
	return false;
}

/* The recording is over, and its own file gone, unless that is all that there is of it. */
static bool save_recording(struct engine *engine, enum recording_use use, const char *path, int out,
			   struct error *error)
{
	struct recorder *recorder = recorder_of(engine, use);
	char *from = xstrdup(recorder_path(recorder));
	bool good;

	set_recorder(engine, use, NULL);
	good = recorder_finish(recorder, error);
	if (!good)
		unlink(from);
	else if (rename(from, path) != 0)
		good = begin_copy(&engine->recordings.past.copy, from, path, out, error);
	free(from);
	return good;
}

bool engine_save_past(struct engine *engine, const char *path, struct error *error)
{
	const enum recording_use use =
		recorder_of(engine, RECORDING_ELDER) ? RECORDING_ELDER : RECORDING_YOUNGER;
	bool good;
	int out;

	if (!recorder_of(engine, use))
		return error_set(
			error, engine->options->keep_s > 0 ? ERROR_PAST_EMPTY : ERROR_PAST_NOT_KEPT,
			NULL, NULL);
	if (engine_copies_past(engine))
		return error_set(error, ERROR_PAST_COPYING, NULL, NULL);
	out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (out < 0)
		return error_set_errno(error, ERROR_FILE_WRITE, path, errno);
	good = save_recording(engine, use, path, out, error);
	if (close(out) < 0 && good)
		good = error_set_errno(error, ERROR_FILE_WRITE, path, errno);
	if (!good)
		unlink(path);
	recordings_turn(engine);
	return good;
}

bool engine_copies_past(const struct engine *engine)
{
	return engine->recordings.past.copy.pid > 0;
}

bool engine_follow_copy(struct engine *engine, bool waits, struct error *error)
{
	struct past_copy *copy = &engine->recordings.past.copy;
	int status = 0;
	pid_t pid;
	bool good;

	if (!engine_copies_past(engine))
		return true;
	do
		pid = waitpid(copy->pid, &status, waits ? 0 : WNOHANG);
	while (pid < 0 && errno == EINTR);
	if (pid == 0)
		return true;
	good = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (!good) {
		unlink(copy->path);
		error_set_errno(error, ERROR_FILE_WRITE, copy->path,
				WIFEXITED(status) ? WEXITSTATUS(status) : EINTR);
		if (access(copy->from, F_OK) == 0)
			error_set(error, ERROR_PAST_KEPT_THERE, error->text, copy->from);
	}
	end_copy(copy);
	return good;
}

void engine_hold_past(struct engine *engine, bool is_held)
{
	engine->recordings.past.is_held = is_held;
}

bool engine_keeps_past(const struct engine *engine)
{
	return engine->recordings.past.keep_ns > 0;
}

/* --- what went wrong */

static const struct error *past_failure(const struct engine *engine)
{
	for (size_t i = RECORDING_ELDER; i < RECORDING_USES; i++)
		if (recorder_of(engine, i) && recorder_failure(recorder_of(engine, i)))
			return recorder_failure(recorder_of(engine, i));
	return engine->recordings.past.failure.code == ERROR_NONE
		       ? NULL
		       : &engine->recordings.past.failure;
}

bool engine_recording_has_failed(struct engine *engine, struct error *error)
{
	const struct recorder *recorder = recorder_of(engine, RECORDING_ASKED);
	const struct error *failure = recorder ? recorder_failure(recorder) : NULL;

	if (failure) {
		*error = *failure;
		engine->recordings.has_failed = true;
		engine_stop_recording(engine, NULL);
		return true;
	}
	failure = past_failure(engine);
	if (!failure)
		return false;
	error_set(error, ERROR_PAST_LOST, failure->text, NULL);
	engine->recordings.has_failed = true;
	engine->recordings.past.failure = (struct error){0};
	engine_end_past(engine);
	return true;
}

void recordings_fini(struct engine *engine)
{
	struct error error;

	engine_stop_recording(engine, NULL);
	engine_end_past(engine);
	engine_follow_copy(engine, true, &error);
	if (engine->recordings.past.folder)
		rmdir(engine->recordings.past.folder);
	free(engine->recordings.past.folder);
}
