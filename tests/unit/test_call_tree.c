/* Trees of callees and callers: against known ones, over intervals, with recursion and bounds. */

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/call_tree.h"
#include "view/names.h"
#include "view/request.h"
#include "view/rows.h"
#include "view/sample_scope.h"

#include "unit.h"

enum {
	A = 1,
	B,
	C,
	PENDING, /* which turns out to be C */
	D,       /* inlined at address 1 of A, and C in it at address 2 */
	INTERRUPT,
	NO_CODE, /* where a stack breaks off */
	D_IN_A = 100,
	C_IN_D_IN_A,
	NODES_MOST = 200000,
	ENTRIES_MOST = 2000
};

static struct call_tree callees, callers;
static struct profile_node nodes[NODES_MOST];
static struct profile_entry entries[ENTRIES_MOST];
static struct profile profile;
static struct vectors vectors;
static enum calls_by by;
static struct view_request request;
static bool are_users; /* functions are of programs, and D of an interpreter */
static bool is_found;  /* what the pending one is */
static struct strbuf words;

static bool is_asked_for(int32_t pid, const void *context)
{
	return pid != 9;
}

static int set_up(void **state)
{
	profile = (struct profile){.nodes = nodes, .node_count = 1, .entries = entries};
	is_found = false;
	by = CALLS_BY_FUNCTION;
	are_users = false;
	request = (struct view_request){.uid = -1, .wants_pid = is_asked_for};
	call_tree_begin(&callees, &vectors);
	return 0;
}

static int tear_down(void **state)
{
	call_tree_fini(&callees);
	call_tree_fini(&callers);
	strbuf_fini(&words);
	return 0;
}

static uint32_t node(uint32_t parent, uint32_t function)
{
	nodes[profile.node_count] = (struct profile_node){.parent = parent, .function = function};
	return (uint32_t)profile.node_count++;
}

static void sampled(int32_t pid, uint32_t where, uint32_t samples)
{
	entries[profile.entry_count++] = (struct profile_entry){
		.pid = pid, .tid = pid, .node = where, .samples = samples, .weight = samples * 10u};
}

static struct function_name find(void *context, uint32_t number, uint64_t time_ns)
{
	if (number >= D_IN_A)
		return (struct function_name){
			.same_as = number,
			.whole = A,
			.inlined = number == D_IN_A ? D : C,
			.inlined_in = number == D_IN_A ? 0 : D_IN_A,
		};
	return (struct function_name){
		.same_as = number == PENDING && is_found ? C : number,
		.whole = number,
		.function = number == INTERRUPT ? "asm_common_interrupt" : "",
		.object = number == INTERRUPT ? "[kernel]" : "program",
		.is_no_code = number == NO_CODE,
		.is_user = are_users && number != NO_CODE && number != INTERRUPT,
		.interprets = are_users && number == D ? "its functions" : NULL,
	};
}

/* Of all but process 8. */
static bool lacks_map(void *context, int32_t pid)
{
	return pid != 8;
}

static uint32_t find_line(void *context, uint32_t number, uint64_t at, uint64_t time_ns)
{
	return number == A && at > 0 ? D_IN_A + (uint32_t)at - 1 : number;
}

static const struct function_names names = {
	.find = find, .line = find_line, .lacks_map = lacks_map};

static void add_interval(uint64_t time_ns)
{
	const struct snapshot snapshot = {.profile = &profile, .time_ns = time_ns};
	const struct sample_scope scope = {.request = &request};

	call_tree_add(&callees, &(struct call_tree_input){
					.snapshot = &snapshot,
					.names = &names,
					.by = by,
					.scope = &scope,
				});
}

/* "A 0/60, AB 50/50": self and total samples of each path, in the order of the tree. */
static void write_path(const struct call_tree *tree, uint32_t index)
{
	static const char letters[] = "?ABCPDIN";
	const struct call *call = &tree->calls[index];

	if (call->parent > 0)
		write_path(tree, call->parent);
	strbuf_add_char(&words, letters[call->function.number]);
}

