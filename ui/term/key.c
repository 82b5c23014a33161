#include "term/key.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/*
 * Names of keys. A character is its own name, a control character is "^" and a letter, and
 * what has a name of its own is in the table. key_parse(key_name(k)) is k for every
 * key there is. Of several names of one key the first is the one that is shown.
 */

struct named_key {
	uint32_t key;
	const char *name;
};

/* clang-format off */
static const struct named_key named_keys[] = {
	{KEY_CODE_TAB,          "Tab"},
	{KEY_CODE_ENTER,        "Enter"},
	{KEY_CODE_ENTER,        "Return"},
	{KEY_CODE_ESCAPE,       "Esc"},
	{KEY_CODE_ESCAPE,       "Escape"},
	{KEY_CODE_SPACE,        "Space"},
	{KEY_CODE_UP,           "Up"},
	{KEY_CODE_DOWN,         "Down"},
	{KEY_CODE_LEFT,         "Left"},
	{KEY_CODE_RIGHT,        "Right"},
	{KEY_CODE_PAGE_UP,      "PgUp"},
	{KEY_CODE_PAGE_UP,      "PageUp"},
	{KEY_CODE_PAGE_DOWN,    "PgDn"},
	{KEY_CODE_PAGE_DOWN,    "PageDown"},
	{KEY_CODE_HOME,         "Home"},
	{KEY_CODE_END,          "End"},
	{KEY_CODE_INSERT,       "Ins"},
	{KEY_CODE_INSERT,       "Insert"},
	{KEY_CODE_DELETE,       "Del"},
	{KEY_CODE_DELETE,       "Delete"},
	{KEY_CODE_BACKSPACE,    "Backspace"},
	{KEY_CODE_BACK_TAB,     "BackTab"},
	{KEY_CODE_SHIFT_LEFT,   "S-Left"},
	{KEY_CODE_SHIFT_RIGHT,  "S-Right"},
	{KEY_CODE_CLICK,        "Click"},
	{KEY_CODE_CLICK_RIGHT,  "ClickRight"},
	{KEY_CODE_WHEEL_UP,     "WheelUp"},
	{KEY_CODE_WHEEL_DOWN,   "WheelDown"},
	{KEY_CODE_PASTE_BEGIN,  "PasteBegin"},
	{KEY_CODE_PASTE_END,    "PasteEnd"},
	{KEY_CODE_RESIZE,       "Resize"},
	{KEY_CODE_END_OF_INPUT, "EndOfInput"},
};
/* clang-format on */

enum {
	NAMED_KEY_COUNT = sizeof(named_keys) / sizeof(named_keys[0]),
	CONTROL_BIT = 0x40, /* ^A is 'A' without it */
	DELETE_CHARACTER = 0x7f,
};

static bool is_function_key(uint32_t key)
{
	return key >= KEY_CODE_F1 && key <= KEY_CODE_F12;
}

static bool is_character(uint32_t key)
{
	return key > KEY_CODE_SPACE && key < KEY_CODE_SPECIAL &&
	       (key < DELETE_CHARACTER || key >= 0xa0) && (key < 0xd800 || key > 0xdfff);
}

void key_name(uint32_t key, char *text, size_t size)
{
	char bytes[4];

	if (size > 0)
		text[0] = '\0';
	for (size_t i = 0; i < NAMED_KEY_COUNT; i++) {
		if (named_keys[i].key == key) {
			snprintf(text, size, "%s", named_keys[i].name);
			return;
		}
	}
	if (is_function_key(key)) {
		snprintf(text, size, "F%u", key - KEY_CODE_F1 + 1);
	} else if (is_character(key)) {
		const size_t length = text_encode(bytes, key);

		if (length < size) {
			memcpy(text, bytes, length);
			text[length] = '\0';
		}
	} else if (key == DELETE_CHARACTER || (key > KEY_CODE_NONE && key < KEY_CODE_SPACE)) {
		snprintf(text, size, "^%c", (char)(key ^ CONTROL_BIT));
	}
}

/* "^A", "^a", "^\", "^?": the control character; KEY_CODE_NONE when it is none. */
static uint32_t parse_control(const char *name)
{
	if (name[1] == '\0' || name[2] != '\0')
		return KEY_CODE_NONE;
	if (name[1] >= 'a' && name[1] <= 'z')
		return (uint32_t)(name[1] - 'a' + 1);
	if (name[1] == '?' || (name[1] > '@' && name[1] <= '_'))
		return (uint32_t)name[1] ^ CONTROL_BIT;
	return KEY_CODE_NONE;
}

/* "F1" to "F12" */
static uint32_t parse_function_key(const char *name)
{
	char expected[8];

	for (uint32_t key = KEY_CODE_F1; is_function_key(key); key++) {
		key_name(key, expected, sizeof(expected));
		if (strcasecmp(name, expected) == 0)
			return key;
	}
	return KEY_CODE_NONE;
}

uint32_t key_parse(const char *name)
{
	const size_t length = strlen(name);
	uint32_t key;

	/* a single character is case-sensitive: m and M are different keys */
	if (length > 0 && text_decode(name, length, &key) == (int)length)
		return is_character(key) || key == KEY_CODE_SPACE ? key : KEY_CODE_NONE;
	for (size_t i = 0; i < NAMED_KEY_COUNT; i++)
		if (strcasecmp(named_keys[i].name, name) == 0)
			return named_keys[i].key;
	return name[0] == '^' ? parse_control(name) : parse_function_key(name);
}
