#ifndef PERFTOP_TERM_KEY_H
#define PERFTOP_TERM_KEY_H

/*
 * Keys by our own numbers: a character is its Unicode value, other keys are above
 * all of them. Names ("F1", "Up", "^C", "Space", "M") are for the key table, the help and scripts.
 */

#include <stddef.h>
#include <stdint.h>

/* With the control key held down a letter is its place in the alphabet. */
#define KEY_CTRL(letter_) ((uint32_t)(letter_) - 'A' + 1)

enum key {
	KEY_CODE_NONE = 0,
	KEY_CODE_TAB = '\t',
	KEY_CODE_ENTER = '\r',
	KEY_CODE_ESCAPE = 27,
	KEY_CODE_SPACE = ' ',
	KEY_CODE_SPECIAL = 0x110000, /* first that is no character */
	KEY_CODE_UP = KEY_CODE_SPECIAL,
	KEY_CODE_DOWN,
	KEY_CODE_LEFT,
	KEY_CODE_RIGHT,
	KEY_CODE_PAGE_UP,
	KEY_CODE_PAGE_DOWN,
	KEY_CODE_HOME,
	KEY_CODE_END,
	KEY_CODE_INSERT,
	KEY_CODE_DELETE,
	KEY_CODE_BACKSPACE,
	KEY_CODE_BACK_TAB,
	KEY_CODE_SHIFT_LEFT,
	KEY_CODE_SHIFT_RIGHT,
	KEY_CODE_POINTER, /* the mouse; where it was, input.h says */
	KEY_CODE_CLICK = KEY_CODE_POINTER,
	KEY_CODE_CLICK_RIGHT,
	KEY_CODE_WHEEL_UP,
	KEY_CODE_WHEEL_DOWN,
	KEY_CODE_POINTER_LAST = KEY_CODE_WHEEL_DOWN,
	KEY_CODE_PASTE_BEGIN, /* what comes until the end was pasted and not typed */
	KEY_CODE_PASTE_END,
	KEY_CODE_RESIZE, /* the terminal has another size now */
	KEY_CODE_END_OF_INPUT,
	KEY_CODE_F1,
	KEY_CODE_F2,
	KEY_CODE_F3,
	KEY_CODE_F4,
	KEY_CODE_F5,
	KEY_CODE_F6,
	KEY_CODE_F7,
	KEY_CODE_F8,
	KEY_CODE_F9,
	KEY_CODE_F10,
	KEY_CODE_F11,
	KEY_CODE_F12
};

void key_name(uint32_t key, char *text, size_t size);
uint32_t key_parse(const char *name); /* KEY_CODE_NONE: no such key */

#endif
