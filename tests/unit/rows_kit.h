#ifndef PERFTOP_TESTS_ROWS_KIT_H
#define PERFTOP_TESTS_ROWS_KIT_H

/* Commands run in the small app of fake_app.h, and what becomes of its rows. */

#include <string.h>

#include "fake_app.h"
#include "mode/command.h"
#include "mode/compose_frame.h"

static inline void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
	if (kit.app.needs_build)
		kit_build();
}

/* The rows by their pids; the one under the cursor in brackets. */
static inline void assert_rows(const char *expected)
{
	const size_t cursor = app_current(&kit.app)->list.cursor;
	char text[128] = "";
	size_t length = 0;

	for (size_t i = 0; i < view_table_row_count(kit.app.table); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   i == cursor ? "%s[%d]" : "%s%d", i > 0 ? " " : "",
					   view_table_row(kit.app.table, i)->pid);
	assert_string_equal(text, expected);
}

/* The line on the screen that says what narrows the rows. */
static inline void assert_on_screen(const char *words)
{
	struct strbuf screen = {0};

	compose_frame_draw(&kit.app);
	screen_dump(&kit.app.screen, &screen);
	if (strstr(strbuf_text(&screen), words) == NULL)
		fail_msg("\"%s\" is not on the screen:\n%s", words, strbuf_text(&screen));
	strbuf_fini(&screen);
}

/* 7 over 8 over 70. */
static inline void make_family(void)
{
	kit.world.tasks[1].parent_pid = 8;
	kit.world.tasks[2].parent_pid = 7;
	kit_build();
}

#endif
