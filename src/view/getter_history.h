#ifndef PERFTOP_VIEW_GETTER_HISTORY_H
#define PERFTOP_VIEW_GETTER_HISTORY_H

/*
 * Getters for rows that are sums over the history: pairs and lengths. As in getter.h, numbers are
 * NaN and texts "" where the row has no such thing or it is not known.
 */

#include "view/getter.h"

struct getter_text get_victim(const struct getter_input *in, const struct view_row *row);
struct getter_text get_taker(const struct getter_input *in, const struct view_row *row);
double get_times(const struct getter_input *in, const struct view_row *row);
double get_times_per_s(const struct getter_input *in, const struct view_row *row);
double get_lost_us(const struct getter_input *in, const struct view_row *row);
double get_lost_us_per_s(const struct getter_input *in, const struct view_row *row);
double get_lost_mean_us(const struct getter_input *in, const struct view_row *row);
double get_lost_worst_us(const struct getter_input *in, const struct view_row *row);

double get_length_us(const struct getter_input *in, const struct view_row *row);
double get_below_us(const struct getter_input *in, const struct view_row *row);
double get_slices(const struct getter_input *in, const struct view_row *row);
double get_slices_bar(const struct getter_input *in, const struct view_row *row);
double get_preempted_waits(const struct getter_input *in, const struct view_row *row);
double get_preempted_waits_bar(const struct getter_input *in, const struct view_row *row);
double get_queue_waits(const struct getter_input *in, const struct view_row *row);
double get_queue_waits_bar(const struct getter_input *in, const struct view_row *row);

#endif
