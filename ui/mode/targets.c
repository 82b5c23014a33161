#include "mode/targets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/control.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/history.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/pairs.h"

#include "mode/app.h"
#include "mode/marks.h"
#include "mode/pager.h"

/* Less is what passes between the readings of two clocks. */
static const int64_t SLEEP_LEAST_NS = 1000000;

void suspends_fini(struct suspends *sleeps)
{
	free(sleeps->notes);
	*sleeps = (struct suspends){0};
}

void suspends_note(struct suspends *sleeps, uint64_t now_ns)
{
	const int64_t slept_ns = control_slept_ns();

	if (sleeps->count > 0 &&
	    slept_ns < sleeps->notes[sleeps->count - 1].slept_ns + SLEEP_LEAST_NS)
		return;
	array_reserve(&sleeps->notes, &sleeps->capacity, sleeps->count + 1, sizeof(*sleeps->notes));
	sleeps->notes[sleeps->count++] =
		(struct sleep_note){.since_ns = now_ns, .slept_ns = slept_ns};
}

static int64_t suspends_at(const struct suspends *sleeps, uint64_t time_ns)
{
	size_t i = sleeps->count;

	if (i == 0)
		return control_slept_ns();
	/* what is shown is mostly of late */
	while (i > 1 && sleeps->notes[i - 1].since_ns > time_ns)
		i--;
	return sleeps->notes[i - 1].slept_ns;
}

/*
 * A number is given to another task when its own has ended, and a screen is looked at for a while.
 * They differ in when they began: a task that has the number now and began before the time that the
 * screen shows had it then, too, and so is the task on the screen.
 *
 * From here on a descriptor represents the process. Linux before 5.3 has none: there it is known
 * again by the time of its beginning, just before something is done to it.
 */

static void write_name(struct target *target, const struct proc_task *task, const char *user,
		       bool ascii)
{
	char name[80];

	text_safe(name, sizeof(name), task->name, ascii);
	snprintf(target->name, sizeof(target->name), "%s %d (%.64s)", name,
		 target->is_thread ? target->tid : target->pid, user);
}

static bool has_ended(const struct target *target, struct error *error)
{
	return error_set(error, ERROR_TARGET_ENDED, target->name, NULL);
}

/* /proc says nothing of it. If it has a descriptor and can be sent signals it lives all the same:
 * /proc hides it, or with so many of them no descriptors are left to read it with. */
static bool is_unread(const struct target *target, struct error *error)
{
	if (target->fd == -EMFILE || target->fd == -ENFILE)
		return error_set_errno(error, ERROR_TARGET_OTHER, target->name, -target->fd);
	if (target->fd >= 0 && control_signal_open(target->fd, 0) != -ESRCH)
		return error_set(error, ERROR_TARGET_UNREAD, target->name, NULL);
	return has_ended(target, error);
}

/* Whether a task that began then was there at the time of the screen. */
static bool was_shown(const struct target *target, uint64_t start_ticks,
		      const struct target_row *row, struct error *error)
{
	const int64_t shown_ns = (int64_t)row->shown_ns;
	int64_t from_ns, to_ns;

	control_tick_time(start_ticks, row->slept_ns, &from_ns, &to_ns);
	if (from_ns > shown_ns)
		return error_set(error, ERROR_TARGET_REUSED, target->name, NULL);
	if (to_ns > shown_ns)
		return error_set(error, ERROR_TARGET_TOO_NEW, target->name, NULL);
	return true;
}

/* What /proc says of it while the descriptor, if there is one, says that it is still the same. */
static bool identify(struct target *target, const struct target_row *row, bool ascii,
		     struct error *error)
{
	struct proc_task process, thread;
	struct users *users;

	snprintf(target->name, sizeof(target->name), "%d", row->is_thread ? row->tid : row->pid);
	if (target->fd == -ESRCH)
		return has_ended(target, error);
	if (!proc_read_task(row->pid, &process))
		return is_unread(target, error);
	thread = process;
	if (row->is_thread && (!proc_read_task(row->tid, &thread) || thread.pid != row->pid))
		return has_ended(target, error);
	users = users_create();
	write_name(target, &thread, users_name(users, thread.uid), ascii);
	users_destroy(users);
	if (target->fd >= 0 && control_signal_open(target->fd, 0) == -ESRCH)
		return has_ended(target, error);
	if (thread.state == 'Z')
		return error_set(error, ERROR_TARGET_ZOMBIE, target->name, NULL);
	target->start_ticks = process.start_ticks;
	target->thread_start_ticks = thread.start_ticks;
	target->is_kernel_thread = process.is_kernel_thread;
	return was_shown(target, process.start_ticks, row, error) &&
	       was_shown(target, thread.start_ticks, row, error);
}

static void close_target(struct target *target)
{
	if (target->fd >= 0)
		sys_close(target->fd);
}

