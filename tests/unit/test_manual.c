/* What is installed beside the program says what its tables say. */

#include "base/strbuf.h"
#include "view/table.h"

#include "manual/manual.h"
#include "mode/command.h"
#include "session/options.h"
#include "unit.h"

static void assert_contains(const struct strbuf *text, const char *words)
{
	if (strstr(strbuf_text(text), words) == NULL)
		fail_msg("not there: %s", words);
}

/* The words as they stand in the page. */
static void assert_shows(const struct strbuf *page, const char *words)
{
	struct strbuf escaped = {0};

	roff_add(&escaped, words, strlen(words));
	assert_contains(page, strbuf_text(&escaped));
	strbuf_fini(&escaped);
}

UNIT_TEST(page_has_every_option_with_its_help)
{
	struct strbuf page = {0};
	size_t count;
	const struct option_info *options = options_table(&count);

	manual_write_page(&page);
	assert_true(count > 20);
	for (size_t i = 0; i < count; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--%s", options[i].name);
		assert_shows(&page, name);
		assert_shows(&page, options[i].help);
	}
	strbuf_fini(&page);
}

UNIT_TEST(guide_becomes_sections_entries_and_examples)
{
	struct strbuf page = {0};

	roff_guide(&page,
		   "# Title\n\nNot in it.\n\n## First part\nA `word`, a [link](x.md)\n"
		   "and \xe2\x80\x93.\n\n- one\n  goes on\n- two\n\n    code -x\n    more\n\n"
		   "| key | does |\n| --- | --- |\n| `a` | attaches | at once |\n\n### Piece\n"
		   "```ini\n[x] | `y`\n\n```\nEnd\n");
	assert_string_equal(strbuf_text(&page),
			    ".SH FIRST PART\n.PP\nA \\fBword\\fR, a link\nand \\[u2013].\n"
			    ".IP \\(bu 2\none\ngoes on\n.IP \\(bu 2\ntwo\n"
			    ".PP\n.nf\n.RS 4\ncode \\-x\nmore\n.RE\n.fi\n"
			    ".TP\n\\fBa\\fR\nattaches; at once\n.SS Piece\n"
			    ".PP\n.nf\n.RS 4\n[x] | \\(gay\\(ga\n\n.RE\n.fi\n.PP\nEnd\n");
	strbuf_fini(&page);
}

UNIT_TEST(page_has_the_chapters_of_the_guide)
{
	struct strbuf page = {0};

	manual_write_page(&page);
	assert_contains(&page, ".SH BACK IN TIME\n");
	assert_contains(&page, ".SH RECORD AND REPLAY\n");
	strbuf_fini(&page);
}

UNIT_TEST(page_has_every_command_and_view)
{
	struct strbuf page = {0};
	const struct command_info *const commands = command_table.rows;
	size_t count = command_table.count;

	manual_write_page(&page);
	for (size_t i = 0; i < count; i++)
		assert_shows(&page, commands[i].help);

	const struct view_info *const *views = view_table_of_views(&count);
	for (size_t i = 0; i < count; i++)
		assert_shows(&page, views[i]->help);
	strbuf_fini(&page);
}

static const struct {
	const char *before; /* the name of an option */
	void (*write)(struct strbuf *out);
	const char *list_of_events;
} SHELLS[] = {
	{"--", manual_write_bash, "-e|--event) _perftop_list \"$cur\" \"$(_perftop_events)\""},
	{"--", manual_write_zsh, ":event:_sequence _perftop_events'"},
	{"-l ", manual_write_fish, " -l event -x -a '(__fish_complete_list , __perftop_events)'"},
};

UNIT_TEST(every_shell_has_every_option)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	for (size_t shell = 0; shell < COUNT_OF(SHELLS); shell++) {
		struct strbuf text = {0};

		SHELLS[shell].write(&text);
		for (size_t i = 0; i < count; i++) {
			char name[64];

			snprintf(name, sizeof(name), "%s%s", SHELLS[shell].before, options[i].name);
			assert_contains(&text, name);
		}
		strbuf_fini(&text);
	}
}

UNIT_TEST(every_shell_proposes_the_words_of_the_tables)
{
	static const char *const words[] = {"tasks cpus switches", " miss% ", "mono high-contrast",
					    "cgroup container", "text csv json"};

	for (size_t shell = 0; shell < COUNT_OF(SHELLS); shell++) {
		struct strbuf text = {0};

		begin_case(SHELLS[shell].before);
		SHELLS[shell].write(&text);
		for (size_t i = 0; i < COUNT_OF(words); i++)
			assert_contains(&text, words[i]);
		assert_contains(&text, SHELLS[shell].list_of_events);
		strbuf_fini(&text);
	}
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
	assert_roff("a\n.b\n'c", "a\n\\&.b\n\\&\\(aqc");
	assert_roff("^~`", "\\(ha\\(ti\\(ga");
}

UNIT_TEST(help_becomes_sections_entries_and_paragraphs)
{
	struct strbuf out = {0};

	roff_help(&out,
		  "# Keys (k asks)\n  a b  what it does\n       = more\n\n  only words here\n");
	assert_string_equal(strbuf_text(&out),
			    ".SH KEYS\n.TP\n\\fBa b\\fR\nwhat it does\n.br\n= more\n"
			    ".PP\nonly words here\n");
	strbuf_fini(&out);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
