/* Stacks for flame graphs: each once, with its weight of the whole run, and no name breaks a line.
 */

#include "batch/exposition.h"
#include "model/profile.h"
#include "view/names.h"

#include "batch_kit.h"
#include "unit.h"

enum {
	MAIN = 1,
	HOT,
	NAMELESS,
	ADDRESS, /* which turns out to be HOT */
	INLINED, /* at the address 1 of HOT */
	NO_CODE, /* where a stack breaks off */
	FUNCTIONS,
	INLINED_LINE
};

static struct profile_node nodes[] = {
	{0},
	{.function = MAIN},
	{.parent = 1, .function = HOT},
	{.parent = 1, .function = NAMELESS},
	{.parent = 1, .function = ADDRESS},
	{.function = NO_CODE},
	{.parent = 5, .function = MAIN},
};
static struct profile_entry entries[8];
static struct profile profile;
static struct function_names names;
static struct totals *totals;

static struct function_name find(void *context, uint32_t number, uint64_t time_ns)
{
	static const char *const words[FUNCTIONS] = {
		[MAIN] = "main(; char)", [HOT] = "h\to t",        [NAMELESS] = "[unknown]",
		[INLINED] = "in;ner",    [NO_CODE] = "[unknown]",
	};
	const uint32_t same_as = number == ADDRESS ? HOT : number;

	if (number == INLINED_LINE)
		return (struct function_name){.same_as = number, .inlined = INLINED, .whole = HOT};
	return (struct function_name){
		.same_as = same_as,
		.whole = same_as,
		.is_inlined = number == INLINED,
		.is_no_code = number == NO_CODE,
		.mark = number == INLINED ? " (inlined)" : NULL,
		.function = words[same_as],
		.object = number == NAMELESS ? "lib.so" : "program",
	};
}

static uint32_t find_line(void *context, uint32_t number, uint64_t at, uint64_t time_ns)
{
	return number == HOT && at == 1 ? INLINED_LINE : number;
}

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	profile =
		(struct profile){.nodes = nodes, .node_count = COUNT_OF(nodes), .entries = entries};
	names = (struct function_names){.find = find, .line = find_line};
	view_table_name_functions(scene->table, &names);
	scene->world.snapshot.profile = &profile;
	totals = totals_create();
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	totals_destroy(totals);
	scene_close(*state);
	return 0;
}

static void sampled(int32_t pid, uint32_t node, uint64_t weight)
{
	entries[profile.entry_count++] = (struct profile_entry){
		.pid = pid, .tid = pid, .node = node, .samples = 1, .weight = weight};
}

static const char *fold_top(struct scene *scene, size_t top)
{
	struct batch_input input = scene_input(scene, "functions");

	input.totals = totals;
	input.top = top;
	return scene_write(scene, "folded", &input);
}

static const char *fold(struct scene *scene)
{
	return fold_top(scene, 0);
}

/* All of them are summed: of the next interval others may be the heaviest. */
UNIT_TEST_OF(folded_stacks_may_be_the_heaviest_alone, struct scene *scene)
{
	sampled(7, 2, 10);
	sampled(7, 3, 9);
	sampled(0, 0, 1);
	assert_string_equal(fold_top(scene, 1),
			    "[unknown];main(: char);h\\x09o t 10\n[left out] 10\n");
	profile.entries[1].weight = 20;
	assert_string_equal(fold_top(scene, 2), "[unknown];main(: char);[lib.so] 29\n"
						"[unknown];main(: char);h\\x09o t 20\n"
						"[left out] 2\n");
}

UNIT_TEST_OF(folded_stacks_are_summed_over_the_run, struct scene *scene)
{
	task(&scene->world, .pid = 7, .name = "a;b c");
	sampled(7, 2, 10);
	sampled(7, 4, 5);
	sampled(7, 3, 2);
	fold(scene);
	assert_string_equal(fold(scene), "a:b_c;main(: char);[lib.so] 4\n"
					 "a:b_c;main(: char);h\\x09o t 30\n");
}

UNIT_TEST_OF(folded_stacks_begin_where_they_broke_off, struct scene *scene)
{
	sampled(7, 6, 10);
	sampled(7, 5, 1);
	assert_string_equal(fold(scene), "[unknown];[program] 1\n[unknown];main(: char) 10\n");
}

UNIT_TEST_OF(folded_stacks_have_what_was_inlined, struct scene *scene)
{
	sampled(7, 2, 10);
	sampled(7, 2, 5);
	entries[1].at = 1;
	assert_string_equal(fold(scene), "[unknown];main(: char);h\\x09o t 10\n"
					 "[unknown];main(: char);h\\x09o t;in:ner (inlined) 5\n");
	totals_destroy(totals);
	totals = totals_create();
	scene->request.filter = "function = \"in;ner\"";
	assert_string_equal(fold(scene), "[unknown];main(: char);h\\x09o t;in:ner (inlined) 5\n");
}

UNIT_TEST_OF(folded_stacks_of_what_is_not_known_say_so, struct scene *scene)
{
	sampled(0, 0, 10);
	sampled(99, 1, 1);
	profile.left_out_weight = 7;
	assert_string_equal(fold(scene), "[unknown];main(: char) 1\n"
					 "idle;[unknown] 10\n"
					 "[left out] 7\n");
}

static bool is_seven(int32_t pid, const void *context)
{
	return pid == 7;
}

UNIT_TEST_OF(folded_stacks_are_those_of_the_scope_and_the_filter, struct scene *scene)
{
	sampled(7, 2, 10);
	sampled(7, 1, 5);
	sampled(8, 2, 3);
	scene->request.wants_pid = is_seven;
	scene->request.filter = "function ~ t";
	assert_string_equal(fold(scene), "[unknown];main(: char);h\\x09o t 10\n");
}

UNIT_TEST_OF(folded_stacks_are_of_the_samples_that_are_asked_for, struct scene *scene)
{
	sampled(7, 2, 10);
	entries[0].ns = 30;
	sampled(7, 2, 5);
	entries[1].kind = SAMPLE_BLOCKED;
	entries[1].ns = 5;
	assert_string_equal(fold(scene), "[unknown];main(: char);h\\x09o t 10\n");
	totals_destroy(totals);
	totals = totals_create();
	scene->request.settings.samples = SAMPLES_BOTH;
	assert_string_equal(fold(scene), "[unknown];main(: char);h\\x09o t 35\n");
}

UNIT_TEST_OF(folded_stacks_without_samples_are_nothing, struct scene *scene)
{
	assert_string_equal(fold(scene), "");
	scene->world.snapshot.profile = NULL;
	assert_string_equal(fold(scene), "");
}

UNIT_MAIN(set_up, tear_down)
