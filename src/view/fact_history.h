#ifndef PERFTOP_VIEW_FACT_HISTORY_H
#define PERFTOP_VIEW_FACT_HISTORY_H

/*
 * Facts about rows that are sums over the history: pairs and lengths. As in fact.h, numbers are NaN
 * and texts "" where the row has no such thing or it is not known.
 */

#include "view/fact.h"

struct fact_words fact_victim(const struct facts *facts, const struct view_row *row);
struct fact_words fact_taker(const struct facts *facts, const struct view_row *row);
double fact_times(const struct facts *facts, const struct view_row *row);
double fact_times_per_s(const struct facts *facts, const struct view_row *row);
double fact_lost_us(const struct facts *facts, const struct view_row *row);
double fact_lost_us_per_s(const struct facts *facts, const struct view_row *row);
double fact_lost_mean_us(const struct facts *facts, const struct view_row *row);
double fact_lost_worst_us(const struct facts *facts, const struct view_row *row);

double fact_length_us(const struct facts *facts, const struct view_row *row);
double fact_below_us(const struct facts *facts, const struct view_row *row);
double fact_slices(const struct facts *facts, const struct view_row *row);
double fact_slices_bar(const struct facts *facts, const struct view_row *row);
double fact_preempted_waits(const struct facts *facts, const struct view_row *row);
double fact_preempted_waits_bar(const struct facts *facts, const struct view_row *row);
double fact_queue_waits(const struct facts *facts, const struct view_row *row);
double fact_queue_waits_bar(const struct facts *facts, const struct view_row *row);

#endif
