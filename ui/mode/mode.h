#ifndef PERFTOP_MODE_H
#define PERFTOP_MODE_H

/*
 * What has the keyboard: a stack of modes. The lowest is the table; what is opened over it is
 * pushed, and the uppermost gets the keys, the clicks and what is pasted. Each mode is at the end
 * of its own file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/screen.h"

struct app;
struct frame;
struct frame_key;

/* NULL: it has nothing of the kind. */
struct mode {
	void (*key)(struct app *app, uint32_t key);
	bool takes_text; /* what is pasted is typed into it */
	/* without it the mouse does nothing; clicks on names of keys come as keys */
	void (*click)(struct app *app, struct hit hit, bool is_right);
	/* its key line; without it that of the mode below is shown */
	size_t (*keys)(const struct app *app, struct frame_key *keys, size_t max);
	void (*show)(struct app *app, struct frame *frame); /* what it adds to the frame */
	void (*draw)(struct app *app, struct frame *frame); /* in place of the frame */
	void (*draw_over)(struct app *app);                 /* when all below is drawn */
};

extern const struct mode prompt_mode;
extern const struct mode acting_mode;  /* signals and their question */
extern const struct mode browser_mode; /* of events */
extern const struct mode setup_mode;
extern const struct mode sort_menu_mode;
extern const struct mode pager_mode; /* help, and the page of a task */
extern const struct mode table_mode; /* always open */

/* Puts it on top, from wherever it is by now. */
void mode_open(struct app *app, const struct mode *mode);
void mode_close(struct app *app, const struct mode *mode);
bool mode_is_open(const struct app *app, const struct mode *mode);

const struct mode *mode_top(const struct app *app);
size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max);
void mode_show(struct app *app, struct frame *frame);
void mode_draw(struct app *app, struct frame *frame);

/* Clicks on the table and on what is around it, also under text. */
void table_mode_click(struct app *app, struct hit hit, bool is_right);

/*
 * A key as it came from the terminal. If it is the mouse's, what it means is done; if a key of the
 * key line was clicked, that key is returned, KEY_CODE_NONE if nothing is left to do.
 */
uint32_t mouse_take(struct app *app, uint32_t key);

/* Whether the terminal reports the mouse, or keeps it for itself (to mark text). */
void mouse_switched(struct app *app);

/* Text that the terminal says was pasted: it is typed where text is asked for, in one line, and is
 * no keys elsewhere, since a letter there is a command. Nothing is pasted: {0}. */
struct paste {
	bool is_on;    /* between its beginning and its end */
	bool has_text; /* of it something was typed */
	bool has_gap;  /* a line has ended in it: a blank, if anything follows */
	bool was_said; /* that it is left out */
};

/* False: the key was not pasted. */
bool paste_take(struct app *app, uint32_t key);

#endif
