/*
 * The pair is at the left, the slices at the right end of the line; if there is no room for both,
 * the slices are left out. A pair that is too long is written in fewer words, with its numbers
 * complete, or not at all. Slices have one sign for each octave, between the least and the greatest
 * length.
 */

#include "view/footer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mul_div.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/session.h"
#include "model/timing.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/table.h"
#include "view/trends.h"
#include "view/window.h"

enum {
	GAP = 2 /* least, between the two */
};

static void append_words(struct strbuf *out, const char *words, bool ascii)
{
	if (words[0] != '\0')
		text_append_safe(out, words, strlen(words), ascii);
	else
		strbuf_add(out, "an unknown task");
}

/* How much of a pair is said. */
enum form {
	FORM_TIMES,
	FORM_SENTENCE,
	FORM_SIGNS,
	FORMS
};

static void append_pair(struct strbuf *out, const struct pair *pair, enum form form, bool ascii)
{
	const bool is_woken = pair->kind == PAIR_WOKEN;
	char lost[UNITS_TEXT_MAX];
	uint64_t ns = pair->lost_ns;

	if (form == FORM_SIGNS) {
		append_words(out, pair->victim_words, ascii);
		strbuf_add(out, ascii ? " <- " : " ← ");
		append_words(out, pair->taker_words, ascii);
	} else {
		append_words(out, pair->taker_words, ascii);
		strbuf_add(out, is_woken ? " ran while " : " took the CPU from ");
		append_words(out, pair->victim_words, ascii);
		strbuf_add(out, is_woken ? " waited" : "");
	}
	if (form == FORM_TIMES)
		strbuf_printf(out, " %" PRIu64 "%s", pair->times, ascii ? "x" : "×");
	if (pair->window_ns > 0)
		ns = mul_div(ns, NS_PER_S, pair->window_ns);
	units_format_duration(lost, ns);
	strbuf_printf(out, ", %s%s", lost, pair->window_ns > 0 ? "/s" : "");
}

/* The longest form that has room. */
static void write_worst(struct strbuf *out, const struct pair *worst, bool ascii, size_t room)
{
	for (enum form form = FORM_TIMES; form < FORMS; form++) {
		strbuf_clear(out);
		append_pair(out, worst, form, ascii);
		if (text_width(strbuf_text(out)) <= room)
			return;
	}
	strbuf_clear(out);
}

static void write_worst_pair(struct strbuf *out, const struct footer_input *input,
			     struct actor_filter *actors, size_t room)
{
	const struct pair_query query = {
		.window = window_of(input->request),
		.by = input->request->by == BY_CONTAINER ? BY_TASK : input->request->by,
		.snapshot = input->snapshot,
		.actors = actors,
	};
	struct pair_table *table = pair_table_create();
	const struct pair *worst;

	pair_table_gather(table, &query);
	worst = pair_table_worst(table);
	if (worst)
		write_worst(out, worst, input->request->ascii, room);
	else if (!input->session || session_wait_reason(input->session)[0] == '\0')
		strbuf_add(out, "no task was preempted");
	pair_table_destroy(table);
}

/* One sign: the count relative to the octave with most. */
static void add_sign(struct strbuf *out, const struct length *length, bool ascii)
{
	const uint64_t count = length->count[LENGTH_SLICES];
	const double most = (double)length->greatest[LENGTH_SLICES];

	strbuf_add(out, spark_sign(count > 0 ? (double)count / most : NAN, ascii));
}

static void add_slices(struct strbuf *out, const struct length *lengths, bool ascii)
{
	char text[UNITS_TEXT_MAX];
	size_t first = 0, last = DISTRIBUTION_OCTAVES - 1;

	if (lengths[0].total[LENGTH_SLICES] == 0) {
		strbuf_add(out, "slices  -");
		return;
	}
	while (lengths[first].count[LENGTH_SLICES] == 0)
		first++;
	while (lengths[last].count[LENGTH_SLICES] == 0)
		last--;
	units_format_duration(text, lengths[first].begin_ns);
	strbuf_printf(out, "slices  %s ", text);
	for (size_t i = first; i <= last; i++)
		add_sign(out, &lengths[i], ascii);
	if (lengths[last].end_ns == UINT64_MAX)
		return;
	units_format_duration(text, lengths[last].end_ns);
	strbuf_printf(out, " %s", text);
}

static void write_slices(struct strbuf *out, const struct footer_input *input,
			 struct actor_filter *actors)
{
	struct length lengths[DISTRIBUTION_OCTAVES];

	lengths_gather(lengths, &(struct length_query){
					.window = window_of(input->request),
					.actors = actors,
				});
	add_slices(out, lengths, input->request->ascii);
}

void switches_footer_write(struct strbuf *out, const struct footer_input *input)
{
	const size_t room = input->width > 0 ? (size_t)input->width : 0;
	struct strbuf left = {0}, right = {0};
	struct actor_filter actors;
	size_t left_width, right_width, bytes;

	if (!input->request->history)
		return;
	actor_filter_init(&actors, input->request, input->snapshot);
	write_worst_pair(&left, input, &actors, room);
	write_slices(&right, input, &actors);
	actor_filter_fini(&actors);
	bytes = text_fit(strbuf_text(&left), room, &left_width);
	strbuf_add_bytes(out, strbuf_text(&left), bytes);
	right_width = text_width(strbuf_text(&right));
	if (left_width + GAP + right_width <= room) {
		strbuf_add_repeated(out, ' ', room - left_width - right_width);
		strbuf_add(out, strbuf_text(&right));
	}
	strbuf_fini(&left);
	strbuf_fini(&right);
}
