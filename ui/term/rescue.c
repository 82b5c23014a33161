/*
 * The one place with state that is not passed along: a signal handler gets nothing to
 * hold on to. It is written while nothing is armed and only read by the handler.
 */
#include "term/rescue.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"

static struct {
	volatile sig_atomic_t is_armed;
	bool has_modes;
	struct termios modes;
	char bytes[RESCUE_BYTES_MAX];
	size_t length;
} rescue;

static void put_back(void)
{
	const char *bytes = rescue.bytes;
	size_t left = rescue.length;

	if (!rescue.is_armed)
		return;
	rescue.is_armed = 0;
	while (left > 0) {
		ssize_t count = write(STDOUT_FILENO, bytes, left);

		if (count <= 0)
			break;
		bytes += count;
		left -= (size_t)count;
	}
	if (rescue.has_modes)
		tcsetattr(STDIN_FILENO, TCSANOW, &rescue.modes);
}

/* The handler was good for one time: the signal then does what it would have done. */
static void die_tidily(int number)
{
	put_back();
	raise(number);
}

static void catch_fatal_signals(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
	struct sigaction action = {.sa_handler = die_tidily,
				   .sa_flags = (int)SA_RESETHAND | SA_NODEFER};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct sigaction before;

		/* a sanitizer's own handler reports more */
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	}
}

void rescue_arm(const char *const *sequences, size_t count)
{
	rescue.is_armed = 0;
	rescue.length = 0;
	for (size_t i = 0; i < count; i++) {
		size_t length = sequences[i] ? strlen(sequences[i]) : 0;

		if (rescue.length + length > sizeof(rescue.bytes))
			break;
		memcpy(rescue.bytes + rescue.length, sequences[i] ? sequences[i] : "", length);
		rescue.length += length;
	}
	rescue.has_modes = tcgetattr(STDIN_FILENO, &rescue.modes) == 0;
	catch_fatal_signals();
	memory_on_exhaustion(put_back);
	rescue.is_armed = 1;
}

void rescue_disarm(void)
{
	rescue.is_armed = 0;
	memory_on_exhaustion(NULL);
}
