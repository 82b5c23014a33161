/* The table of built-in metrics, and what becomes of the definitions that users write. */
#include <math.h>

#include "model/layout.h"
#include "model/metric_set.h"

#include "unit.h"

/* Events as perf(1) and the kernel spell them, without their modifiers. */
static const char known_events[] =
	" cycles instructions cache-references cache-misses branches branch-misses ref-cycles "
	"stalled-cycles-frontend stalled-cycles-backend L1-dcache-loads L1-dcache-load-misses "
	"L1-icache-loads L1-icache-load-misses LLC-loads LLC-load-misses dTLB-loads "
	"dTLB-load-misses iTLB-loads iTLB-load-misses node-loads node-load-misses page-faults "
	"minor-faults major-faults alignment-faults emulation-faults slots-all slots-retiring "
	"slots-bad-spec slots-fe-bound slots-be-bound slots-mem-bound ";

static struct metric_set *set;

static int set_up(void **state)
{
	set = metric_set_create();
	return 0;
}

static int tear_down(void **state)
{
	metric_set_destroy(set);
	return 0;
}

static const struct metric_info *add(const char *definition)
{
	const struct metric_info *info = NULL;
	char message[FORMULA_ERROR_MAX] = "";
	size_t position;

	if (!metric_set_add(set, definition, &info, &position, message))
		fail_msg("%s: at %zu: %s", definition, position, message);
	return info;
}

static void check_refused(const char *definition, size_t expected, const char *words)
{
	const size_t count = metric_set_count(set);
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = 9999;

	assert_false(metric_set_add(set, definition, NULL, &position, message));
	if (!strstr(message, words))
		fail_msg("%s: %s", definition, message);
	assert_int_equal(position, expected);
	assert_int_equal(metric_set_count(set), count);
}

static void join(const char *event, void *context)
{
	char *text = context;

	strcat(text, event);
	strcat(text, ",");
}

static void check_events(const char *name, const char *expected)
{
	char text[1024] = "";

	metric_set_events(set, (size_t)metric_set_find(set, name), join, text);
	assert_string_equal(text, expected);
}

static bool is_known(const char *event)
{
	const size_t length = strcspn(event, ":");
	char word[128];

	if (event[length] && strcmp(event + length, ":u") != 0 && strcmp(event + length, ":k") != 0)
		return false;
	snprintf(word, sizeof(word), " %.*s ", (int)length, event);
	return strstr(known_events, word);
}

static void check_known(const char *event, void *context)
{
	const struct metric_info *info = context;

	if (!is_known(event))
		fail_msg("%s: there is no event %s", info->name, event);
}

UNIT_TEST(metric_table_needs_only_events_that_exist)
{
	for (size_t i = 0; i < metric_set_count(set); i++)
		metric_set_events(set, i, check_known, (void *)metric_set_info(set, i));
}

UNIT_TEST(metric_table_is_complete_and_described)
{
	size_t count;
	const struct metric_info *table = metric_table(&count);

	assert_int_equal(metric_set_count(set), count);
	for (size_t i = 0; i < count; i++) {
		const struct metric_info *info = &table[i];

		assert_int_equal(metric_set_find(set, info->name), (int)i);
		assert_string_equal(metric_set_info(set, i)->formula, info->formula);
		assert_true(strlen(info->help) > 0 && info->help[strlen(info->help) - 1] == '.');
		assert_true(info->unit && info->good && !info->is_users);
		assert_true(strlen(info->good) > 0 || info->direction == METRIC_NEUTRAL);
		assert_true(strlen(info->title) > 0 && info->width >= (int)strlen(info->title));
		for (size_t k = 1; k < METRIC_STEPS - 1; k++)
			assert_true(info->steps[k] > info->steps[k - 1]);
	}
	assert_int_equal(metric_set_find(set, "no such metric"), -1);
}

