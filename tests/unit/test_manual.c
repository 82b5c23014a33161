/* The manual page says what the tables of the program say. */

#include "base/strbuf.h"
#include "view/table.h"

#include "manual/manual.h"
#include "mode/command.h"
#include "mode/views.h"
#include "session/options.h"
#include "unit.h"

static void assert_contains(const struct strbuf *text, const char *words)
{
	if (strstr(strbuf_text(text), words) == NULL)
		fail_msg("not there: %s", words);
}

/* The words as they are in the page, in one line or more. */
static void assert_shows(const struct strbuf *page, const char *words)
{
	struct strbuf escaped = {0}, plain = {0};

	roff_add(&escaped, words, strlen(words));
	for (const char *c = strbuf_text(page); *c != '\0'; c++)
		strbuf_add_char(&plain, *c == '\n' ? ' ' : *c);
	assert_contains(&plain, strbuf_text(&escaped));
	strbuf_fini(&escaped);
	strbuf_fini(&plain);
}

UNIT_TEST(page_has_every_option_with_its_help)
{
	struct strbuf page = {0};
	size_t count;
	const struct option_info *options = options_table(&count);

	manual_write_page(&page, "@OPTIONS@\n");
	assert_true(count > 20);
	for (size_t i = 0; i < count; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--%s", options[i].name);
		assert_shows(&page, name);
		assert_shows(&page, options[i].help);
	}
	strbuf_fini(&page);
}

UNIT_TEST(page_has_every_command_and_view)
{
	struct strbuf page = {0};
	const struct command_info *const commands = command_table.rows;
	size_t count = command_table.count;

	manual_write_page(&page, "@HELP@\n");
	for (size_t i = 0; i < count; i++)
		assert_shows(&page, commands[i].help);

	const struct view_info *const *views = all_views.views;
	for (size_t i = 0; i < all_views.count; i++)
		assert_shows(&page, views[i]->help);
	strbuf_fini(&page);
}

static void assert_roff(const char *text, const char *expected)
{
	struct strbuf out = {0};

	roff_add(&out, text, strlen(text));
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

UNIT_TEST(text_in_roff_is_shown_as_it_is)
{
	assert_roff("a-b", "a\\-b");
	assert_roff(".TH \\n", "\\&.TH \\en");
	assert_roff("a\n.b\n'c", "a\n\\&.b\n\\(aqc");
	assert_roff("^~`", "\\(ha\\(ti\\(ga");
}

UNIT_TEST(help_becomes_sections_entries_and_paragraphs)
{
	struct strbuf out = {0};

	roff_help(&out, "# Keys (k asks)\nOf keys.\n  a b  what it does\n       = more\n\n"
			"  only words here\n  q  quit  leaves\n");
	assert_string_equal(strbuf_text(&out),
			    ".SH KEYS\nOf keys.\n.TP\n\\fBa b\\fR\nwhat it does\n.br\n= more\n"
			    ".PP\nonly words here\n.TP\n\\fBq\\fR\n\\fBquit\\fR:\nleaves\n");
	strbuf_fini(&out);
}

UNIT_TEST(page_is_the_template_but_for_its_marks)
{
	struct strbuf page = {0};

	manual_write_page(&page, ".SH A\nwords @HELP@\n@FORMATS@\n.SH B\n");
	assert_contains(&page, ".SH A\nwords @HELP@\n.TP\n\\fBtext\\fR\n");
	assert_contains(&page, "\n.SH B\n");
	strbuf_fini(&page);
}

/* Long lines make other programs complain. */
UNIT_TEST(entries_are_written_in_short_lines)
{
	struct strbuf page = {0};

	manual_write_page(&page, "@HELP@\n");
	for (const char *line = strbuf_text(&page); *line != '\0'; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > 100)
			fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
	strbuf_fini(&page);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
