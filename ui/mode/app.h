#ifndef PERFTOP_APP_H
#define PERFTOP_APP_H

/*
 * The interactive program: what is on the screen and what the user has asked for.
 *
 * A key goes one way: key -> key table -> command text -> command_run() -> flags of what it
 * made necessary -> one build and one drawing at the end of the round.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "model/parallel.h"
#include "view/column.h"
#include "view/request.h"
#include "view/table.h"

#include "playback/playback.h"
#include "session/engine.h"
#include "session/resolve.h"
#include "term/screen.h"
#include "widget/list.h"

struct app;
struct command_table;
struct frame;
struct frame_key;
struct key_binding;
struct metrics;
struct mode;
struct options;
struct snapshot;
struct term;
struct view_row;

enum {
	APP_VIEWS_MAX = 16,
	APP_MODES_MAX = 8,
	APP_WIDE = 120, /* columns of the screen from which there is more in a row */
	APP_MESSAGE_MAX = 600
};

/* What the message line says. */
struct message {
	char text[APP_MESSAGE_MAX]; /* "" nothing */
	bool is_error;
	bool is_answer;    /* to a key: the next one takes it away */
	bool asks_to_quit; /* quitting again while it holds ends the command, too */
	uint64_t until_ns; /* the first interval that ends later takes it away; 0: it stays */
};

/*
 * The state of one file of this folder, app->parts[PART_NAME]. The file defines part_NAME at its
 * end, and has a row in parts.def; that of what is drawn is part of its drawing (drawing.h).
 */
struct app_part {
	size_t bytes;              /* all zero at first, */
	void (*init)(void *state); /* or as this makes it; NULL */
	void (*fini)(void *state); /* NULL: it owns nothing */
};

enum app_part_number {
#define PART(name) PART_##name,
#include "mode/parts.def"
#undef PART
#define DRAWN(name)   PART_##name,
#define DRAWING(name) PART_##name,
#include "view/views.def"
	PART_COUNT
};

struct app {
	const struct options *options;
	struct engine *engine; /* owned */
	const struct command_table *commands;
	const struct mode *modes[APP_MODES_MAX]; /* that are open, the uppermost last, and NULL */
	void *parts[PART_COUNT];                 /* owned */
	struct term *term;
	struct screen screen;
	struct view_request request; /* of the rows, as far as app_request() does not say it */
	struct view_state views[APP_VIEWS_MAX];
	struct list lists[APP_VIEWS_MAX]; /* the rows of each on the screen */
	size_t view_count, view;
	struct view_table *table;  /* rows of the view that is shown */
	struct playback *playback; /* owned; which interval is shown */
	double delay_s;
	struct strbuf filter;
	size_t fault; /* where in its text the last command has found one; RESOLVE_NOWHERE */
	struct message message;
	bool needs_build; /* rows or their order may have changed */
	bool needs_drawing;
	bool is_scoped;   /* a command runs in a view that need not be the one shown */
	bool is_starting; /* nothing is shown yet: commands come from the configuration */
};

/* Views that have several forms get the one that the settings say. */
void app_follow_forms(struct app *app);

struct view_state *app_current(struct app *app);

/* How many views have a tab: that of memory has none where no access is sampled, unless it is
 * shown. */
size_t app_tabs(const struct app *app);

/* The snapshot that is shown; NULL before the first interval has ended. */
const struct snapshot *app_snapshot(const struct app *app);

/* Whether the process is attached to, or in the scope; `context` is the app. */
bool app_wants_process(int32_t pid, const void *context);

/* Which tasks are one for latency and parallelism, by the setting: of a recording all, or those it
 * is of; live those that are attached to. */
struct parallel_scope app_latency_scope(const struct app *app);

/* Metrics bound to its layout. */
const struct metrics *app_metrics(struct app *app);

/* Shows a message in the message line for some seconds. */
void app_say(struct app *app, bool is_error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What it says is over. */
void app_unsay(struct app *app);
/* Why something was not done, and what would change that. */
void app_refuse(struct app *app, const struct error *error);

/* The row under the cursor; NULL: none. */
const struct view_row *app_row(struct app *app);

/* Whether COMMAND has command lines: where nothing was chosen, if there is room for them. */
int app_shows_command_lines(const struct app *app);

/* The terminal may have another size. */
void app_resize(struct app *app);

/* Ends the loop. */
void app_leave(struct app *app);

/*
 * What has the keyboard: a stack of modes. The lowest is the table; what is opened over it is
 * pushed, and the uppermost gets the keys, the clicks and what is pasted. Each mode is at the end
 * of its own file.
 */

/* NULL: it has nothing of the kind. */
struct mode {
	void (*key)(struct app *app, uint32_t key);
	bool takes_text; /* what is pasted is typed into it */
	bool is_page;    /* it is in place of the table: what was said of that is over, and back */
	/* without it the mouse does nothing; clicks on names of keys come as keys */
	void (*click)(struct app *app, struct hit hit, bool is_right);
	/* its key line; without it that of the mode below is shown */
	size_t (*keys)(const struct app *app, struct frame_key *keys, size_t max);
	const char *page_keys; /* labels of those that not all pages have (pager.c); NULL: none */
	void (*show)(struct app *app, struct frame *frame);      /* what it adds to the frame */
	void (*draw)(struct app *app, struct frame *frame);      /* in place of the frame */
	void (*draw_over)(struct app *app, struct frame *frame); /* when all below is drawn */
};

extern const struct mode prompt_mode;
extern const struct mode acting_mode;  /* signals and their question */
extern const struct mode browser_mode; /* of events */
extern const struct mode setup_mode;
extern const struct mode sort_menu_mode;
extern const struct mode help_mode;      /* what there is in the view that is shown */
extern const struct mode pager_mode;     /* a chapter of the help */
extern const struct mode page_mode;      /* about a task */
extern const struct mode code_page_mode; /* about a function */
extern const struct mode table_mode;     /* always open */

/* Puts it on top, from wherever it is by now. */
void mode_open(struct app *app, const struct mode *mode);
void mode_close(struct app *app, const struct mode *mode);
bool mode_is_open(const struct app *app, const struct mode *mode);

const struct mode *mode_top(const struct app *app);
size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max);
void mode_show(struct app *app, struct frame *frame);
void mode_draw(struct app *app, struct frame *frame);

/* What a key does in the view that is shown, in a word or two; NULL: another key has it. */
const char *table_mode_label(const struct app *app, const struct key_binding *binding);

/* Clicks on the table and on what is around it, also under text. */
void table_mode_click(struct app *app, struct hit hit, bool is_right);

/*
 * A key as it came from the terminal. If it is the mouse's, what it means is done; if a key of the
 * key line was clicked, that key is returned, KEY_CODE_NONE if nothing is left to do.
 */
uint32_t mouse_take(struct app *app, uint32_t key);

/* Whether the terminal reports the mouse, or keeps it for itself (to mark text). */
void mouse_switched(struct app *app);

/* False: the key was not pasted. */
bool paste_take(struct app *app, uint32_t key);

#endif