static void assert_tree(const struct call_tree *tree, const char *expected)
{
	strbuf_clear(&words);
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct function *function = &tree->calls[i].function;

		strbuf_add(&words, i > 1 ? ", " : "");
		write_path(tree, i);
		strbuf_printf(&words, " %d/%d", (int)function->self_samples,
			      (int)function->total_samples);
		assert_true(function->self_weight == 10 * function->self_samples);
		assert_true(function->total_weight == 10 * function->total_samples);
		assert_true(function->all_weight == tree->calls[0].function.total_weight);
	}
	assert_string_equal(strbuf_text(&words), expected);
}

static void finish(void)
{
	call_tree_finish(&callees);
	call_tree_invert(&callers, &callees, SIZE_MAX);
}

UNIT_TEST(tree_of_nothing_is_empty)
{
	profile.node_count = 0;
	add_interval(1);
	finish();

	assert_tree(&callees, "");
	assert_tree(&callers, "");
}

UNIT_TEST(tree_has_what_each_call_took_and_what_it_called)
{
	const uint32_t a = node(0, A), ab = node(a, B), ac = node(a, C), abc = node(ab, C);

	sampled(7, a, 1);
	sampled(7, ab, 20);
	sampled(8, abc, 300);
	sampled(7, ac, 4000);
	add_interval(1);
	finish();

	assert_tree(&callees, "A 1/4321, AB 20/320, AC 4000/4000, ABC 300/300");
	assert_tree(&callers,
		    "A 1/4321, B 20/320, BA 20/320, C 4300/4300, CA 4000/4000, CB 300/300, "
		    "CBA 300/300");
}

static void sampled_in(uint32_t where, uint32_t samples, uint32_t mapping)
{
	sampled(7, where, samples);
	entries[profile.entry_count - 1].mapping = mapping;
}

static void expect_mapping(const struct call *call, uint32_t mapping, uint64_t samples)
{
	assert_int_equal(call->function.mapping, mapping);
	assert_true(call->function.mapping_weight == 10 * samples);
}

/* Of what it has by itself: in a tree by that way alone, in a list by all. */
UNIT_TEST(tree_says_where_most_data_of_a_function_was)
{
	const uint32_t a = node(0, A), ab = node(a, B), ac = node(a, C), acb = node(ac, B);

	for (int interval = 1; interval <= 2; interval++) {
		profile.entry_count = 0;
		sampled_in(ab, 6, 1);
		sampled_in(ab, 4, 2);
		sampled_in(acb, 5, 2);
		sampled_in(acb, 9, 0);
		sampled_in(ac, 1, 3);
		add_interval((uint64_t)interval);
	}
	call_tree_finish(&callees);
	call_tree_invert(&callers, &callees, 1);

	assert_tree(&callees, "A 0/50, AB 20/20, AC 2/30, ACB 28/28");
	expect_mapping(&callees.calls[1], 0, 0);
	expect_mapping(&callees.calls[2], 1, 12);
	expect_mapping(&callees.calls[3], 3, 2);
	expect_mapping(&callees.calls[4], 2, 10);
	assert_tree(&callers, "A 0/50, B 48/48, C 2/30");
	expect_mapping(&callers.calls[2], 2, 18);
}

/* What is not followed is no call, however often; what runs there is. */
UNIT_TEST(tree_begins_where_a_stack_broke_off)
{
	const uint32_t n = node(0, NO_CODE), nn = node(n, NO_CODE), nna = node(nn, A);
	const uint32_t nnab = node(nna, B), nnan = node(nna, NO_CODE), nnanc = node(nnan, C);
	const uint32_t a = node(0, A);

	for (size_t i = 0; i < 2; i++) {
		by = i == 0 ? CALLS_BY_FUNCTION : CALLS_BY_FRAME;
		tear_down(NULL);
		call_tree_begin(&callees, &vectors);
		profile.entry_count = 0;
		sampled(7, a, 1);
		sampled(7, nnab, 20);
		sampled(7, nnanc, 300);
		sampled(7, nn, 4000);
		add_interval(1);
		finish();

		assert_tree(&callees, i == 0 ? "N 4000/4000, A 1/321, AB 20/20, AC 300/300"
					     : "A 1/321, AB 20/20, AC 300/300, N 4000/4000");
		assert_int_equal(callees.broken_weight, 43200);
		assert_int_equal(callees.calls[1].function.broken_weight, 43200);
		assert_int_equal(callers.calls[1].function.broken_weight, 43200);
	}
}

