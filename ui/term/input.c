#include "term/input.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/text.h"

#include "term/key.h"

/*
 * A byte stream is cut into keys: ESC sequences first as terminfo knows them, then as
 * nearly all terminals send them (CSI "ESC [ parameters final", SS3 "ESC O final"). A sequence
 * that is unknown is swallowed whole: its letters are not what the user typed, and a
 * letter here is a command. The mouse comes as "ESC [ < button ; column ; line M" (m: released;
 * xterm's mode 1006) or, where a terminal knows no better, as "ESC [ M" and three bytes. Modifiers
 * (Ctrl-Up: "ESC [ 1 ; 5 A") are ignored, but for Shift with Left and Right.
 */

enum {
	ESC = 27,
	MOUSE_BYTES = 6,   /* of the old form */
	MOUSE_OFFSET = 32, /* of its numbers; columns and lines begin at 1 */
	DELETE_CHARACTER = 127,
	ESCAPE_WAIT_MS = 25,    /* whether ESC is a key, or begins a sequence */
	SEQUENCE_WAIT_MS = 500, /* for the rest of one that has begun: a network or a busy machine
				   may split it */
	INCOMPLETE = -1
};

/* What the beginning of the buffer is. */
struct token {
	int length;   /* bytes; INCOMPLETE */
	uint32_t key; /* KEY_CODE_NONE: swallowed */
	int x, y;     /* of a key of the mouse */
};

struct coded_key {
	int code; /* a number, or the last byte of a sequence; 0: end of the table */
	uint32_t key;
};

/* clang-format off */

/* CSI and SS3: the last byte says which key */
static const struct coded_key final_keys[] = {
	{'A', KEY_CODE_UP},
	{'B', KEY_CODE_DOWN},
	{'C', KEY_CODE_RIGHT},
	{'D', KEY_CODE_LEFT},
	{'F', KEY_CODE_END},
	{'H', KEY_CODE_HOME},
	{'P', KEY_CODE_F1},
	{'Q', KEY_CODE_F2},
	{'R', KEY_CODE_F3},
	{'S', KEY_CODE_F4},
	{'Z', KEY_CODE_BACK_TAB},
	{0,   KEY_CODE_NONE},
};

/* "ESC O x": the number block in application mode */
static const struct coded_key keypad_keys[] = {
	{'M', KEY_CODE_ENTER},
	{'j', '*'},
	{'k', '+'},
	{'l', ','},
	{'m', '-'},
	{'n', '.'},
	{'o', '/'},
	{'p', '0'},
	{'q', '1'},
	{'r', '2'},
	{'s', '3'},
	{'t', '4'},
	{'u', '5'},
	{'v', '6'},
	{'w', '7'},
	{'x', '8'},
	{'y', '9'},
	{0,   KEY_CODE_NONE},
};

/* "ESC [ number ~" */
static const struct coded_key number_keys[] = {
	{1,  KEY_CODE_HOME},
	{2,  KEY_CODE_INSERT},
	{3,  KEY_CODE_DELETE},
	{4,  KEY_CODE_END},
	{5,  KEY_CODE_PAGE_UP},
	{6,  KEY_CODE_PAGE_DOWN},
	{7,  KEY_CODE_HOME},
	{8,  KEY_CODE_END},
	{11, KEY_CODE_F1},
	{12, KEY_CODE_F2},
	{13, KEY_CODE_F3},
	{14, KEY_CODE_F4},
	{15, KEY_CODE_F5},
	{17, KEY_CODE_F6},
	{18, KEY_CODE_F7},
	{19, KEY_CODE_F8},
	{20, KEY_CODE_F9},
	{21, KEY_CODE_F10},
	{23, KEY_CODE_F11},
	{24, KEY_CODE_F12},
	{200, KEY_CODE_PASTE_BEGIN},
	{201, KEY_CODE_PASTE_END},
	{0,   KEY_CODE_NONE},
};
/* clang-format on */

void input_add_sequence(struct input *input, const char *bytes, uint32_t key)
{
	const size_t length = bytes ? strlen(bytes) : 0;

	if (length < 2 || length >= INPUT_SEQUENCE_MAX || bytes[0] != ESC ||
	    input->sequence_count == INPUT_SEQUENCES_MAX)
		return;
	struct input_sequence *sequence = &input->sequences[input->sequence_count++];
	memcpy(sequence->bytes, bytes, length + 1);
	sequence->key = key;
}

size_t input_feed(struct input *input, const char *bytes, size_t count)
{
	const size_t room = sizeof(input->bytes) - input->count;
	const size_t fed = count < room ? count : room;

	memcpy(input->bytes + input->count, bytes, fed);
	input->count += fed;
	return fed;
}

bool input_is_pending(const struct input *input)
{
	return input->count > 0;
}

/* The longest sequence of the terminal's own that the buffer begins with; length 0: none. */
static struct token match_own(const struct input *input, bool is_final)
{
	struct token best = {0};

