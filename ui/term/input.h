#ifndef PERFTOP_TERM_INPUT_H
#define PERFTOP_TERM_INPUT_H

/*
 * Bytes from the terminal made into keys. curses has such a parser, but cannot distinguish "no
 * key" from "the terminal has gone", and passes unknown escape sequences on as single letters,
 * which are commands here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	INPUT_BYTES_MAX = 512,
	INPUT_SEQUENCE_MAX = 16, /* bytes of one terminfo sequence, NUL included */
	INPUT_SEQUENCES_MAX = 32
};

struct input_sequence {
	char bytes[INPUT_SEQUENCE_MAX];
	uint32_t key;
};

/* An empty one is {0}. */
struct input {
	char bytes[INPUT_BYTES_MAX]; /* read and not yet taken */
	size_t count;
	bool has_ended; /* standard input is at its end */
	struct input_sequence
		sequences[INPUT_SEQUENCES_MAX]; /* what this terminal sends besides the usual */
	size_t sequence_count;
	bool is_utf8;
	bool has_characters;      /* bytes beyond ASCII are a character each, as in ISO-8859-1: */
	uint32_t characters[128]; /* these; KEY_CODE_NONE: none */
	bool has_mouse;           /* the terminal was asked to report it */
	int pointer_x, pointer_y; /* of the mouse's last key: column and line, from 0 */
};

/* Adds what terminfo says of a key. NULL, and sequences that do not begin with ESC or do not fit,
 * are left out. */
void input_add_sequence(struct input *input, const char *bytes, uint32_t key);

/* What bytes beyond ASCII mean in the user's own locale, whichever one is in use. */
void input_learn_characters(struct input *input);

/* Appends bytes; returns how many had room. */
size_t input_feed(struct input *input, const char *bytes, size_t count);

/*
 * Takes the next key, KEY_CODE_NONE when there is none or when it is not yet complete.
 * is_final: nothing more has come in time, so that a lone ESC byte is the Esc key.
 */
uint32_t input_take(struct input *input, bool is_final);

/*
 * The next key that waits at standard input, KEY_CODE_NONE when there is none,
 * KEY_CODE_END_OF_INPUT when there will be none any more; never waits longer than the
 * rest of an escape sequence needs: half a second.
 */
uint32_t input_read(struct input *input);

/* Whether bytes are left, which are then the beginning of a key. */
bool input_is_pending(const struct input *input);

#endif