bool targets_add(struct targets *targets, const struct target_row *row, bool ascii,
		 struct error *error)
{
	struct target target = {.pid = row->pid, .tid = row->tid, .is_thread = row->is_thread};

	target.fd = control_open(row->pid);
	if (!identify(&target, row, ascii, error)) {
		close_target(&target);
		return false;
	}
	array_reserve(&targets->items, &targets->capacity, targets->count + 1,
		      sizeof(*targets->items));
	targets->items[targets->count++] = target;
	return true;
}

void targets_clear(struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		close_target(&targets->items[i]);
	free(targets->items);
	*targets = (struct targets){0};
}

/* Of the screen: a process, or a thread where there are rows of them. is_there: it was, at the end
 * of the interval. */
static bool take_task(struct targets *targets, const struct app *app, int32_t pid, int32_t tid,
		      bool is_there, struct error *error)
{
	const struct snapshot *snapshot = app_snapshot(app);
	const struct target_row target = {
		.pid = pid,
		.tid = app->settings.threads ? tid : pid,
		.is_thread = app->settings.threads && tid != pid,
		.shown_ns = snapshot->time_ns,
		.slept_ns = suspends_at(&app->suspends, snapshot->time_ns),
	};
	char number[16];

	if (is_there)
		return targets_add(targets, &target, app->ascii, error);
	snprintf(number, sizeof(number), "%d", target.tid);
	return error_set(error, ERROR_TARGET_ENDED, number, NULL);
}

/* All that live, or none: one that may be another task is not left out in silence. */
static bool take_rows(struct targets *targets, struct app *app, size_t count, struct error *error)
{
	const struct view_row **rows = xcalloc(count, sizeof(*rows));
	struct error failure = {0};
	bool good = true;

	tags_rows(app, rows, count);
	for (size_t i = 0; i < count && good; i++) {
		if (take_task(targets, app, rows[i]->pid, rows[i]->tid,
			      !rows[i]->is_exited && !rows[i]->is_held, &failure))
			continue;
		good = target_has_ended(&failure);
		if (!good || targets->ended++ == 0)
			*error = failure;
	}
	free(rows);
	if (good && targets->count > 0)
		return true;
	targets_clear(targets);
	return false;
}

/* Whether the snapshot that is shown has the task. */
static bool is_there(const struct snapshot *snapshot, uint64_t id)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].id == id)
			return !snapshot->tasks[i].is_exited;
	return false;
}

/* The task that the row represents, of which there is no row of the present. */
static bool take_named(struct targets *targets, struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);
	const struct actor *actor = page_actor(app);

	if (row && row->kind == ROW_GROUP)
		return error_set(error, ERROR_TARGET_GROUP, NULL, NULL);
	if (row && row->pair && row->pair->is_of_names)
		return error_set(error, ERROR_TARGET_NAMES, NULL, NULL);
	if (!actor)
		return page_refuse(app, error);
	return take_task(targets, app, actor->pid, actor->tid,
			 is_there(app_snapshot(app), actor->task_id), error);
}

bool targets_take(struct targets *targets, struct app *app, struct error *error)
{
	size_t count;

	targets_clear(targets);
	if (engine_is_replay(app->engine))
		return error_set(error, ERROR_TARGET_REPLAY, NULL, NULL);
	count = app_snapshot(app) ? tags_rows(app, NULL, 0) : 0;
	if (count > 0)
		return take_rows(targets, app, count, error);
	if (app->row_marks->tags.count > 0)
		return error_set(error, ERROR_TASK_HIDDEN, NULL, NULL);
	if (!app_snapshot(app))
		return error_set(error, ERROR_TASK_NONE, NULL, NULL);
	return take_named(targets, app, error);
}

bool target_is_there(const struct target *target, struct error *error)
{
	struct proc_task task;

	if (target->fd >= 0 && control_signal_open(target->fd, 0) == -ESRCH)
		return has_ended(target, error);
	if (!proc_read_task(target->pid, &task))
		return is_unread(target, error);
	if (task.start_ticks != target->start_ticks)
		return error_set(error, ERROR_TARGET_REUSED, target->name, NULL);
	if (!target->is_thread)
		return true;
	if (!proc_read_task(target->tid, &task))
		return has_ended(target, error);
	return (task.pid == target->pid && task.start_ticks == target->thread_start_ticks) ||
	       error_set(error, ERROR_TARGET_REUSED, target->name, NULL);
}

bool target_has_ended(const struct error *error)
{
	return error->code == ERROR_TARGET_ENDED || error->code == ERROR_TARGET_ZOMBIE ||
	       error->code == ERROR_TARGET_REUSED;
}

void targets_write(const struct targets *targets, struct strbuf *out)
{
	if (targets->count == 0)
		return;
	strbuf_add(out, targets->items[0].name);
	if (targets->count > 1)
		strbuf_printf(out, " and %zu more", targets->count - 1);
	if (targets->ended > 0)
		strbuf_printf(out, " (%zu had ended)", targets->ended);
}