	for (size_t i = 0; i < input->sequence_count; i++) {
		const char *bytes = input->sequences[i].bytes;
		const size_t length = strlen(bytes);

		if (length > input->count) {
			if (!is_final && memcmp(bytes, input->bytes, input->count) == 0)
				return (struct token){.length = INCOMPLETE};
		} else if ((int)length > best.length && memcmp(bytes, input->bytes, length) == 0) {
			best = (struct token){.length = (int)length,
					      .key = input->sequences[i].key};
		}
	}
	return best;
}

static uint32_t coded_key_of(const struct coded_key *keys, int code)
{
	while (keys->code != 0 && keys->code != code)
		keys++;
	return keys->key;
}

static uint32_t key_of_number(const char *text, size_t length)
{
	int number = 0;

	for (size_t i = 0; i < length && text[i] >= '0' && text[i] <= '9' && number < 1000; i++)
		number = number * 10 + (text[i] - '0');
	return coded_key_of(number_keys, number);
}

/* "ESC [ 1 ; 2 D" */
static uint32_t with_modifiers(uint32_t key, const char *text, size_t length)
{
	const bool has_shift = length == 3 && memcmp(text, "1;2", length) == 0;

	if (!has_shift)
		return key;
	return key == KEY_CODE_LEFT    ? KEY_CODE_SHIFT_LEFT
	       : key == KEY_CODE_RIGHT ? KEY_CODE_SHIFT_RIGHT
				       : key;
}

/* Buttons as terminals number them; with 4, 8 or 16 more: with Shift, Alt, Ctrl. */
static uint32_t key_of_button(unsigned int button)
{
	switch (button & ~(4u | 8u | 16u)) {
	case 0:
		return KEY_CODE_CLICK;
	case 2:
		return KEY_CODE_CLICK_RIGHT;
	case 64:
		return KEY_CODE_WHEEL_UP;
	case 65:
		return KEY_CODE_WHEEL_DOWN;
	default:
		return KEY_CODE_NONE;
	}
}

/* "ESC [ < 0 ; 12 ; 3 M": `end` is where its last byte is. What is not so is swallowed. */
static struct token match_sgr_mouse(const struct input *input, size_t end)
{
	struct token token = {(int)end + 1, KEY_CODE_NONE, 0, 0};
	unsigned int numbers[3] = {0};
	size_t count = 0;

	for (size_t i = 3; i < end && count < 3; i++) {
		const char byte = input->bytes[i];

		if (byte == ';')
			count++;
		else if (byte >= '0' && byte <= '9' && numbers[count] < 100000)
			numbers[count] = numbers[count] * 10 + (unsigned int)(byte - '0');
		else
			return token;
	}
	if (input->bytes[end] == 'M' && count == 2 && numbers[1] > 0 && numbers[2] > 0) {
		token.key = key_of_button(numbers[0]);
		token.x = (int)numbers[1] - 1;
		token.y = (int)numbers[2] - 1;
	}
	return token;
}

/* "ESC [ M" and button, column and line as one byte each; button 3: released. */
static struct token match_old_mouse(const struct input *input)
{
	const unsigned char *bytes = (const unsigned char *)input->bytes + 3;

	if (input->count < MOUSE_BYTES)
		return (struct token){.length = INCOMPLETE};
	if (bytes[0] < MOUSE_OFFSET || bytes[1] <= MOUSE_OFFSET || bytes[2] <= MOUSE_OFFSET)
		return (struct token){.length = MOUSE_BYTES};
	return (struct token){
		.length = MOUSE_BYTES,
		.key = key_of_button((unsigned int)bytes[0] - MOUSE_OFFSET),
		.x = bytes[1] - MOUSE_OFFSET - 1,
		.y = bytes[2] - MOUSE_OFFSET - 1,
	};
}

/* "ESC [": bytes 0x20 to 0x3f, then one of 0x40 to 0x7e. */
static struct token match_csi(const struct input *input)
{
	size_t end = 2;

	/* the console of Linux sends ESC [ [ A to ESC [ [ E for F1 to F5 */
	if (input->count > 2 && input->bytes[2] == '[') {
		if (input->count < 4)
			return (struct token){.length = INCOMPLETE};
		const char letter = input->bytes[3];
		const bool known = letter >= 'A' && letter <= 'E';
		return (struct token){.length = 4,
				      .key = known ? KEY_CODE_F1 + (uint32_t)(letter - 'A')
						   : KEY_CODE_NONE};
	}
	if (input->has_mouse && input->count > 2 && input->bytes[2] == 'M')
		return match_old_mouse(input);
	while (end < input->count && input->bytes[end] >= 0x20 && input->bytes[end] < 0x40)
		end++;
	if (end == input->count)
		return (struct token){.length = INCOMPLETE};
	const char final = input->bytes[end];
	if (final < 0x40 || final > 0x7e) {
		/* broken off: what follows is read anew */
		return (struct token){.length = (int)end, .key = KEY_CODE_NONE};
	}
	if (input->has_mouse && input->bytes[2] == '<')
		return match_sgr_mouse(input, end);
	const uint32_t key = final == '~' ? key_of_number(input->bytes + 2, end - 2)
					  : coded_key_of(final_keys, final);
	return (struct token){.length = (int)end + 1,
			      .key = with_modifiers(key, input->bytes + 2, end - 2)};
}

