#include "mode/acting.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/control.h"
#include "model/session.h"

#include "mode/actions.h"
#include "mode/app.h"
#include "mode/command.h"
#include "mode/mode.h"
#include "mode/prompts.h"
#include "term/key.h"
#include "widget/frame.h"

void acting_fini(struct acting *acting)
{
	targets_clear(&acting->targets);
}

static void close_it(struct app *app)
{
	targets_clear(&app->acting->targets);
	mode_close(app, &acting_mode);
}

static void write_names(const struct app *app, char *names, size_t size)
{
	struct strbuf text = {0};

	targets_write(&app->acting->targets, &text);
	snprintf(names, size, "%s", strbuf_text(&text));
	strbuf_fini(&text);
}

static void ask(struct app *app)
{
	struct acting *acting = app->acting;
	char name[SIGNAL_NAME_MAX], names[TARGET_NAME_MAX + 32];

	signals_name(acting->number, name);
	write_names(app, names, sizeof(names));
	acting->step = ACTING_ASKS;
	snprintf(acting->question, sizeof(acting->question), "Send %s to %s? y/n", name, names);
	snprintf(acting->short_question, sizeof(acting->short_question), "%s to %d%s? y/n", name,
		 acting->targets.items[0].pid, acting->targets.count > 1 ? "..." : "");
}

static void choose(struct app *app)
{
	struct acting *acting = app->acting;
	size_t count;
	const struct signal_info *table = signals_table(&count);
	char names[TARGET_NAME_MAX + 32];

	acting->picker = (struct picker){.prefix = "SIG", .items = acting->items};
	for (size_t i = 0; i < count && i < ACTING_SIGNALS_MAX; i++) {
		struct picker_item *item = &acting->items[acting->picker.count++];

		*item = (struct picker_item){.name = table[i].name, .note = table[i].help};
		snprintf(item->number, sizeof(item->number), "%d", table[i].number);
	}
	write_names(app, names, sizeof(names));
	snprintf(acting->picker.title, sizeof(acting->picker.title), "Send to %s:", names);
	acting->step = ACTING_CHOOSES;
}

bool acting_signal(struct app *app, const char *text, struct error *error)
{
	struct acting *acting = app->acting;
	const int number = signals_parse(text);

	if (text[0] != '\0' && number == 0)
		return error_set(error, ERROR_SIGNAL_UNKNOWN, text, NULL);
	if (!targets_take(&acting->targets, app, error) ||
	    !actions_may_signal(&acting->targets, error)) {
		close_it(app);
		return false;
	}
	acting->number = number;
	if (number != 0)
		ask(app);
	else
		choose(app);
	mode_open(app, &acting_mode);
	return true;
}

static bool is_prompted(const struct app *app)
{
	return app->prompt.is_open && acting_has_prompt(app->prompt_info->name);
}

/* Those that the prompt was opened for; elsewhere those of the screen. */
static bool take_targets(struct app *app, struct error *error)
{
	if (is_prompted(app))
		return true;
	return targets_take(&app->acting->targets, app, error);
}

/* Of a prompt the same are meant when it is tried again. */
static void finish(struct app *app, bool good, struct strbuf *done)
{
	if (good)
		app_say(app, false, "%s", strbuf_text(done));
	if (good || !is_prompted(app))
		targets_clear(&app->acting->targets);
	strbuf_fini(done);
}

bool acting_nice(struct app *app, const char *text, struct error *error)
{
	struct nice_change change;
	struct strbuf done = {0};
	const bool good = actions_parse_nice(text, &change, error) && take_targets(app, error) &&
			  actions_nice(&app->acting->targets, &change, &done, error);

	finish(app, good, &done);
	return good;
}

bool acting_set_cpus(struct app *app, const char *text, struct error *error)
{
	struct strbuf done = {0};
	const bool good = take_targets(app, error) &&
			  actions_set_cpus(&app->acting->targets, text,
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
	if (acting_has_prompt(app->prompt_info->name))
		targets_clear(&app->acting->targets);
}

bool acting_propose(struct app *app, const char *prompt, struct strbuf *text, struct error *error)
{
	const struct targets *targets = &app->acting->targets;
	int nice;

	if (!targets_take(&app->acting->targets, app, error))
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
	struct acting *acting = app->acting;
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

static void answer(struct app *app, uint32_t key)
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

	app->acting->number = signals_table(&count)[app->acting->picker.cursor.at].number;
	ask(app);
}

static void take_key(struct app *app, uint32_t key)
{
	app->needs_drawing = true;
	if (app->acting->step != ACTING_CHOOSES) {
		answer(app, key);
		return;
	}
	switch (picker_key(&app->acting->picker, key)) {
	case PICKER_DONE:
		take_choice(app);
		break;
	case PICKER_LEFT:
		close_it(app);
		break;
	case PICKER_GOES_ON:
		break;
	}
}

static bool fits(const struct app *app)
{
	return text_width(app->acting->question) <= (size_t)app->screen.width;
}

static bool chooses(const struct app *app)
{
	return app->acting->step == ACTING_CHOOSES;
}

static void show(struct app *app, struct frame *frame)
{
	frame->message_is_error = !chooses(app);
	if (chooses(app)) {
		frame->picker = &app->acting->picker;
		frame->message = "Select or type (kill, 9); Enter asks for confirmation";
		return;
	}
	frame->message = fits(app) ? app->acting->question : app->acting->short_question;
}

static size_t keys_of(const struct app *app, struct frame_key *keys, size_t max)
{
	static const struct frame_key choices[] = {{"Enter", "choose"}, {"Esc", "back"}};
	static const struct frame_key answers[] = {{"y", "yes"}, {"n", "no"}};

	memcpy(keys, chooses(app) ? choices : answers, sizeof(choices));
	return sizeof(choices) / sizeof(*choices);
}

/* Selects an item of the list; the selected one is taken. */
static void click(struct app *app, struct hit hit, bool is_right)
{
	struct picker *picker = &app->acting->picker;

	if (hit.kind != HIT_CHOICE || is_right || !chooses(app))
		return;
	if (picker->cursor.at == hit.index)
		take_choice(app);
	picker->cursor.at = hit.index;
	picker->typed[0] = '\0';
	app->needs_drawing = true;
}

const struct mode acting_mode = {
	.key = take_key,
	.click = click,
	.keys = keys_of,
	.show = show,
};
