/*
 * Every view, page, menu and prompt on screens of every size: nothing is drawn outside (the
 * sanitizer watches), no character is cut in half, the cursor is where something can be seen, and
 * what is too small says so.
 */

#include "app_story.h"
#include "mode/views.h"
#include "unit.h"

enum {
	WIDTH_MOST = 140,
	HEIGHT_MOST = 50,
	WIDTH_LEAST = 20,
	HEIGHT_LEAST = 3,
#ifdef PERFTOP_SANITIZED
	SIZES_APART = 7 /* and other ones each time */
#else
	SIZES_APART = 1
#endif
};

/* Each cell of a line has its column, and the second one of a wide character follows the first. */
static void assert_whole_characters(const struct screen *screen)
{
	for (int y = 0; y < screen->height; y++) {
		const struct screen_cell *line = &screen->cells[y * screen->width];

		for (int x = 0; x < screen->width; x += line[x].width) {
			assert_in_range(line[x].width, 1, 2);
			assert_true(x + line[x].width <= screen->width);
			assert_true(line[x].width == 1 || line[x + 1].width == 0);
			assert_true((unsigned char)line[x].bytes[0] >= ' ');
		}
	}
}

static void assert_cursor_is_inside(const struct screen *screen)
{
	if (screen->cursor_x < 0 && screen->cursor_y < 0)
		return;
	assert_in_range(screen->cursor_x, 0, screen->width - 1);
	assert_in_range(screen->cursor_y, 0, screen->height - 1);
}

static void assert_says_something(const char *what)
{
	const struct screen *screen = &kit.app.screen;
	struct strbuf text = {0};

	screen_dump(screen, &text);
	if (screen->width < WIDTH_LEAST || screen->height < HEIGHT_LEAST) {
		const char sentence[] = "perftop: terminal too small";
		const size_t length = strcspn(strbuf_text(&text), "\n");

		assert_memory_equal(strbuf_text(&text), sentence,
				    length < strlen(sentence) ? length : strlen(sentence));
	} else if (strspn(strbuf_text(&text), " \n") == text.length) {
		fail_msg("%s: nothing at %dx%d", what, screen->width, screen->height);
	}
	strbuf_fini(&text);
}

static void draw_at(const char *what, int width, int height)
{
	screen_resize(&kit.app.screen, width, height);
	compose_frame_draw(&kit.app);
	assert_whole_characters(&kit.app.screen);
	assert_cursor_is_inside(&kit.app.screen);
	assert_says_something(what);
}

static void draw_at_all_sizes(const char *what)
{
	static unsigned int sizes;

	for (int width = 1; width <= WIDTH_MOST; width += width < 30 ? 1 : 7)
		for (int height = 1; height <= HEIGHT_MOST; height += height < 12 ? 1 : 5)
			if (sizes++ % SIZES_APART == 0)
				draw_at(what, width, height);
	draw_at(what, 300, 100);
	draw_at(what, 500, 3);
	draw_at(what, 20, 300);
}

/* Names that are wide, long and combined, and more rows than a low screen has lines. */
static void make_names(void)
{
	static const char *const names[] = {"漢字漢字漢", "e\u0301e\u0301", "0123456789abcde", "x"};

	for (int i = 0; i < 12; i++)
		add_task(.pid = 4194000 + i, .parent_pid = 4193999 + i, .name = names[i % 4],
			 .run_ms = 5,
			 .command_line =
				 "漢字 and many more words than fit into a line of most screens");
}

static void kit_with_names(bool ascii)
{
	kit_set_up(NULL);
	engine_keep_history(kit.engine, 1000);
	make_names();
	kit.app.screen.is_ascii = ascii;
	kit_build();
}

static void draw_all(const char *const *commands, size_t count)
{
	for (size_t i = 0; i < 2 * count; i++) {
		kit_with_names(i % 2 == 1);
		run(commands[i / 2]);
		draw_at_all_sizes(commands[i / 2]);
		kit_tear_down(NULL);
	}
}

UNIT_TEST(every_view_fits_every_size)
{
	size_t count = all_views.count;
	const struct view_info *const *views = all_views.views;
	char command[64];

	for (size_t i = 0; i < count; i++) {
		const char *const commands[] = {command};

		snprintf(command, sizeof(command), "view %s", views[i]->name);
		draw_all(commands, 1);
	}
}

UNIT_TEST(every_form_of_functions_fits_every_size)
{
	static const char *const forms[] = {"calls callees", "calls callers", "calls flame"};

	draw_all(forms, COUNT_OF(forms));
}

UNIT_TEST(every_page_and_menu_fits_every_size)
{
	static const char *const commands[] = {
		"tree",
		"threads",
		"command-lines",
		"sort -fault/s",
		"scroll-right",
		"task",
		"help",
		"help ipc",
		"setup",
		"sort-menu",
		"events",
		"signal",
		"ask command",
		"ask filter",
		"ask search",
		"freeze",
		"ask delay",
		"filter nothing",
		"filter 漢字漢字漢字 and a text that is longer than most of the screens",
		"filter-add ipc < 0.5 && user = www",
	};

	draw_all(commands, COUNT_OF(commands));
}

UNIT_TEST(completed_words_fit_every_size)
{
	for (int ascii = 0; ascii < 2; ascii++) {
		kit_with_names(ascii == 1);
		run("ask command");
		prompt_mode.key(&kit.app, KEY_CODE_TAB);
		assert_true(((struct prompts *)kit.app.parts[PART_prompts])->complete.count > 0);
		draw_at_all_sizes("completion");
		kit_tear_down(NULL);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
