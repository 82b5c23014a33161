#include "mode/acting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/control.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/history.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/pairs.h"

#include "mode/actions.h"
#include "mode/app.h"
#include "mode/command.h"
#include "mode/marks.h"
#include "mode/page.h"
#include "mode/prompts.h"
#include "term/key.h"
#include "widget/chooser.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	/* columns of the list of signals */
	LIST_WIDTH = 76,
	NUMBER_WIDTH = 4,
	NAME_WIDTH = 10 /* with the blank behind it */
};

/* Less is what passes between the readings of two clocks. */
static const int64_t SLEEP_LEAST_NS = 1000000;

static struct acting *acting_of(const struct app *app)
{
	return app->parts[PART_acting];
}

void acting_note_sleep(struct app *app, uint64_t now_ns)
{
	struct suspends *sleeps = &acting_of(app)->suspends;
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

static bool has_ended(const struct target *target, struct error *error)
{
	return error_set(error, ERROR_TARGET_ENDED, target->name, NULL);
}

/* /proc says nothing of it. If it has a descriptor and can be sent signals it lives all the same:
 * /proc hides it, or with so many of them no descriptors are left to read it with. */
static bool is_unread(const struct target *target, struct error *error)
{
	if (sys_is_shortage(-target->fd))
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
	char name[80];

	snprintf(target->name, sizeof(target->name), "%d", row->is_thread ? row->tid : row->pid);
	if (target->fd == -ESRCH)
		return has_ended(target, error);
	if (!proc_read_task(row->pid, &process))
		return is_unread(target, error);
	thread = process;
	if (row->is_thread && (!proc_read_task(row->tid, &thread) || thread.pid != row->pid))
		return has_ended(target, error);
	users = users_create();
	text_safe(name, sizeof(name), thread.name, ascii);
	snprintf(target->name, sizeof(target->name), "%s %d (%.64s)", name,
		 target->is_thread ? target->tid : target->pid, users_name(users, thread.uid));
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
static bool take_target(struct targets *targets, const struct app *app, int32_t pid, int32_t tid,
			bool is_target_there, struct error *error)
{
	const struct snapshot *snapshot = app_snapshot(app);
	const struct target_row target = {
		.pid = pid,
		.tid = app->request.settings.threads ? tid : pid,
		.is_thread = app->request.settings.threads && tid != pid,
		.shown_ns = snapshot->time_ns,
		.slept_ns = suspends_at(&acting_of(app)->suspends, snapshot->time_ns),
	};
	char number[16];

	if (is_target_there)
		return targets_add(targets, &target, app->screen.is_ascii, error);
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
		if (take_target(targets, app, rows[i]->pid, rows[i]->tid,
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

	if (row && row->group)
		return error_set(error, ERROR_TARGET_GROUP, NULL, NULL);
	if (page_folded_row(app))
		return error_set(error, ERROR_TARGET_EXITED, NULL, NULL);
	if (row && row->pair && row->pair->is_of_names)
		return error_set(error, ERROR_TARGET_NAMES, NULL, NULL);
	if (!actor)
		return page_refuse(app, error);
	return take_target(targets, app, actor->pid, actor->tid,
			   is_there(app_snapshot(app), actor->task_id), error);
}

/*
 * Replaces them by the tasks of the screen that are meant; of several, those that have ended are
 * left out and counted. False: error says why not, and there are none.
 */
static bool targets_take(struct targets *targets, struct app *app, struct error *error)
{
	struct row_marks *marks = app->parts[PART_row_marks];
	size_t count;

	targets_clear(targets);
	count = app_snapshot(app) ? tags_rows(app, NULL, 0) : 0;
	if (count > 0)
		return take_rows(targets, app, count, error);
	if (marks->tags.count > 0)
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

static void fini_acting(void *state)
{
	struct acting *acting = state;

	targets_clear(&acting->targets);
	free(acting->suspends.notes);
}

static void close_it(struct app *app)
{
	targets_clear(&acting_of(app)->targets);
	mode_close(app, &acting_mode);
}

static void write_target_names(const struct app *app, char *names, size_t size)
{
	struct strbuf text = {0};

	targets_write(&acting_of(app)->targets, &text);
	snprintf(names, size, "%s", strbuf_text(&text));
	strbuf_fini(&text);
}

static void ask(struct app *app)
{
	struct acting *acting = acting_of(app);
	char name[SIGNAL_NAME_MAX], names[TARGET_NAME_MAX + 32];

	signals_name(acting->number, name);
	write_target_names(app, names, sizeof(names));
	acting->step = ACTING_ASKS;
	snprintf(acting->question, sizeof(acting->question), "Send %s to %s? y/n", name, names);
	snprintf(acting->short_question, sizeof(acting->short_question), "%s to %d%s? y/n", name,
		 acting->targets.items[0].pid, acting->targets.count > 1 ? "..." : "");
}

bool acting_signal(struct app *app, const char *text, struct error *error)
{
	struct acting *acting = acting_of(app);
	const int number = signals_parse(text);

	if (text[0] != '\0' && number == 0)
		return error_set(error, ERROR_SIGNAL_UNKNOWN, text, NULL);
	if (!targets_take(&acting->targets, app, error) ||
	    !actions_may_signal(&acting->targets, error)) {
		close_it(app);
		return false;
	}
	acting->number = number;
	acting->cursor = (struct cursor){0};
	acting->typed[0] = '\0';
	acting->step = ACTING_CHOOSES;
	if (number != 0)
		ask(app);
	mode_open(app, &acting_mode);
	return true;
}

static bool is_prompted(const struct app *app)
{
	const struct prompts *prompts = app->parts[PART_prompts];

	return prompts->line.is_open && acting_has_prompt(prompts->info->name);
}

/* Those that the prompt was opened for; elsewhere those of the screen. */
static bool take_acting_targets(struct app *app, struct error *error)
{
	if (is_prompted(app))
		return true;
	return targets_take(&acting_of(app)->targets, app, error);
}

/* Of a prompt the same are meant when it is tried again. */
static void finish(struct app *app, bool good, struct strbuf *done)
{
	if (good)
		app_say(app, false, "%s", strbuf_text(done));
	if (good || !is_prompted(app))
		targets_clear(&acting_of(app)->targets);
	strbuf_fini(done);
}

bool acting_nice(struct app *app, const char *text, struct error *error)
{
	struct nice_change change;
	struct strbuf done = {0};
	const bool good = actions_parse_nice(text, &change, error) &&
			  take_acting_targets(app, error) &&
			  actions_nice(&acting_of(app)->targets, &change, &done, error);

	finish(app, good, &done);
	return good;
}

bool acting_set_cpus(struct app *app, const char *text, struct error *error)
{
	struct strbuf done = {0};
	const bool good = take_acting_targets(app, error) &&
			  actions_set_cpus(&acting_of(app)->targets, text,
					   engine_session(app->engine)->topology, &done, error);

	finish(app, good, &done);
	return good;
}

bool acting_has_prompt(const char *prompt)
{
	return strcmp(prompt, "nice") == 0 || strcmp(prompt, "affinity") == 0;
}

void acting_leave_prompt(struct app *app)
{
	struct prompts *prompts = app->parts[PART_prompts];

	if (acting_has_prompt(prompts->info->name))
		targets_clear(&acting_of(app)->targets);
}

bool acting_propose(struct app *app, const char *prompt, struct strbuf *text, struct error *error)
{
	const struct targets *targets = &acting_of(app)->targets;
	int nice;

	if (!targets_take(&acting_of(app)->targets, app, error))
		return false;
	if (strcmp(prompt, "affinity") == 0)
		actions_write_cpus(targets, text);
	else if (control_nice(targets->items[0].tid, &nice) == 0)
		strbuf_printf(text, "=%d", nice);
	return true;
}

static bool is_for_us(const struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		if (targets->items[i].pid == getpid())
			return true;
	return false;
}

static void send(struct app *app)
{
	struct acting *acting = acting_of(app);
	struct strbuf done = {0};
	struct error error = {0};
	char name[SIGNAL_NAME_MAX];

	if (acting->step == ACTING_ASKS && is_for_us(&acting->targets)) {
		signals_name(acting->number, name);
		snprintf(acting->question, sizeof(acting->question),
			 "This is perftop itself. Really send it %s? y/n", name);
		snprintf(acting->short_question, sizeof(acting->short_question),
			 "to perftop itself? y/n");
		acting->step = ACTING_ASKS_AGAIN;
		return;
	}
	if (actions_signal(&acting->targets, acting->number, &done, &error))
		app_say(app, false, "%s", strbuf_text(&done));
	else
		app_refuse(app, &error);
	strbuf_fini(&done);
	close_it(app);
}

static void answer_question(struct app *app, uint32_t key)
{
	switch (key) {
	case 'y':
	case 'Y':
		send(app);
		break;
	case 'n':
	case 'N':
	case 'q':
	case KEY_CODE_ESCAPE:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		app_say(app, false, "cancelled; nothing sent");
		close_it(app);
		break;
	default:
		break;
	}
}

static void take_choice(struct app *app)
{
	size_t count;

	acting_of(app)->number = signals_table(&count)[acting_of(app)->cursor.at].number;
	ask(app);
}

static bool begins_with_typed(const char *name, const char *typed)
{
	return strncasecmp(name, typed, strlen(typed)) == 0;
}

/* How well it answers what was typed, 0 best; 3: not. */
static int rank_of(const struct signal_info *signal, const char *typed)
{
	char number[8];

	snprintf(number, sizeof(number), "%d", signal->number);
	if (strcmp(number, typed) == 0)
		return 0;
	if (begins_with_typed(signal->name, typed) ||
	    begins_with_typed(signal->name + strlen("SIG"), typed))
		return 1;
	return begins_with_typed(number, typed) ? 2 : 3;
}

/* False: nothing begins so. */
static bool find_typed(struct acting *acting)
{
	size_t count;
	const struct signal_info *table = signals_table(&count);

	for (int rank = 0; rank < 3; rank++) {
		for (size_t i = 0; i < count; i++) {
			if (rank_of(&table[i], acting->typed) == rank) {
				acting->cursor.at = i;
				return true;
			}
		}
	}
	return false;
}

/* What leads nowhere begins anew with this character, or is forgotten. */
static void type_signal(struct acting *acting, char character)
{
	const size_t length = strlen(acting->typed);

	if (length + 1 < sizeof(acting->typed)) {
		acting->typed[length] = character;
		acting->typed[length + 1] = '\0';
	}
	if (find_typed(acting))
		return;
	acting->typed[0] = character;
	acting->typed[1] = '\0';
	if (!find_typed(acting))
		acting->typed[0] = '\0';
}

static void take_acting_key(struct app *app, uint32_t key)
{
	struct acting *acting = acting_of(app);
	size_t count;

	app->needs_drawing = true;
	if (acting->step != ACTING_CHOOSES) {
		answer_question(app, key);
		return;
	}
	signals_table(&count);
	switch (chooser_key(&acting->cursor, key, count, acting->page)) {
	case CHOOSER_DONE:
		take_choice(app);
		break;
	case CHOOSER_LEFT:
		close_it(app);
		break;
	case CHOOSER_MOVED:
		acting->typed[0] = '\0';
		break;
	case CHOOSER_OTHER:
		if (key > ' ' && key < 0x7f)
			type_signal(acting, (char)key);
		break;
	}
}

static bool chooses(const struct app *app)
{
	return acting_of(app)->step == ACTING_CHOOSES;
}

static void show_question(struct app *app, struct frame *frame)
{
	const struct acting *acting = acting_of(app);

	frame->message_is_error = !chooses(app);
	if (chooses(app))
		frame->message = "Select or type (kill, 9); Enter asks for confirmation";
	else if (text_width(acting->question) <= (size_t)app->screen.width)
		frame->message = acting->question;
	else
		frame->message = acting->short_question;
}

static void draw_signal(void *context, struct screen *screen, size_t index, int x, int y, int width)
{
	size_t count;
	const struct signal_info *signal = &signals_table(&count)[index];
	const int name_x = x + 1 + NUMBER_WIDTH;
	char number[8];
	int note_x;

	snprintf(number, sizeof(number), "%d", signal->number);
	screen_text_right(screen, x + 1, y, NUMBER_WIDTH - 1, number, STYLE_DIM);
	note_x = screen_text(screen, name_x, y, x + width - name_x, signal->name, STYLE_KEY) + 1;
	note_x = larger(note_x, name_x + NAME_WIDTH);
	if (note_x < x + width)
		paragraph_draw_cut(screen, note_x, y, x + width - note_x, signal->help,
				   STYLE_NORMAL);
}

/* Over the left of the table, with a bar at the side. */
static void draw_over_acting(struct app *app, struct frame *frame)
{
	struct screen *screen = &app->screen;
	const int width = smaller(screen->width, LIST_WIDTH);
	struct chooser chooser = {
		.cursor = &acting_of(app)->cursor, .nothing = "", .draw_line = draw_signal};
	char names[TARGET_NAME_MAX + 32], title[TARGET_NAME_MAX + 48];
	int lines;
	const int y = frame_table(screen, frame, &lines);

	if (!chooses(app) || frame->pager || lines < 1 || !frame_has_room(screen))
		return;
	write_target_names(app, names, sizeof(names));
	snprintf(title, sizeof(title), "Send to %s:", names);
	signals_table(&chooser.count);
	acting_of(app)->page = (size_t)lines - 1;
	screen_mark(screen, 0, y, screen->width, lines, HIT_NOTHING, 0);
	screen_fill(screen, 0, y, width, " ", STYLE_TITLE);
	screen_deselect_columns(screen, y, width);
	paragraph_draw_cut(screen, 1, y, width - 1, title, STYLE_TITLE);
	chooser_draw(&chooser, screen, 0, y + 1, width, lines - 1, true);
	for (int i = 0; i < smaller(lines, (int)chooser.count + 1); i++)
		screen_fill(screen, width, y + i, 1, "│", STYLE_DIM);
}

static size_t acting_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	static const struct frame_key choices[] = {{"Enter", "choose"}, {"Esc", "back"}};
	static const struct frame_key answers[] = {{"y", "yes"}, {"n", "no"}};

	memcpy(keys, chooses(app) ? choices : answers, sizeof(choices));
	return sizeof(choices) / sizeof(*choices);
}

/* Selects an item of the list; the selected one is taken. */
static void click_signal(struct app *app, struct hit hit, bool is_right)
{
	if (!chooses(app))
		return;
	if (chooser_click(&acting_of(app)->cursor, hit, is_right) == CHOOSER_DONE)
		take_choice(app);
	acting_of(app)->typed[0] = '\0';
	app->needs_drawing = true;
}

const struct mode acting_mode = {
	.key = take_acting_key,
	.click = click_signal,
	.keys = acting_keys,
	.show = show_question,
	.draw_over = draw_over_acting,
};

const struct app_part part_acting = {.bytes = sizeof(struct acting), .fini = fini_acting};
