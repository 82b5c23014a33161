/* The first words: where nothing is configured, until a key or for some seconds. */

#include "app_kit.h"
#include "session/config.h"
#include "session/options.h"
#include "unit.h"

/* How many of the three are on the screen, up to their ends. */
static size_t shown_lines(void)
{
	static const char *const ends[] = {"k: signal", "?: what it means", "q: leave"};
	struct strbuf screen = {0};
	size_t count = 0;

	compose_frame_draw(&kit.app);
	screen_dump(&kit.app.screen, &screen);
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		count += strstr(strbuf_text(&screen), ends[i]) != NULL;
	strbuf_fini(&screen);
	return count;
}

UNIT_TEST(welcome_is_three_lines_for_some_seconds)
{
	const uint64_t begin_ns = kit.now_ns;

	assert_int_equal(shown_lines(), 0);
	welcome_begin(&kit.app);
	assert_int_equal(shown_lines(), 3);
	kit.now_ns += 19000000000;
	assert_int_equal(shown_lines(), 3);
	kit.now_ns += 1000000000;
	assert_int_equal(shown_lines(), 0);
	kit.now_ns = begin_ns + 1;
	assert_int_equal(shown_lines(), 0);
}

UNIT_TEST(welcome_ends_with_the_first_key_and_is_drawn_away)
{
	welcome_begin(&kit.app);
	kit.app.needs_drawing = false;
	welcome_end(&kit.app);
	assert_true(kit.app.needs_drawing);
	assert_int_equal(shown_lines(), 0);
	kit.app.needs_drawing = false;
	welcome_end(&kit.app);
	assert_false(kit.app.needs_drawing);
}

/* A file that is not there, and not one that nobody wanted to be read. */
UNIT_TEST(config_read_knows_whether_there_is_a_file)
{
	struct options options = {0};
	struct config config;
	struct error error = {0};

	setenv("XDG_CONFIG_HOME", "/proc/self/nowhere", 1);
	assert_true(config_read(&config, &options, &error));
	assert_true(config.is_absent);
	config_fini(&config);
	options.no_config = true;
	assert_true(config_read(&config, &options, &error));
	assert_false(config.is_absent);
	config_fini(&config);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