/* The kernel's calls are known without frame pointers. */
UNIT_TEST(tree_knows_no_caller_of_what_is_alone)
{
	const uint32_t a = node(0, A), ab = node(a, B), a_kernel = node(a, INTERRUPT);
	const uint32_t ab_kernel = node(ab, INTERRUPT), kernel = node(0, INTERRUPT);

	are_users = true;
	sampled(7, a, 1);
	sampled(7, ab, 20);
	sampled(7, a_kernel, 300);
	sampled(7, ab_kernel, 4000);
	sampled(7, kernel, 50000);
	add_interval(1);
	finish();

	assert_int_equal(callees.broken_weight, 3010);
}

UNIT_TEST(tree_knows_what_an_interpreter_does_not_name)
{
	const uint32_t a = node(0, A), ad = node(a, D), adb = node(ad, B);

	are_users = true;
	sampled(8, adb, 1); /* it has a map */
	sampled(7, a, 1);
	add_interval(1);
	assert_null(callees.interpreted);
	sampled(7, adb, 1);
	add_interval(2);
	finish();

	assert_string_equal(callees.interpreted, "its functions");
	assert_string_equal(callers.calls[1].function.interpreted, "its functions");
}

UNIT_TEST(tree_leaves_out_what_is_not_meant)
{
	const uint32_t a = node(0, A), ab = node(a, B), c = node(0, C);

	sampled(9, ab, 5);
	sampled(7, a, 2);
	sampled(9, c, 5);
	add_interval(1);
	finish();

	assert_tree(&callees, "A 2/2");
	assert_tree(&callers, "A 2/2");
}

/* Of what calls itself the outermost call has all that the others have, once. */
UNIT_TEST(tree_of_recursion_counts_totals_once)
{
	const uint32_t a = node(0, A), ab = node(a, B), aba = node(ab, A), abab = node(aba, B);

	sampled(7, aba, 10);
	sampled(7, abab, 5);
	add_interval(1);
	finish();

	assert_tree(&callees, "A 0/15, AB 0/15, ABA 10/15, ABAB 5/5");
	assert_tree(&callers, "A 10/15, B 5/15, BA 5/15");
}

UNIT_TEST(tree_is_merged_over_intervals)
{
	const uint32_t a = node(0, A);

	sampled(7, node(a, B), 10);
	add_interval(1);
	profile.node_count = 1;
	profile.entry_count = 0;
	node(0, C);
	sampled(7, node(node(0, A), B), 5);
	add_interval(2);
	finish();

	assert_tree(&callees, "A 0/15, AB 15/15");
	assert_true(callees.calls[1].function.time_ns == 2);
}

/* Both numbers are one call when it is known that they are one function. */
UNIT_TEST(tree_joins_what_has_become_the_same_function)
{
	const uint32_t a = node(0, A);

	sampled(7, node(a, PENDING), 10);
	sampled(7, node(a, C), 5);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 0/15, AP 10/10, AC 5/5");

	is_found = true;
	call_tree_begin(&callees, &vectors);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 0/15, AC 15/15");
	assert_tree(&callers, "A 0/15, C 15/15, CA 15/15");
}

UNIT_TEST(tree_has_samples_of_which_nothing_is_known)
{
	sampled(7, 0, 3);
	sampled(7, node(0, A), 4);
	add_interval(1);
	finish();

	assert_tree(&callees, "A 4/4, ? 3/3");
}

