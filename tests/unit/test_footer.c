/* The line under the switch log. */

#include <locale.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "model/session.h"
#include "view/footer.h"
#include "view/table.h"

#include "switch_builder.h"
#include "unit.h"

enum {
	US = 1000,
	MS = 1000000
};

struct scene {
	struct told_switches told;
	struct view_request request;
	struct strbuf line;
	uint64_t sh, nginx, worker; /* actors */
	const struct snapshot *snapshot;
};

static int set_up(void **state)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	scene = (struct scene){0};
	view_request_init(&scene.request, NULL);
	told_init(&scene.told, HISTORY_BLOCK);
	scene.sh = told_actor(&scene.told, 7, 7, "sh");
	scene.nginx = told_actor(&scene.told, 4711, 4711, "nginx");
	scene.worker = told_actor(&scene.told, 88, 88, "kworker/2:1");
	scene.request.history = scene.told.history;
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	strbuf_fini(&scene->line);
	told_fini(&scene->told);
	return 0;
}

static void returned(struct scene *scene, uint64_t victim, uint64_t taker, uint64_t off_ns,
		     uint64_t at_ns)
{
	switched(&scene->told, .time_ns = at_ns, .prev = taker, .slice_ns = off_ns, .next = victim,
		 .queued_by = taker, .off_ns = off_ns, .next_was_preempted = true, .from_cpu = -1);
}

static void assert_line(struct scene *scene, int width, bool ascii, const char *expected)
{
	const struct footer_input input = {
		.request = &scene->request,
		.snapshot = scene->snapshot,
		.width = width,
	};

	scene->request.ascii = ascii;
	strbuf_clear(&scene->line);
	switches_footer_write(&scene->line, &input);
	assert_string_equal(strbuf_text(&scene->line), expected);
	assert_true(text_width(strbuf_text(&scene->line)) <= (size_t)width);
}

/* nginx loses most, 6.2 ms in two seconds. */
static void add_switches(struct scene *scene)
{
	switched(&scene->told, .time_ns = 100 * MS, .prev = scene->sh, .slice_ns = 1500,
		 .next = scene->nginx, .from_cpu = -1);
	returned(scene, scene->sh, scene->nginx, 5 * MS, 600 * MS);
	returned(scene, scene->nginx, scene->worker, 3100 * US, 1100 * MS);
	returned(scene, scene->nginx, scene->worker, 3100 * US, 2100 * MS);
}

UNIT_TEST_OF(footer_without_history_is_empty, struct scene *scene)
{
	scene->request.history = NULL;
	assert_line(scene, 80, false, "");
}

UNIT_TEST(footer_of_an_empty_history_says_so)
{
	assert_line(*state, 60, false,
		    "no task was preempted                              slices  -");
}

UNIT_TEST_OF(footer_names_the_pair_that_loses_most_and_draws_slices, struct scene *scene)
{
	add_switches(scene);
	assert_line(scene, 110, false,
		    "kworker/2:1 88 took the CPU from nginx 4711 2×, 3.10ms/s"
		    "                   slices  1.02us ▅          █▅ 8.39ms");
}

UNIT_TEST_OF(footer_in_ascii_has_signs, struct scene *scene)
{
	add_switches(scene);
	assert_line(scene, 110, true,
		    "kworker/2:1 88 took the CPU from nginx 4711 2x, 3.10ms/s"
		    "                   slices  1.02us +          #+ 8.39ms");
}

UNIT_TEST_OF(footer_without_room_leaves_out_the_slices, struct scene *scene)
{
	add_switches(scene);
	assert_line(scene, 80, false, "kworker/2:1 88 took the CPU from nginx 4711 2×, 3.10ms/s");
	assert_line(scene, 56, false, "kworker/2:1 88 took the CPU from nginx 4711 2×, 3.10ms/s");
	assert_line(scene, 55, false, "kworker/2:1 88 took the CPU from nginx 4711, 3.10ms/s");
	assert_line(scene, 50, false, "nginx 4711 ← kworker/2:1 88, 3.10ms/s");
	assert_line(scene, 36, false, "");
	assert_line(scene, 0, false, "");
}

/* What a limit may have held back is no interference. */
UNIT_TEST_OF(footer_names_no_pair_under_a_limit, struct scene *scene)
{
	const struct snapshot_cgroup cgroup = {.path = "/a", .limited_ns = 2000 * MS};
	struct snapshot_task nginx = {.id = 4711, .cgroup = "/a"};
	const struct snapshot snapshot = {
		.tasks = &nginx, .task_count = 1, .cgroups = &cgroup, .cgroup_count = 1};

	scene->snapshot = &snapshot;
	add_switches(scene);
	assert_line(scene, 46, true, "nginx 4711 took the CPU from sh 7 1x, 2.50ms/s");
}

static bool wants_7(int32_t pid, const void *context)
{
	return pid == 7;
}

UNIT_TEST_OF(footer_is_of_those_who_are_asked_for, struct scene *scene)
{
	scene->request.wants_pid = wants_7;
	add_switches(scene);
	assert_line(scene, 110, true,
		    "nginx 4711 took the CPU from sh 7 1x, 2.50ms/s"
		    "                                         slices  1.02us # 2.05us");
}

UNIT_TEST(footer_of_a_part_of_the_cpus_does_not_say_that_none_waited)
{
	struct scene *scene = *state;
	const struct session session = {.is_partial = true};
	const struct footer_input input = {
		.request = &scene->request, .session = &session, .width = 60};

	switches_footer_write(&scene->line, &input);
	assert_null(strstr(strbuf_text(&scene->line), "preempted"));
}

UNIT_TEST_OF(footer_names_are_harmless, struct scene *scene)
{
	const uint64_t bad = told_actor(&scene->told, 66, 66, "\x1b]0;x\a\n");

	returned(scene, bad, ACTOR_UNKNOWN, 5 * MS, 1000 * MS);
	assert_line(scene, 70, true,
		    "an unknown task took the CPU from \\x1B]0;x\\x07\\x0A 66 1x, 5.00ms");
}

UNIT_TEST(footer_keeps_a_gap_between_the_two)
{
	assert_line(*state, 33, true, "no task was preempted   slices  -");
	assert_line(*state, 32, true, "no task was preempted  slices  -");
	assert_line(*state, 31, true, "no task was preempted");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
