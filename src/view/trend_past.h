#ifndef PERFTOP_VIEW_TREND_PAST_H
#define PERFTOP_VIEW_TREND_PAST_H

/*
 * What rows had in a column before anybody looked at it, out of intervals that were kept: so that
 * trends are there as soon as they are asked for.
 */

struct column;
struct getter_input;
struct session;
struct snapshot;
struct trends;
struct view_info;
struct view_settings;

struct trend_past {
	const struct view_info *view;
	const struct view_settings *settings;
	const struct session *session;
	const struct snapshot *shown; /* those before this one are asked for */
	const struct getter_input *getter_input;
	const struct column *column;
};

/* Forgets what there is, and notes as many of the last intervals as can be looked at at once. */
void trend_past_note(struct trends *trends, const struct trend_past *past);

#endif
