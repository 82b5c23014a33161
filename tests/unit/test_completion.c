/* What the shells are told that a word can become. */

#include <unistd.h>

#include "base/strbuf.h"

#include "completion.h"
#include "session/options.h"
#include "unit.h"

static struct strbuf proposals;

static int tear_down(void **state)
{
	strbuf_fini(&proposals);
	return 0;
}

/* Words with blanks between them; the last may be empty. */
static const char *complete(const char *line)
{
	char copy[128], *words[16], *cursor = copy;
	size_t count = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	while (cursor && count < COUNT_OF(words))
		words[count++] = strsep(&cursor, " ");
	strbuf_clear(&proposals);
	completion_write(&proposals, words, count);
	return strbuf_text(&proposals);
}

/* clang-format off */
static const struct {
	const char *line, *proposals;
} cases[] = {
	{"--form", "--format\n"},
	{"-V sw", "switches\n"},
	{"-b -V sw", "switches\n"},
	{"--view sw", "switches\n"},
	{"--view=sw", "--view=switches\n"},
	{"--theme hi", "high-contrast\n"},
	{"--group-by cont", "container\n"},
	{"--format=op", "--format=openmetrics\n"},
	{"-c pid,mpk", "pid,mpki\n"},
	{"-c topd", "topdown\n"},
	{"-s cpu%,-mpk", "cpu%,-mpki\n"},
	{"--sort=-mpk", "--sort=-mpki\n"},
	{"-e cycles,page-fa", "cycles,page-faults\n"},
	{"-u roo", "root\n"},
	{"chec", "check\n"},
	{"", "check\nevents\n"},
	/* what the program knows nothing of: the shell proposes files */
	{"-i on", ""},
	{"--output=on", ""},
	{"-V nonsense", ""},
	{"events chec", ""},
};
/* clang-format on */

UNIT_TEST(words_are_completed_by_the_option_before_them)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].line);
		assert_string_equal(complete(cases[i].line), cases[i].proposals);
	}
}

UNIT_TEST(every_option_is_proposed)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	complete("--");
	for (size_t i = 0; i < count; i++) {
		char line[80];

		snprintf(line, sizeof(line), "--%s\n", options[i].name);
		assert_non_null(strstr(strbuf_text(&proposals), line));
	}
}

UNIT_TEST(processes_are_those_there_are)
{
	char line[32];

	snprintf(line, sizeof(line), "-p 1,%d", getpid());
	assert_non_null(strstr(complete(line), line + 3));
}

int main(void)
{
	return unit_run(NULL, tear_down);
}
