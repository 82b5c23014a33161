/*
 * A host that is made up: writes perftop's exposition of a machine whose caches miss so often, and
 * whose totals grow, until it is ended.
 *
 *	made_exposition FILE MISS_PCT COMMAND
 */

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "view/table.h"

#include "../unit/snapshot_builder.h"
#include "session/replacement.h"

enum {
	STEP_US = 250000,
	REFERENCES = 1000000
};

int main(int argc, char **argv)
{
	static struct world world;
	struct replacement file = {0};
	struct error error = {0};
	struct view_request request;
	struct strbuf text = {0};
	struct counts_spec counts = {.references = REFERENCES};
	struct batch_input input = {.request = &request, .top = 5};

	if (argc != 4 || !setlocale(LC_CTYPE, "C.UTF-8") ||
	    !replacement_init(&file, argv[1], &error))
		return 1;
	counts.misses = REFERENCES / 100 * strtoul(argv[2], NULL, 10);
	world_init(&world);
	view_request_init(&request, &view_tasks);
	for (int i = 0; i < 2; i++) {
		world.cpus[i].counter = world_vector(&world, counts);
		((uint64_t *)world.cpus[i].counter)[QUANTITY_RUN_NS] = UINT64_C(1000000000);
	}
	task(&world, .pid = 4711, .name = argv[3], .run_ms = 900, .counts = counts);
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
