/* Pasted text: one line of text in a prompt, and nothing where letters are commands. */

#include "fake_app.h"
#include "mode/acting.h"
#include "mode/command.h"
#include "mode/pager.h"
#include "term/key.h"
#include "unit.h"

static void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
}

static void paste(const char *text)
{
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_BEGIN));
	for (; *text != '\0'; text++)
		assert_true(paste_take(&kit.app, (uint32_t)*text));
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_END));
}

UNIT_TEST(paste_into_a_prompt_is_one_line)
{
	run("ask command");
	paste("\nfilter nginx\r\n\tor redis\n");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(prompt_text(&kit.app.prompt), "filter nginx or redis");
	assert_false(paste_take(&kit.app, KEY_CODE_ENTER)); /* this one was typed */
}

UNIT_TEST(paste_into_a_search_of_the_help_is_searched)
{
	run("help");
	mode_top(&kit.app)->key(&kit.app, '/');
	paste("Filters (\n");
	assert_string_equal(prompt_text(&kit.app.pager->search), "Filters (");
	assert_true(kit.app.pager->shown.top > 0);
	assert_string_equal(kit.app.message, "");
}

UNIT_TEST(paste_elsewhere_is_no_keys_and_that_is_said)
{
	paste("kq\n");
	assert_false(kit.app.is_over);
	assert_string_equal(kit.app.message, "pasted text ignored: open a prompt first");
	run("signal");
	paste("\ny");
	assert_int_equal(kit.app.acting->step, ACTING_CHOOSES);
	acting_mode.key(&kit.app, KEY_CODE_ESCAPE);
}

UNIT_TEST(paste_without_an_end_is_over_with_the_next_special_key)
{
	static const uint32_t keys[] = {KEY_CODE_ESCAPE, KEY_CODE_UP, KEY_CODE_END_OF_INPUT};

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		assert_true(paste_take(&kit.app, KEY_CODE_PASTE_BEGIN));
		assert_true(paste_take(&kit.app, 'q'));
		assert_false(paste_take(&kit.app, keys[i]));
		assert_false(paste_take(&kit.app, 'q'));
	}
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_END)); /* that of nothing */
	assert_false(paste_take(&kit.app, 'q'));
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
