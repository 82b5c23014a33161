#include <locale.h>

#include "base/strbuf.h"

#include "unit.h"
#include "widget/branch.h"

static void assert_drawn(const char *lines, const char *name, int columns, bool ascii,
			 const char *expected)
{
	struct strbuf text = {0}, dump = {0};
	struct screen screen;

	screen_init(&screen, columns + 1, 1);
	strbuf_add(&text, lines);
	strbuf_add(&text, name);
	branch_draw(&screen, 0, 0, columns, strbuf_text(&text), strlen(lines), STYLE_NORMAL, ascii);
	screen_dump(&screen, &dump);
	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&text);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(branch_with_room_is_drawn_as_it_is)
{
	assert_drawn("│  └─ ", "qemu", 12, false, "│  └─ qemu\n");
	assert_drawn("│  └─ ", "qemu", 10, false, "│  └─ qemu\n");
}

UNIT_TEST(branch_without_room_loses_levels_next_to_the_root)
{
	assert_drawn("│  │  │  └─ ", "qemu", 12, false, "…│  └─ qemu\n");
	assert_drawn("│  │  │  └─ ", "qemu", 10, false, "…└─ qemu\n");
	assert_drawn("│  └─ ", "qemu", 9, false, "…└─ qemu\n");
}

UNIT_TEST(branch_leaves_a_long_name_two_thirds)
{
	assert_drawn("│  │  │  └─ ", "qemu-system-x86", 12, false, "…└─ qemu-sy…\n");
	assert_drawn("├─ ", "qemu-system-x86", 12, false, "├─ qemu-sys…\n");
}

UNIT_TEST(branch_in_ascii_says_so_in_ascii)
{
	assert_drawn("|  |  `- ", "qemu-system-x86", 12, true, "~`- qemu-sy~\n");
}

UNIT_TEST(branch_of_a_folded_row_keeps_how_many)
{
	assert_drawn("│  └─ [+12] ", "make", 14, false, "…└─ [+12] make\n");
}

UNIT_TEST(branch_never_leaves_its_columns)
{
	for (int columns = 0; columns < 40; columns++) {
		struct screen screen;

		screen_init(&screen, 60, 1);
		assert_in_range(branch_draw(&screen, 2, 0, columns, "│  │  └─ 漢字漢字",
					    strlen("│  │  └─ "), STYLE_NORMAL, false),
				2, 2 + columns);
		screen_fini(&screen);
	}
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(NULL, NULL);
}
