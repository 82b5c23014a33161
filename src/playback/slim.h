#ifndef PERFTOP_PLAYER_SLIM_H
#define PERFTOP_PLAYER_SLIM_H

struct snapshot;

/*
 * A copy of an interval in which processes that began and ended in it and hardly ran (less than a
 * thousandth of it) are joined into one for each name and user: its counts are their sum, and
 * `others` says how many more it represents. All sums of the interval are what they were. NULL:
 * there is nothing to be gained. Freed with snapshot_destroy().
 */
struct snapshot *slim_copy(const struct snapshot *snapshot);

#endif
