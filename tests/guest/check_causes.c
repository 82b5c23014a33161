/*
 * What scenarios/causes.sh must have brought home: each cause is named within three intervals, and
 * nothing else is; where nothing is wrong nothing is said.
 */
#include <regex.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	WITHIN = 3, /* intervals */
	PATTERNS = 4
};

#define FORKS     "^forker starts [0-9]+ processes/s, [0-9]+ % of the machine$"
#define LOCK      "^[2-4] threads of locked contend for a lock, [0-9]+ waits/s$"
#define PING_PONG "^(ping and pong|pong and ping) wake each other [0-9]+ times/s$"
#define PREEMPTED "^victim waits [0-9.]+ % of the time for a CPU: hog$"
#define FAULTS    "^faulter has [0-9]+ page faults/s$"
#define DISK      "^syncer waits [0-9]+ % of the time for the disk(, or a lock)?$"
#define BESIDE    "^syncer waits [0-9.]+ % of the time for (the disk(, or a lock)?|a CPU: hog)$"
#define MEMORY    "^w031m48 waits for memory, 48 cache misses per 1000 instructions$"
#define SWAP      "^[0-9]+ MB/s are read back from swap: too little memory$"
#define SWAPPER                                                                                    \
	"^(swapper waits [0-9]+ % of the time for the disk(, or a lock)?|tasks of /(shop)? wait "  \
	"for memory .*)$"
#define LIMIT "^/shop is held by its CPU limit [0-9]+ % of the time$"

static const struct planted {
	const char *name;
	const char *causes[PATTERNS]; /* regular expressions, one for each, ended by NULL */
	const char *effect;           /* of these, which may be named, too; NULL: none */
} cases[] = {
	{"forks", {FORKS}, NULL},
	{"lock", {LOCK}, NULL},
	{"pingpong", {PING_PONG}, NULL},
	{"preempted", {PREEMPTED}, NULL},
	{"faults", {FAULTS}, NULL},
	{"disk", {DISK}, NULL},
	{"beside", {BESIDE}, NULL},
	{"limit", {LIMIT}, NULL},
	{"forks_faults", {FORKS, FAULTS}, NULL},
	{"pingpong_limit", {PING_PONG, LIMIT}, NULL},
	{"memory", {MEMORY}, NULL},
	{"swap", {SWAP}, SWAPPER},
};

/* The extended regular expression matches. */
static bool is_like(const char *pattern, const char *sentence)
{
	regex_t regex;
	bool matches;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	matches = regexec(&regex, sentence, 0, NULL, 0) == 0;
	regfree(&regex);
	return matches;
}

/* The number of the cause that is named; PATTERNS: none of them. */
static size_t find_cause(const char *const *causes, const char *sentence)
{
	for (size_t i = 0; i < PATTERNS && causes[i]; i++)
		if (is_like(causes[i], sentence))
			return i;
	return PATTERNS;
}

/* Takes the causes that a line names, each of which must be one of these. */
static unsigned int take_line(const struct planted *planted, const char *line)
{
	char *text = strdup(line), *rest = text;
	unsigned int named = 0;

	while (rest) {
		char *end = strstr(rest, "; ");

		if (end)
			*end = '\0';
		named |= 1u << find_cause(planted->causes, rest);
		if (find_cause(planted->causes, rest) == PATTERNS &&
		    !(planted->effect && is_like(planted->effect, rest)))
			fail_msg("what is wrong is not: %s", rest);
		rest = end ? end + 2 : NULL;
	}
	free(text);
	return named;
}

static void check_planted(const struct planted *planted)
{
	char file[64];
	unsigned int named = 0;
	json_t *intervals;

	begin_case(planted->name);
	snprintf(file, sizeof(file), "%s.out", planted->name);
	intervals = results_intervals(file);
	for (size_t i = 0; i < json_array_size(intervals); i++) {
		const char *line =
			json_string_value(json_object_get(json_array_get(intervals, i), "verdict"));

		if (line)
			named |= take_line(planted, line);
		for (size_t j = 0; i + 1 >= WITHIN && j < PATTERNS && planted->causes[j]; j++)
			if (!(named & 1u << j))
				fail_msg("not named within %d intervals: %s", WITHIN,
					 planted->causes[j]);
	}
}

UNIT_TEST(causes_are_named_within_three_intervals_and_nothing_else)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		check_planted(&cases[i]);
}

UNIT_TEST(causes_of_an_idle_machine_are_none)
{
	static const struct planted idle = {.name = "idle"};

	check_planted(&idle);
	assert_int_equal(json_array_size(results_intervals("idle.out")), 60);
}

UNIT_TEST(causes_hot_function_is_shown_after_one_key)
{
	static const char *const words[] = {"spin", "main", NULL};
	static const char *const sentence[] = {"hot spends", "main", NULL};
	char *row = results_line_with("hot.txt", words);
	char *line = results_line_with("hot.txt", sentence);

	assert_non_null(row);
	assert_non_null(line);
	free(line);
	free(row);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
