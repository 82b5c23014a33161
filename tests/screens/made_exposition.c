/*
 * A host that is made up: writes perftop's exposition of a machine whose caches miss so often, and
 * whose totals grow, until it is ended.
 *
 *	made_exposition FILE MISS_PCT COMMAND [CGROUP]
 *
 * With a cgroup what is listed is that, with the columns of src/package/fleet. A fifth of the time
 * its CPU limit holds it back, and it waits for a CPU as long as it runs.
 */

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "view/groups.h"
#include "view/table.h"

#include "../unit/snapshot_builder.h"
#include "session/replacement.h"

enum {
	STEP_US = 250000,
	REFERENCES = 1000000
};

static void add_cgroup(struct world *world, struct view_request *request, const char *path)
{
	static struct snapshot_cgroup cgroup = {
		.span_ns = UINT64_C(1000000000),
		.known = STALL_ALL,
		.interval = {[STALL_THROTTLED] = 200000, [STALL_CPU_SOME] = 300000},
	};

	cgroup.path = path;
	world->tasks[0].cgroup = path;
	world->snapshot.cgroups = &cgroup;
	world->snapshot.cgroup_count = 1;
	world->snapshot.own = (struct own_usage){
		.cpu_ns = 1000000, .rss_bytes = 10000000, .switch_ns = 500, .readings_ns = 1000000};
	while (strcmp(grouping_get(request->settings.group_by)->name, "cgroup") != 0)
		request->settings.group_by++;
	world_choose(world, "ipc,miss%,mpki,br-mpki,rqwait%,throttled%,psi-cpu,psi-mem,psi-io",
		     &request->state.columns);
}

int main(int argc, char **argv)
{
	static struct world world;
	struct replacement file = {0};
	struct error error = {0};
	struct view_request request;
	struct strbuf text = {0};
	struct counts_spec counts = {.references = REFERENCES,
				     .cycles = UINT64_C(1000000000),
				     .instructions = 10 * REFERENCES,
				     .branch_misses = REFERENCES,
				     .queued_ms = 900};
	struct batch_input input = {.request = &request, .top = 5};

	if (argc < 4 || argc > 5 || !setlocale(LC_CTYPE, "C.UTF-8") ||
	    !replacement_init(&file, argv[1], &error))
		return 1;
	counts.misses = REFERENCES / 100 * strtoul(argv[2], NULL, 10);
	world_init(&world);
	view_request_init(&request, argc == 5 ? &view_groups : &view_tasks);
	for (int i = 0; i < 2; i++) {
		world.cpus[i].counter = world_vector(&world, counts);
		((uint64_t *)world.cpus[i].counter)[QUANTITY_RUN_NS] = UINT64_C(1000000000);
	}
	task(&world, .pid = 4711, .name = argv[3], .run_ms = 900, .counts = counts);
	if (argc == 5)
		add_cgroup(&world, &request, argv[4]);
	input.snapshot = &world.snapshot;
	input.session = &world.session;
	input.metrics = world.metrics;
	input.table = view_table_create(world.columns);
	input.totals = totals_create();
	while (replacement_write(&file, strbuf_text(&text), text.length, &error)) {
		strbuf_clear(&text);
		batch_find("openmetrics")->write(&text, &input);
		usleep(STEP_US);
	}
	return 1;
}
