/*
 * A switch in JSON is
 *
 *	{"time_ns":83202,"cpu":0,"out":{"pid":7,"tid":8,"command":"sh"},"how":"blocked",
 *	 "slice_ns":51000,"counts":{"cycles":99},"in":{"pid":0,"tid":0,"command":"idle",
 *	 "off_ns":null,"preempted":null},"wait_ns":null,"from_cpu":null}
 *
 * on one line. time_ns is the clock of the records (CLOCK_MONOTONIC), counts are raw and of the
 * slice that ends. What is not known is null: "out" and "in" as a whole for an unknown task,
 * "counts" where counters could not be read at each switch. Idle is pid 0, tid 0, "idle", and the
 * way in which it leaves is "idle". "preempted" says whether the next task had been preempted, and
 * "wait_ns" how much of off_ns it was runnable.
 *
 * There may be hundreds of thousands a second, so the lines are put together here: json.c's trees
 * would cost ten times as much.
 */

#include "batch/switches_json.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/event_sums.h"
#include "batch/put.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "view/table.h"

struct writer {
	struct strbuf *out;
	const struct layout *layout;
	struct event_sums sums;
	struct strbuf *keys; /* owned; of each sum: its name in quotes, and a colon */
};

static void put_time_or_null(const struct writer *writer, uint64_t ns)
{
	if (ns == SWITCH_NS_UNKNOWN)
		strbuf_add(writer->out, "null");
	else
		put_number(writer->out, ns);
}

static void put_id(const struct writer *writer, int32_t id)
{
	if (id < 0)
		strbuf_add(writer->out, "null");
	else
		put_number(writer->out, (uint64_t)id);
}

static void put_when(const struct writer *writer, const struct view_row *row)
{
	put_time_or_null(writer, row->entry->time_ns);
}

static void put_cpu(const struct writer *writer, const struct view_row *row)
{
	put_id(writer, row->entry->cpu);
}

/* An object that is still open. False: it is not known which task it was, and there is none. */
static bool open_actor(const struct writer *writer, const struct actor *actor)
{
	if (!actor || actor->number == ACTOR_UNKNOWN) {
		strbuf_add(writer->out, "null");
		return false;
	}
	strbuf_add(writer->out, "{\"pid\":");
	put_id(writer, actor->pid);
	strbuf_add(writer->out, ",\"tid\":");
	put_id(writer, actor->tid);
	strbuf_add(writer->out, ",\"command\":");
	put_json_text(writer->out, actor->name);
	return true;
}

static void put_out(const struct writer *writer, const struct view_row *row)
{
	if (open_actor(writer, row->prev))
		strbuf_add_char(writer->out, '}');
}

static void put_how(const struct writer *writer, const struct view_row *row)
{
	put_json_text(writer->out, switch_how_name(row->entry->how));
}

static void put_slice(const struct writer *writer, const struct view_row *row)
{
	put_time_or_null(writer, row->entry->slice_ns);
}

static void put_counts(const struct writer *writer, const struct view_row *row)
{
	char before = '{';

	if (!row->entry->has_counts) {
		strbuf_add(writer->out, "null");
		return;
	}
	for (size_t i = 0; i < writer->sums.count; i++) {
		const struct strbuf *key = &writer->keys[i];

		if (!writer->sums.sums[i].is_counted)
			continue;
		strbuf_add_char(writer->out, before);
		strbuf_add_bytes(writer->out, key->text, key->length);
		put_number(writer->out, event_sum_of(&writer->sums, i, row->interval));
		before = ',';
	}
	strbuf_add(writer->out, before == '{' ? "{}" : "}");
}

static void put_in(const struct writer *writer, const struct view_row *row)
{
	const bool is_known = row->entry->off_ns != SWITCH_NS_UNKNOWN;

	if (!open_actor(writer, row->next))
		return;
	strbuf_add(writer->out, ",\"off_ns\":");
	put_time_or_null(writer, row->entry->off_ns);
	strbuf_add(writer->out, ",\"preempted\":");
	if (is_known)
		strbuf_add(writer->out, row->entry->came_preempted ? "true}" : "false}");
	else
		strbuf_add(writer->out, "null}");
}

static void put_wait(const struct writer *writer, const struct view_row *row)
{
	put_time_or_null(writer, row->entry->wait_ns);
}

static void put_from_cpu(const struct writer *writer, const struct view_row *row)
{
	put_id(writer, row->entry->from_cpu);
}

/* clang-format off */
static const struct field {
	const char *before;
	void (*put)(const struct writer *writer, const struct view_row *row);
} fields[] = {
	{ "{\"time_ns\":",  put_when },
	{ ",\"cpu\":",      put_cpu },
	{ ",\"out\":",      put_out },
	{ ",\"how\":",      put_how },
	{ ",\"slice_ns\":", put_slice },
	{ ",\"counts\":",   put_counts },
	{ ",\"in\":",       put_in },
	{ ",\"wait_ns\":",  put_wait },
	{ ",\"from_cpu\":", put_from_cpu },
};
/* clang-format on */

static void write_line(const struct writer *writer, const struct view_row *row)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		strbuf_add(writer->out, fields[i].before);
		fields[i].put(writer, row);
	}
	strbuf_add(writer->out, "}\n");
}

static struct strbuf *make_keys(const struct event_sums *sums, const struct layout *layout)
{
	struct strbuf *keys = xcalloc(sums->count, sizeof(*keys));

	for (size_t i = 0; i < sums->count; i++) {
		put_json_text(&keys[i], layout->events[sums->sums[i].event].name);
		strbuf_add_char(&keys[i], ':');
	}
	return keys;
}

void switches_json_write(struct strbuf *out, const struct batch_input *input)
{
	struct writer writer = {.out = out, .layout = input->snapshot->layout};

	view_table_build(input->table, input->view, input->settings, input->snapshot,
			 input->session, input->metrics);
	event_sums_init(&writer.sums, writer.layout);
	writer.keys = make_keys(&writer.sums, writer.layout);
	if (input->left_out > 0)
		strbuf_printf(out, "{\"left_out\":%" PRIu64 "}\n", input->left_out);
	if (input->lost > 0)
		strbuf_printf(out, "{\"lost\":%" PRIu64 "}\n", input->lost);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		write_line(&writer, view_table_row(input->table, i));
	for (size_t i = 0; i < writer.sums.count; i++)
		strbuf_fini(&writer.keys[i]);
	free(writer.keys);
	event_sums_fini(&writer.sums);
}