static struct token match_ss3(const struct input *input)
{
	if (input->count < 3)
		return (struct token){.length = INCOMPLETE};
	const uint32_t key = coded_key_of(final_keys, input->bytes[2]);

	return (struct token){
		.length = 3,
		.key = key != KEY_CODE_NONE ? key : coded_key_of(keypad_keys, input->bytes[2]),
	};
}

static struct token match_escape(const struct input *input, bool is_final)
{
	struct token token = match_own(input, is_final);

	if (token.length != 0)
		return token;
	if (input->count == 1)
		token.length = INCOMPLETE;
	else if (input->bytes[1] == '[')
		token = match_csi(input);
	else if (input->bytes[1] == 'O')
		token = match_ss3(input);
	else
		token = (struct token){.length = 1, .key = KEY_CODE_ESCAPE};
	/* a sequence that goes no further: Esc, or Alt with a key, which is taken as Esc */
	if (token.length == INCOMPLETE && is_final)
		token = (struct token){.length = (int)input->count, .key = KEY_CODE_ESCAPE};
	return token;
}

/* Whether the buffer may become a character when more bytes come. */
static bool is_cut_character(const struct input *input)
{
	const unsigned char first = (unsigned char)input->bytes[0];
	const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

	if (first < 0xc2 || first > 0xf4 || input->count >= length)
		return false;
	for (size_t i = 1; i < input->count; i++)
		if ((input->bytes[i] & 0xc0) != 0x80)
			return false;
	return true;
}

void input_learn_characters(struct input *input)
{
	const locale_t own = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

	input->has_characters = false;
	if (own == (locale_t)0)
		return;
	const locale_t before = uselocale(own);
	for (int i = 0; i < 128; i++) {
		const wint_t wide = btowc(0x80 + i);

		input->characters[i] = wide == WEOF ? KEY_CODE_NONE : (uint32_t)wide;
		input->has_characters = input->has_characters || wide != WEOF;
	}
	uselocale(before);
	freelocale(own);
}

static struct token match_character(const struct input *input, bool is_final)
{
	uint32_t code;
	int length = 1;

	const unsigned char first = (unsigned char)input->bytes[0];

	if (input->has_characters && first >= 0x80) {
		code = input->characters[first - 0x80];
	} else if (!input->is_utf8) {
		code = first < 0x80 ? first : KEY_CODE_NONE;
	} else {
		length = text_decode(input->bytes, input->count, &code);
		if (length <= 0) {
			const bool wait = !is_final && is_cut_character(input);

			return (struct token){.length = wait ? INCOMPLETE : 1,
					      .key = KEY_CODE_NONE};
		}
	}
	if (code == DELETE_CHARACTER || code == KEY_CTRL('H'))
		code = KEY_CODE_BACKSPACE;
	else if (code == '\n')
		code = KEY_CODE_ENTER;
	else if (code >= 0x80 && code < 0xa0)
		code = KEY_CODE_NONE;
	return (struct token){.length = length, .key = code};
}

uint32_t input_take(struct input *input, bool is_final)
{
	while (input->count > 0) {
		/* a buffer full of one sequence will not get any longer */
		const bool all = is_final || input->count == sizeof(input->bytes);
		const struct token token = input->bytes[0] == ESC ? match_escape(input, all)
								  : match_character(input, all);

		if (token.length == INCOMPLETE)
			return KEY_CODE_NONE;
		input->count -= (size_t)token.length;
		memmove(input->bytes, input->bytes + token.length, input->count);
		if (token.key >= KEY_CODE_POINTER && token.key <= KEY_CODE_POINTER_LAST) {
			input->pointer_x = token.x;
			input->pointer_y = token.y;
		}
		if (token.key != KEY_CODE_NONE)
			return token.key;
	}
	return KEY_CODE_NONE;
}

/* Reads what is waiting, or comes within the time; false when nothing did. */
static bool read_more(struct input *input, int wait_ms)
{
	struct pollfd waiting = {.fd = STDIN_FILENO, .events = POLLIN};
	char bytes[INPUT_BYTES_MAX];

	if (poll(&waiting, 1, wait_ms) <= 0)
		return false;
	const ssize_t count = read(STDIN_FILENO, bytes, sizeof(bytes) - input->count);
	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	/* a terminal that hung up reads as end of file, or as EIO */
	if (count <= 0) {
		input->has_ended = true;
		return false;
	}
	input_feed(input, bytes, (size_t)count);
	return true;
}

static int wait_ms(const struct input *input)
{
	return input->count == 0 ? 0 : input->count == 1 ? ESCAPE_WAIT_MS : SEQUENCE_WAIT_MS;
}

uint32_t input_read(struct input *input)
{
	for (;;) {
		const uint32_t key = input_take(input, input->has_ended);
		const bool is_pending = input_is_pending(input);

		if (key != KEY_CODE_NONE)
			return key;
		if (input->has_ended)
			return KEY_CODE_END_OF_INPUT;
		if (!read_more(input, wait_ms(input))) {
			return input->has_ended ? KEY_CODE_END_OF_INPUT
						: input_take(input, is_pending);
		}
	}
}
