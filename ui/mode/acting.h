#ifndef PERFTOP_ACTING_H
#define PERFTOP_ACTING_H

/*
 * Signals, nice values and CPUs as the screen asks for them: the list of signals, the question
 * before one is sent, and to which tasks. Targets are settled when the list, the question or the
 * prompt comes up: rows may move and end beneath it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "mode/targets.h"
#include "widget/menu.h"

struct app;
struct error;
struct frame;
struct strbuf;

enum {
	ACTING_SIGNALS_MAX = 40,
	ACTING_QUESTION_MAX = 320
};

enum acting_step {
	ACTING_CHOOSES,
	ACTING_ASKS,
	ACTING_ASKS_AGAIN /* perftop would send it to itself */
};

/* An empty one is {0}. */
struct acting {
	enum acting_step step;
	struct targets targets;
	int number; /* of the signal that is asked about */
	struct picker picker;
	struct picker_item items[ACTING_SIGNALS_MAX];
	char question[ACTING_QUESTION_MAX];
	char short_question[64]; /* where that one has no room */
};

void acting_fini(struct acting *acting);

/*
 * For the prompts of nice values and CPUs: settles the targets, and writes what they have now.
 * Whether it is such a prompt: acting_has_prompt().
 */
bool acting_propose(struct app *app, const char *prompt, struct strbuf *text, struct error *error);
bool acting_has_prompt(const char *prompt);

/* Such a prompt was left: there are no targets any more. */
void acting_leave_prompt(struct app *app);

#endif
