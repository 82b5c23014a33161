/* The growing text: its invariant after every kind of append. */
#include <unistd.h>

#include <sys/wait.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "unit.h"

static void assert_holds(const struct strbuf *buffer, const char *text)
{
	assert_non_null(buffer->text);
	assert_string_equal(buffer->text, text);
	assert_int_equal(buffer->length, strlen(text));
	assert_true(buffer->capacity > buffer->length);
}

static struct strbuf buffer;

static int tear_down(void **state)
{
	strbuf_fini(&buffer);
	return 0;
}

UNIT_TEST(strbuf_add_char_many_times_keeps_all)
{
	for (int i = 0; i < 10000; i++) {
		strbuf_add_char(&buffer, (char)('a' + i % 26));
		assert_int_equal(buffer.text[buffer.length], '\0');
	}

	assert_int_equal(buffer.length, 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(buffer.text[i], 'a' + i % 26);
}

UNIT_TEST(strbuf_printf_every_length_around_the_capacity_is_whole)
{
	for (int before = 0; before < 40; before++) {
		for (int width = 0; width < 80; width++) {
			strbuf_add_repeated(&buffer, 'b', (size_t)before);

			strbuf_printf(&buffer, "%*s", width, "");

			assert_int_equal(buffer.length, before + width);
			assert_int_equal(strspn(buffer.text, "b"), before);
			assert_int_equal(strspn(buffer.text + before, " "), width);
			assert_int_equal(buffer.text[before + width], '\0');
			strbuf_fini(&buffer);
		}
	}
}

UNIT_TEST(strbuf_of_nothing_is_an_empty_text)
{
	strbuf_clear(&buffer);
	assert_string_equal(strbuf_text(&buffer), "");
	assert_null(buffer.text);

	strbuf_add_bytes(&buffer, NULL, 0);
	assert_holds(&buffer, "");
	assert_ptr_equal(strbuf_text(&buffer), buffer.text);
	strbuf_fini(&buffer);
	strbuf_add(&buffer, "");
	assert_holds(&buffer, "");
}

UNIT_TEST(strbuf_appends_in_order_until_it_is_cleared)
{
	strbuf_add(&buffer, "one");
	strbuf_add(&buffer, ", two");
	strbuf_add_repeated(&buffer, '-', 3);
	strbuf_add_repeated(&buffer, '+', 0);
	strbuf_printf(&buffer, "%d %s", 42, "x");
	strbuf_printf(&buffer, ";%c", 'y');
	/* The C locale of this test cannot write this character. */
	strbuf_printf(&buffer, "lost%ls", L"\x4e2d");
	assert_holds(&buffer, "one, two---42 x;y");

	const size_t capacity = buffer.capacity;
	strbuf_clear(&buffer);
	assert_holds(&buffer, "");
	assert_int_equal(buffer.capacity, capacity);
	strbuf_add_bytes(&buffer, "a\0b", 3);
	assert_int_equal(buffer.length, 3);
	assert_memory_equal(buffer.text, "a\0b", 4);

	strbuf_fini(&buffer);
	assert_null(buffer.text);
	assert_int_equal(buffer.length, 0);
	assert_int_equal(buffer.capacity, 0);
}

static void exit_with_42(void)
{
	_exit(42);
}

UNIT_TEST(strbuf_add_repeated_overflow_ends_the_program)
{
	int status;

	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		memory_on_exhaustion(exit_with_42);
		strbuf_add(&buffer, "x");
		strbuf_add_repeated(&buffer, 'x', SIZE_MAX - 1);
		_exit(99);
	}

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

UNIT_MAIN(NULL, tear_down)
