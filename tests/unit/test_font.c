#include <locale.h>
#include <unistd.h>

#include <linux/kd.h>
#include <sys/ioctl.h>

#include "term/font.h"
#include "unit.h"

/* A console whose font has so many characters; -1: no console. */
static const uint16_t *loaded;
static int loaded_count;
static int asked;

int __wrap_ioctl(int fd, unsigned long request, void *argument);

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
	struct unimapdesc *map = argument;

	assert_int_equal(fd, STDOUT_FILENO);
	assert_int_equal(request, GIO_UNIMAP);
	asked++;
	if (loaded_count < 0)
		return -1;
	for (int i = 0; i < loaded_count; i++)
		map->entries[i] = (struct unipair){loaded[i], 0};
	map->entry_ct = (unsigned short)loaded_count;
	return 0;
}

static struct font font_of(const char *type, const uint16_t *codes, int count)
{
	struct font font;

	loaded = codes;
	loaded_count = count;
	asked = 0;
	font_init(&font, type, STDOUT_FILENO);
	return font;
}

UNIT_TEST(font_character_of_other_terminals_is_itself)
{
	static const char *const types[] = {"xterm-256color", "tmux", "vt100", "linuxlike", ""};

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		struct font font = font_of(types[i], NULL, -1);

		assert_int_equal(asked, 0);
		assert_int_equal(font_character(&font, 0x2581), 0x2581);
		assert_int_equal(font_character(&font, 0x65e5), 0x65e5);
		font_fini(&font);
	}
}

UNIT_TEST(font_character_of_a_console_that_cannot_be_asked_is_of_code_page_437)
{
	/* eighths of blocks, both ways; a dash, a cross; what the page has */
	static const uint32_t pairs[][2] = {
		{0x2581, '_'},    {0x2582, '_'},    {0x2583, 0x2584}, {0x2584, 0x2584},
		{0x2585, 0x2584}, {0x2586, 0x2588}, {0x2587, 0x2588}, {0x2588, 0x2588},
		{0x258f, 0x258c}, {0x258c, 0x258c}, {0x2589, 0x2588}, {0x2013, '-'},
		{0x00d7, 'x'},    {0x2503, 0x2502}, {0x25bc, 0x25bc}, {'a', 'a'},
	};
	struct font font = font_of("linux-16color", NULL, -1);

	for (size_t i = 0; i < COUNT_OF(pairs); i++)
		assert_int_equal(font_character(&font, pairs[i][0]), pairs[i][1]);
	assert_int_equal(asked, 1);
	font_fini(&font);
}

UNIT_TEST(font_character_of_a_console_is_what_its_font_has)
{
	/* not in order, and some twice, as the kernel tells them */
	static const uint16_t codes[] = {0x2588, 'a', 0x2581, 0xe9, 0x2588};
	struct font font = font_of("linux", codes, 5);

	assert_int_equal(font_character(&font, 0x2581), 0x2581);
	assert_int_equal(font_character(&font, 0x2588), 0x2588);
	assert_int_equal(font_character(&font, 0xe9), 0xe9);
	assert_int_equal(font_character(&font, 'z'), 'z');
	/* no half block: the sign behind it */
	assert_int_equal(font_character(&font, 0x2584), '=');
	assert_int_equal(font_character(&font, 0x2585), '=');
	assert_int_equal(font_character(&font, 0x258d), '|');
	/* letters that nothing stands for; one whose lower half is in the font */
	assert_int_equal(font_character(&font, 0x65e5), '?');
	assert_int_equal(font_character(&font, 0x10061), '?');
	font_fini(&font);
}

UNIT_TEST(font_character_with_an_empty_map_is_of_code_page_437)
{
	struct font font = font_of("linux", NULL, 0);

	assert_int_equal(font_character(&font, 0x2588), 0x2588);
	assert_int_equal(font_character(&font, 0x2581), '_');
	font_fini(&font);
}

static void cell_is(const struct font *font, bool is_utf8, const char *bytes, int width,
		    const wchar_t *expected)
{
	struct screen_cell cell = {.width = (uint8_t)width};
	wchar_t characters[FONT_CELL_MAX + 1];

	strcpy(cell.bytes, bytes);
	font_cell(font, is_utf8, &cell, characters);

	assert_int_equal(wcscmp(characters, expected), 0);
}

UNIT_TEST(font_cell_combining_characters_stay_with_their_base)
{
	struct font font = font_of("xterm", NULL, -1);

	cell_is(&font, true, "e\u0301\u0302", 1, L"e\u0301\u0302");
	cell_is(&font, true, "\u65e5", 2, L"\u65e5");
	/* more than a cell takes */
	cell_is(&font, true, "e\u0301\u0301\u0301\u0301\u0301", 1, L"e\u0301\u0301\u0301\u0301");
	font_fini(&font);
}

UNIT_TEST(font_cell_of_a_console_leaves_combining_characters_out)
{
	struct font font = font_of("linux", NULL, -1);

	cell_is(&font, true, "e\u0301\u0302", 1, L"e");
	cell_is(&font, true, "\u2583", 1, L"\u2584");
	font_fini(&font);
}

UNIT_TEST(font_cell_what_the_font_lacks_is_a_question_mark)
{
	static const uint16_t codes[] = {0x2588};
	struct font font = font_of("linux", codes, 1);

	/* of two columns: the second is the caller's */
	cell_is(&font, true, "\u65e5", 2, L"?");
	cell_is(&font, true, "\u00e9", 1, L"?");
	font_fini(&font);
}

UNIT_TEST(font_cell_without_utf8_is_ascii)
{
	struct font font = font_of("xterm", NULL, -1);

	cell_is(&font, false, "a", 1, L"a");
	cell_is(&font, false, "\u2588", 1, L"?");
	cell_is(&font, false, "e\u0301", 1, L"?");
	font_fini(&font);
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return EXIT_FAILURE;
	return unit_run(NULL, NULL);
}
