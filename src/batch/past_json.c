/*
 * Pairs in JSON are
 *
 *	{"time":1.5,"interval_s":1,"pairs":[{"victim":{"pid":7,"tid":8,"command":"sh"},
 *	 "taker":{"pid":20,"tid":20,"command":"nginx"},"cpu":null,"times":3,"lost_ns":51000,
 *	 "worst_ns":40000}]}
 *
 * and the histogram is
 *
 *	{"time":1.5,"interval_s":1,"lengths":[{"from_ns":0,"below_ns":128,"slices":2,
 *	 "preempted_waits":0,"queue_waits":null}]}
 *
 * on one line. Pairs stand in the order of the table. Of those listed by name pid and
 * tid are null; of an unknown one, and of the pairs that are no longer listed, so is
 * "command". "cpu" is null unless pairs are listed by CPU, "below_ns" of the last length, which
 * has no end, and "queue_waits" where wake-ups are not recorded, so that some waits are not known.
 */

#include "batch/past_json.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/put.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/table.h"

struct writer {
	struct strbuf *out;
	const struct batch_input *input;
};

static void put_member(const struct writer *writer, const char *key, uint64_t number)
{
	strbuf_add(writer->out, key);
	put_number(writer->out, number);
}

static void put_member_or_null(const struct writer *writer, const char *key, bool is_known,
			       uint64_t number)
{
	if (is_known)
		put_member(writer, key, number);
	else
		strbuf_printf(writer->out, "%snull", key);
}

static void put_party(const struct writer *writer, const struct pair *pair, uint64_t number)
{
	const struct view_settings *settings = writer->input->settings;
	const struct actor *actor =
		pair->is_others ? NULL : history_find_actor(settings->history, number);
	const bool is_known = actor && actor->number != ACTOR_UNKNOWN;
	const bool has_ids = is_known && settings->by != BY_NAME;

	put_member_or_null(writer, "{\"pid\":", has_ids && actor->pid >= 0,
			   has_ids ? (uint64_t)actor->pid : 0);
	put_member_or_null(writer, ",\"tid\":", has_ids && actor->tid >= 0,
			   has_ids ? (uint64_t)actor->tid : 0);
	strbuf_add(writer->out, ",\"command\":");
	if (is_known && actor->name[0] != '\0')
		put_json_text(writer->out, actor->name);
	else
		strbuf_add(writer->out, "null");
	strbuf_add_char(writer->out, '}');
}

static void put_pair(const struct writer *writer, const struct view_row *row)
{
	const struct pair *pair = row->pair;

	strbuf_add(writer->out, "{\"victim\":");
	put_party(writer, pair, pair->victim);
	strbuf_add(writer->out, ",\"taker\":");
	put_party(writer, pair, pair->taker);
	put_member_or_null(writer, ",\"cpu\":", pair->cpu >= 0, (uint64_t)pair->cpu);
	put_member(writer, ",\"times\":", pair->times);
	put_member(writer, ",\"lost_ns\":", pair->lost_ns);
	put_member(writer, ",\"worst_ns\":", pair->worst_ns);
	strbuf_add_char(writer->out, '}');
}

static void put_length(const struct writer *writer, const struct view_row *row)
{
	const struct length *length = row->length;

	put_member(writer, "{\"from_ns\":", length->begin_ns);
	put_member_or_null(writer, ",\"below_ns\":", length->end_ns != UINT64_MAX, length->end_ns);
	put_member(writer, ",\"slices\":", length->count[LENGTH_SLICES]);
	put_member(writer, ",\"preempted_waits\":", length->count[LENGTH_PREEMPTED]);
	put_member_or_null(writer, ",\"queue_waits\":", !(row->unknown & 1u << QUANTITY_QUEUED_NS),
			   length->count[LENGTH_QUEUED]);
	strbuf_add_char(writer->out, '}');
}

static void put_row(const struct writer *writer, const struct view_row *row)
{
	if (row->pair)
		put_pair(writer, row);
	else
		put_length(writer, row);
}

/* As an interval's: of a recording that was made without a wall clock there is only its own. */
static void put_times(struct strbuf *out, const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	strbuf_add(out, "{\"time\":");
	if (session_wall_ns(input->session->wall_offset_ns, snapshot->time_ns) >= 0) {
		put_time(out, snapshot, input->session);
	} else {
		strbuf_add(out, "null,\"record_time\":");
		put_real(out, (double)snapshot->time_ns / 1e9);
	}
}

void past_json_write(struct strbuf *out, const struct batch_input *input)
{
	const struct writer writer = {.out = out, .input = input};
	const bool are_pairs = input->view->kind == ROW_PAIR;
	struct view_table *table = input->table;

	view_table_build(table, input->view, input->settings, input->snapshot, input->session,
			 input->metrics);
	put_times(out, input);
	strbuf_add(out, ",\"interval_s\":");
	put_real(out, (double)input->snapshot->interval_ns / 1e9);
	strbuf_printf(out, ",\"%s\":[", are_pairs ? "pairs" : "lengths");
	for (size_t i = 0; i < view_table_row_count(table); i++) {
		if (i > 0)
			strbuf_add_char(out, ',');
		put_row(&writer, view_table_row(table, i));
	}
	strbuf_add(out, "]}\n");
}