/* What an interrupt wakes has nothing to do with the task that it came upon. */
UNIT_TEST(tree_of_wakers_begins_with_the_interrupt)
{
	const uint32_t a = node(0, A), ab = node(a, B), abi = node(ab, INTERRUPT);

	sampled(7, node(abi, C), 20);
	sampled(7, ab, 10);
	sampled(7, abi, 5);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 0/35, AB 10/35, ABI 5/25, ABIC 20/20");

	request.settings.samples = SAMPLES_WAKERS;
	for (size_t i = 0; i < profile.entry_count; i++)
		entries[i].kind = SAMPLE_WAKER;
	call_tree_begin(&callees, &vectors);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 0/10, AB 10/10, I 5/25, IC 20/20");
	assert_tree(&callers, "A 0/10, B 10/10, BA 10/10, I 5/25, C 20/20, CI 20/20");

	by = CALLS_BY_FRAME;
	call_tree_begin(&callees, &vectors);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 0/10, I 5/25, IC 20/20, AB 10/10");
}

/* Calls go on below what was inlined, and the innermost has the samples. */
UNIT_TEST(tree_of_frames_has_what_was_inlined)
{
	const uint32_t a = node(0, A), ab = node(a, B);

	nodes[a].at = 1;
	sampled(7, ab, 10);
	sampled(7, a, 20);
	entries[1].at = 2;
	sampled(7, a, 30);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 50/60, AB 10/10");

	by = CALLS_BY_FRAME;
	call_tree_begin(&callees, &vectors);
	add_interval(1);
	finish();
	assert_tree(&callees, "A 30/60, AD 0/30, ADB 10/10, ADC 20/20");
	assert_tree(&callers, "A 30/60, D 0/30, DA 0/30, B 10/10, BD 10/10, BDA 10/10, "
			      "C 20/20, CD 20/20, CDA 20/20");
	for (size_t i = 1; i < callees.count; i++)
		assert_int_equal(callees.calls[i].function.whole,
				 callees.calls[i].function.number == B ? B : A);
}

UNIT_TEST(ids_are_those_of_the_path)
{
	const uint32_t a = node(0, A), ab = node(a, B);
	uint64_t id;

	sampled(7, ab, 10);
	add_interval(1);
	id = callees.calls[2].id;
	call_tree_begin(&callees, &vectors);
	profile.node_count = 1;
	profile.entry_count = 0;
	sampled(7, node(0, C), 1);
	sampled(7, node(0, B), 1);
	sampled(7, node(node(0, A), B), 1);
	add_interval(1);

	assert_true(callees.calls[4].id == id);
	assert_true(callees.calls[2].id != id);
}

/* More calls than there is room for are in the totals of those that are above them. */
UNIT_TEST(tree_is_bounded_and_loses_no_weight)
{
	const uint32_t a = node(0, A);
	uint64_t self = 0;

	while (profile.node_count < NODES_MOST)
		node(profile.node_count % 100 == 0 ? a : (uint32_t)profile.node_count - 1,
		     (uint32_t)profile.node_count);
	for (uint32_t i = 1; i <= ENTRIES_MOST; i++)
		sampled(7, i * (NODES_MOST / ENTRIES_MOST) - 1, 1);
	add_interval(1);
	finish();

	for (size_t i = 0; i < callees.count; i++)
		self += callees.calls[i].function.self_weight;
	assert_int_equal(callees.count, CALL_TREE_MOST + 1);
	assert_int_equal(callers.count, CALL_TREE_MOST + 1);
	assert_true(callees.left_out_weight > 0);
	assert_true(callees.calls[1].function.left_out_weight == callees.left_out_weight);
	assert_true(callers.calls[1].function.left_out_weight >= callees.left_out_weight);
	assert_true(self + callees.left_out_weight == 10 * ENTRIES_MOST);
	assert_true(callees.calls[1].function.total_weight == 10 * ENTRIES_MOST);
	assert_true(callers.calls[1].function.total_weight == 10 * ENTRIES_MOST);
}

UNIT_MAIN(set_up, tear_down)
