/* What shells get that a word can become; words of each option: tests/screens/shells.sh. */

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

/* Then the shell proposes files. */
UNIT_TEST(what_is_unknown_here_is_no_proposal)
{
	static const char *const lines[] = {"-i on", "--output=on", "-V nonsense", "events chec"};

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_string_equal(complete(lines[i]), "");
	assert_string_equal(complete(""), "check\nevents\n");
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

UNIT_TEST(columns_are_proposed_in_expressions)
{
	assert_string_equal(complete("-f br-m"), "br-mpki\n");
	assert_string_equal(complete("--fail-if=ipc<0.5&&br-m"), "--fail-if=ipc<0.5&&br-mpki\n");
	assert_string_equal(complete("--trigger !(tas"), "!(task\n!(tasks\n");
	assert_string_equal(complete("-f nonsens"), "");
	assert_string_equal(complete("-f \"ipc<0.5&&br-m"), "\"ipc<0.5&&br-mpki\n");
	assert_string_equal(complete("-f command=br-m"), "");
}

UNIT_TEST(events_are_proposed_for_samples)
{
	assert_string_equal(complete("--by page-f"), "page-faults\n");
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