UNIT_TEST(metric_table_keeps_the_names_that_scripts_know)
{
	static const char *const names[] = {
		"cpu_pct",      "ipc",         "ghz",        "miss_pct",
		"mpki",         "branch_mpki", "switches_s", "preemptions_s",
		"migrations_s", "faults_s",    "slice_us",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(metric_set_find(set, names[i]), (int)i);
}

UNIT_TEST(add_of_a_whole_definition_has_all_its_parts)
{
	const struct metric_info *info =
		add("\tmy-cost.2 = 10 * a / b ; unit mJ ;width 12; help What it costs, in all."
		    ";good low 1 2.5 3 4 ");

	assert_string_equal(info->name, "my-cost.2");
	assert_string_equal(info->title, "MY-COST.2");
	assert_string_equal(info->formula, "10 * a / b");
	assert_string_equal(info->unit, "mJ");
	assert_int_equal(info->width, 12);
	assert_string_equal(info->help, "What it costs, in all.");
	assert_int_equal(info->direction, METRIC_LOW_IS_GOOD);
	assert_true(info->steps[0] == 1 && info->steps[1] == 2.5 && info->steps[3] == 4);
	assert_true(info->is_users);
	assert_int_equal(metric_set_find(set, "my-cost.2"), (int)metric_set_count(set) - 1);
	check_events("my-cost.2", "a,b,");
}

UNIT_TEST(add_of_a_known_name_replaces_the_users_earlier_metric)
{
	const struct metric_info *before = add("x = 1 / a; help Before.");
	const size_t count = metric_set_count(set);

	const struct metric_info *after = add("x = 2 / b");

	assert_int_equal(metric_set_count(set), count);
	assert_ptr_equal(metric_set_info(set, count - 1), after);
	check_events("x", "b,");
	assert_string_equal(before->help, "Before."); /* whoever had it still has it */
}

UNIT_TEST(add_of_a_formula_alone_has_nothing_else)
{
	const struct metric_info *info = add("x=1;");

	assert_string_equal(info->formula, "1");
	assert_string_equal(info->unit, "");
	assert_string_equal(info->help, "");
	assert_string_equal(info->good, "");
	assert_int_equal(info->width, 0);
	assert_int_equal(info->direction, METRIC_NEUTRAL);

	/* a semicolon in quotes is of the formula */
	info = add("x = \"a;b\" / 2; unit s");
	assert_string_equal(info->formula, "\"a;b\" / 2");
	assert_string_equal(info->unit, "s");
	check_events("x", "a;b,");
}

UNIT_TEST(add_refuses_what_is_malformed_or_taken_and_says_where)
{
	static const struct {
		const char *definition;
		size_t position;
		const char *words;
	} cases[] = {
		{"ipc = 1", 0, "built-in metric"},
		{" run_ns = 1", 1, "quantity"},
		{"interval_s = 1", 0, "quantity"},
		{"interval_ns = 1", 0, "quantity"},
		{"cycles = 1", 0, "metric ipc needs"},
		{"tlb-walks = 1", 0, "metric dtlb_miss_pct needs"}, /* on other machines */
		{"", 0, "expected a name"},
		{"  Ab = 1", 2, "expected a name"},
		{"1a = 1", 0, "expected a name"},
		{"= 1", 0, "expected a name"},
		{"aB = 1", 1, "expected '='"},
		{"a", 1, "expected '='"},
		{"a = ", 3, "a number, a name"},
		{"a =  (b + c", 11, "')'"},
		{"a = b $", 6, "operator"},
		{"a = b + ; unit s", 7, "a number, a name"},
		{"a = \"b; unit s", 4, "closing double quote"},
		{"a = sqrt(b)", 4, "function"},
		{"a == b", 3, "a number, a name"},
		{"a = 1; wide 3", 7, "expected unit"},
		{"a = 1; units s", 7, "expected unit"},
		{"a = 1; unit", 7, "expected unit"},
		{"a = 1; help ;", 7, "expected unit"},
		{"a = 1; width x", 7, "whole number"},
		{"a = 1; width 0", 7, "whole number"},
		{"a = 1; width 81", 7, "whole number"},
		{"a = 1; width 8 9", 7, "whole number"},
		{"a = 1; good so", 7, "high or good low, and for a scale 4 ascending"},
		{"a = 1; good high 1 2", 7, "high or good low, and for a scale 4 ascending"},
		{"a = 1; good high 1 2 3 x", 7, "high or good low, and for a scale 4 ascending"},
		{"a = 1; good high 1 2 3 4 5", 7, "high or good low, and for a scale 4 ascending"},
		{"a = 1; good high 1 2 2 4", 7, "high or good low, and for a scale 4 ascending"},
		{"a = 1; unit \x1b[31m", 12, "control character"},
		{"a = 1\n", 5, "control character"},
	};
	char text[80] = "";

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		check_refused(cases[i].definition, cases[i].position, cases[i].words);
	memset(text, 'a', METRIC_NAME_MAX);
	strcat(text, "=1");
	check_refused(text, 0, "47 characters");
	add(text + 1);
}

UNIT_TEST(add_refuses_cycles_and_says_through_what)
{
	check_refused("a = 1 + a", 8, "a would need itself, through a");
	add("a = b / 2");
	check_refused("b = 3 * a", 8, "b would need itself, through a");
	add("c = a + 1");
	check_refused("b = x + c", 8, "b would need itself, through c");
	add("b = x");
	check_refused("a = c", 4, "a would need itself, through c");
	check_events("c", "x,");
}

UNIT_TEST(add_refuses_too_many_names)
{
	char text[1024] = "m = 0";

	for (int i = 0; i < METRIC_NAMES_MAX; i++)
		snprintf(text + strlen(text), 16, "+e%d", i);
	add(text);
	const size_t position = strlen(text) + 1;
	strcat(text, "+last");
	check_refused(text, position, "32 names");
}

/* Each of these needs the one before twice over, by way of two others. */
UNIT_TEST(add_refuses_needs_that_multiply)
{
	char text[64], message[FORMULA_ERROR_MAX];
	size_t position, level = 0;

	add("m0 = x");
	do {
		snprintf(text, sizeof(text), "l%zu = m%zu", level + 1, level);
		add(text);
		snprintf(text, sizeof(text), "r%zu = m%zu", level + 1, level);
		add(text);
		snprintf(text, sizeof(text), "m%zu = l%zu + r%zu", level + 1, level + 1, level + 1);
		level++;
	} while (level < 20 && metric_set_add(set, text, NULL, &position, message));

	assert_int_equal(level, 4);
	assert_int_equal(position, 5);
	assert_non_null(strstr(message, "m4 would need more than 64 names"));
	check_events("l4", "x,");
}

/* Growing what many metrics name makes these too big, not the one that is added. */
UNIT_TEST(add_refuses_what_makes_others_too_big)
{
	char text[1024] = "big = 0";

	for (int i = 0; i < 10; i++) {
		char small[32];

		snprintf(small, sizeof(small), "n%d = core", i);
		add(small);
		snprintf(text + strlen(text), 16, "+n%d", i);
	}
	add(text);
	check_refused("core = a+b+c+d+e+f+g+h+i+j+k+l", 7, "big would need");
	add("core = a + b");
	check_events("big", "a,b,");
}

UNIT_TEST(events_are_found_through_named_metrics_once_each)
{
	add("x = ipc * run_ns / interval_s + \"e f\"");
	add("y = x / ipc + cycles + last");

	check_events("y", "instructions,cycles,e f,last,");
	check_events("cpu_pct", "");
}

UNIT_TEST(take_back_undoes_the_last_add)
{
	const size_t count = metric_set_count(set);

	add("x = a");
	add("y = b");
	metric_set_take_back(set, count + 1);
	assert_int_equal(metric_set_find(set, "y"), -1);
	assert_true(metric_set_has_refused(set, "y"));
	assert_int_equal(metric_set_find(set, "x"), (int)count);
	/* of a replacement: what was before is there again */
	add("x = b");
	metric_set_take_back(set, count);
	check_events("x", "a,");
	assert_false(metric_set_has_refused(set, "x"));
}

UNIT_TEST(position_is_where_the_name_stands_in_the_definition)
{
	add(" x =  1 + nothing / \"a b\"");
	const size_t index = (size_t)metric_set_find(set, "x");

	assert_int_equal(metric_set_position(set, index, "nothing"), 10);
	assert_int_equal(metric_set_position(set, index, "a b"), 21);
	assert_int_equal(metric_set_position(set, index, "other"), 0);
}

UNIT_TEST(resolve_knows_quantities_before_metrics_before_events)
{
	assert_int_equal(metric_set_resolve(set, "switches").kind, METRIC_NAME_QUANTITY);
	assert_int_equal(metric_set_resolve(set, "switches").index, QUANTITY_SWITCHES);
	assert_int_equal(metric_set_resolve(set, "interval_s").kind, METRIC_NAME_INTERVAL_S);
	assert_int_equal(metric_set_resolve(set, "interval_ns").kind, METRIC_NAME_INTERVAL_NS);
	assert_int_equal(metric_set_resolve(set, "ipc").kind, METRIC_NAME_METRIC);
	assert_int_equal(metric_set_resolve(set, "ipc").index, metric_set_find(set, "ipc"));
	assert_int_equal(metric_set_resolve(set, "cycles").kind, METRIC_NAME_EVENT);
}

UNIT_TEST_WITH(goodness_follows_the_metrics_direction, NULL, NULL)
{
	static const struct metric_info high = {.direction = METRIC_HIGH_IS_GOOD,
						.steps = {1, 2, 3, 4}};
	static const struct metric_info low = {.direction = METRIC_LOW_IS_GOOD,
					       .steps = {1, 2, 3, 4}};
	static const struct metric_info neutral = {.direction = METRIC_NEUTRAL,
						   .steps = {1, 2, 3, 4}};
	static const struct metric_info no_scale = {.direction = METRIC_HIGH_IS_GOOD};
	static const struct {
		const struct metric_info *info;
		double value;
		const char *shown; /* NULL: not asked for */
		int goodness;
	} cases[] = {
		{&high, 0.5, NULL, 0},
		{&high, 2, NULL, 2},
		{&high, 9, NULL, 4},
		{&low, 0.5, NULL, 4},
		{&low, 9, NULL, 0},
		{&neutral, 2, NULL, -1},
		{&no_scale, 2, NULL, -1},
		{&high, NAN, NULL, -1},
		/* of the digits that are shown */
		{&high, 1.996, "2.00", 2},
		{&high, 1.96, "2.0 %", 2},
		{&high, 1.6, "2%", 2},
		{&high, 1500, "1.50k", 4},
		{&high, 2.5, "-", 2},
		{&high, NAN, "-", -1},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(cases[i].shown
					 ? metric_goodness_shown(cases[i].info, cases[i].value,
								 cases[i].shown)
					 : metric_goodness(cases[i].info, cases[i].value),
				 cases[i].goodness);
}

/* A machine in words: the presets that it has, and what its generic cache events count. */
struct words {
	const char *presets;
	enum cache_level generic;
};

static enum metric_event look(const char *event, void *context)
{
	const struct words *words = context;
	char word[64];

	snprintf(word, sizeof(word), " %s ", event);
	return strstr(words->presets, word) || strstr(known_events, word) ? METRIC_EVENT_COUNTED
									  : METRIC_EVENT_ABSENT;
}

static enum cache_level level(const char *event, void *context)
{
	const struct words *words = context;

	if (strncmp(event, "cache-llc-", 10) == 0)
		return CACHE_LEVEL_LLC;
	if (strncmp(event, "cache-l2-", 9) == 0)
		return CACHE_LEVEL_L2;
	if (strncmp(event, "mem-", 4) == 0)
		return CACHE_LEVEL_MEMORY;
	return strncmp(event, "cache-", 6) == 0 ? words->generic : CACHE_LEVEL_UNKNOWN;
}

UNIT_TEST(metric_set_fit_takes_what_is_nearest_to_memory)
{
	static const struct {
		struct words words;
		const char *metric, *formula;
		enum cache_level level;
	} cases[] = {
		/* nothing is known: as the table has it */
		{{"", CACHE_LEVEL_UNKNOWN},
		 "miss_pct",
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_UNKNOWN},
		{{"", CACHE_LEVEL_L2}, "mpki", "1k * cache-misses / instructions", CACHE_LEVEL_L2},
		{{" cache-llc-misses cache-llc-references cache-l2-misses cache-l2-references ",
		  CACHE_LEVEL_L2},
		 "miss_pct",
		 "100 * cache-llc-misses / cache-llc-references",
		 CACHE_LEVEL_LLC},
		{{" cache-l2-misses cache-l2-references ", CACHE_LEVEL_L1D},
		 "miss_pct",
		 "100 * cache-l2-misses / cache-l2-references",
		 CACHE_LEVEL_L2},
		/* one of two is not enough */
		{{" cache-llc-misses ", CACHE_LEVEL_L1D},
		 "miss_pct",
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_L1D},
		/* the generic events are that already, and keep their names */
		{{" cache-llc-misses cache-llc-references ", CACHE_LEVEL_LLC},
		 "miss_pct",
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_LLC},
		{{" cache-llc-misses mem-fills ", CACHE_LEVEL_LLC},
		 "llc_mb_s",
		 "64 * mem-fills / interval_s / 1M",
		 CACHE_LEVEL_MEMORY},
		{{" cache-llc-misses ", CACHE_LEVEL_LLC},
		 "llc_mb_s",
		 "64 * cache-misses / interval_s / 1M",
		 CACHE_LEVEL_LLC},
		{{"", CACHE_LEVEL_LLC}, "ipc", "instructions / cycles", CACHE_LEVEL_UNKNOWN},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct metric_machine machine = {look, level, (void *)&cases[i].words};
		const size_t index = (size_t)metric_set_find(set, cases[i].metric);
		const struct metric_info *info = metric_set_info(set, index);

		begin_case(cases[i].words.presets);
		metric_set_fit(set, &machine);
		assert_string_equal(info->formula, cases[i].formula);
		assert_int_equal(info->level, cases[i].level);
		assert_ptr_equal(info, metric_set_info(set, index));
	}
}

UNIT_TEST(metric_set_fit_knows_the_metrics_of_its_choices)
{
	struct words all = {
		" cache-llc-misses cache-llc-references mem-fills mem-fills-far tlb-walks ",
		CACHE_LEVEL_UNKNOWN};
	const struct metric_machine machine = {look, level, &all};
	size_t count;
	const struct metric_choice *choices = metric_choices(&count);

	metric_set_fit(set, &machine);
	for (size_t i = 0; i < count; i++) {
		begin_case(choices[i].formula);
		assert_true(metric_set_find(set, choices[i].metric) >= 0);
	}
	/* what was replaced is what the formula needs */
	char needs[256] = "";

	metric_set_events(set, (size_t)metric_set_find(set, "miss_pct"), join, needs);
	assert_non_null(strstr(needs, "cache-llc-references"));
	assert_null(strstr(needs, "cache-references"));
}

UNIT_MAIN(set_up, tear_down)
