#include "term/keyboard.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

#include "term/key.h"

enum {
	ESCAPE_WAIT_MS = 25 /* for the rest of an escape sequence */
};

/* Reads what is waiting, or comes within the time; false when nothing did. */
static bool read_more(struct keyboard *keyboard, int wait_ms)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char bytes[INPUT_BYTES_MAX];

	if (poll(&input, 1, wait_ms) <= 0)
		return false;
	const size_t room = sizeof(bytes) - keyboard->input.count;
	const ssize_t count = read(STDIN_FILENO, bytes, room);
	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	/* a terminal that hung up reads as end of file, or as EIO */
	if (count <= 0) {
		keyboard->has_ended = true;
		return false;
	}
	input_feed(&keyboard->input, bytes, (size_t)count);
	return true;
}

uint32_t keyboard_read(struct keyboard *keyboard)
{
	for (;;) {
		uint32_t key = input_take(&keyboard->input, keyboard->has_ended);

		if (key != KEY_CODE_NONE)
			return key;
		if (keyboard->has_ended)
			return KEY_CODE_END_OF_INPUT;
		const bool is_pending = input_is_pending(&keyboard->input);
		if (!read_more(keyboard, is_pending ? ESCAPE_WAIT_MS : 0)) {
			return keyboard->has_ended ? KEY_CODE_END_OF_INPUT
						   : input_take(&keyboard->input, is_pending);
		}
	}
}
