/* One small function per column, as in getter.c. */

#include <math.h>

#include "model/layout.h"
#include "view/getter.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/table.h"

static const double ns_per_us = 1e3;
static const double ns_per_s = 1e9;

static struct getter_text party_words(const struct pair *pair, const char *words)
{
	return (struct getter_text){.text = words, .ends_in_number = pair && !pair->is_of_names};
}

struct getter_text get_victim(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, row->pair ? row->pair->victim_words : "");
}

struct getter_text get_taker(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, row->pair ? row->pair->taker_words : "");
}

double get_times(const struct getter_input *in, const struct view_row *row)
{
	return row->pair ? (double)row->pair->times : NAN;
}

/* A number per second of the time that was looked at. */
static double per_second(const struct pair *pair, double number)
{
	return pair->window_ns > 0 ? number / ((double)pair->window_ns / ns_per_s) : NAN;
}

double get_times_per_s(const struct getter_input *in, const struct view_row *row)
{
	return row->pair ? per_second(row->pair, (double)row->pair->times) : NAN;
}

double get_lost_us(const struct getter_input *in, const struct view_row *row)
{
	return row->pair ? (double)row->pair->lost_ns / ns_per_us : NAN;
}

double get_lost_us_per_s(const struct getter_input *in, const struct view_row *row)
{
	return row->pair ? per_second(row->pair, (double)row->pair->lost_ns / ns_per_us) : NAN;
}

double get_lost_mean_us(const struct getter_input *in, const struct view_row *row)
{
	if (!row->pair || row->pair->times == 0)
		return NAN;
	return (double)row->pair->lost_ns / ns_per_us / (double)row->pair->times;
}

double get_lost_worst_us(const struct getter_input *in, const struct view_row *row)
{
	return row->pair ? (double)row->pair->worst_ns / ns_per_us : NAN;
}

double get_length_us(const struct getter_input *in, const struct view_row *row)
{
	return row->length ? (double)row->length->begin_ns / ns_per_us : NAN;
}

double get_below_us(const struct getter_input *in, const struct view_row *row)
{
	if (!row->length || row->length->end_ns == UINT64_MAX)
		return NAN;
	return (double)row->length->end_ns / ns_per_us;
}

static double count_of(const struct view_row *row, enum length_kind kind)
{
	if (!row->length)
		return NAN;
	if (kind == LENGTH_QUEUED && row->unknown & 1u << QUANTITY_QUEUED_NS)
		return NAN;
	return (double)row->length->count[kind];
}

static double bar_of(const struct view_row *row, enum length_kind kind)
{
	const double count = count_of(row, kind);

	if (!(count > 0))
		return count;
	return 100.0 * count / (double)row->length->greatest[kind];
}

double get_slices(const struct getter_input *in, const struct view_row *row)
{
	return count_of(row, LENGTH_SLICES);
}

double get_slices_bar(const struct getter_input *in, const struct view_row *row)
{
	return bar_of(row, LENGTH_SLICES);
}

double get_preempted_waits(const struct getter_input *in, const struct view_row *row)
{
	return count_of(row, LENGTH_PREEMPTED);
}

double get_preempted_waits_bar(const struct getter_input *in, const struct view_row *row)
{
	return bar_of(row, LENGTH_PREEMPTED);
}

double get_queue_waits(const struct getter_input *in, const struct view_row *row)
{
	return count_of(row, LENGTH_QUEUED);
}

double get_queue_waits_bar(const struct getter_input *in, const struct view_row *row)
{
	return bar_of(row, LENGTH_QUEUED);
}
