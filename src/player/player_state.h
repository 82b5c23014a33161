#ifndef PERFTOP_PLAYER_STATE_H
#define PERFTOP_PLAYER_STATE_H

/* What the player remembers; for the files of the player. */

#include <stdbool.h>
#include <stdint.h>

#include "player/player_keep.h"
#include "player/player_time.h"

struct app;

enum {
	PLAYER_PARTS = 1024 /* of the overview */
};

struct player {
	struct player_keep keep;
	bool is_playing;
	double speed;                       /* 0: as fast as it goes */
	uint64_t anchor_wall_ns, anchor_ns; /* then this was due */
	uint64_t sought_ns;                 /* searched for; 0: nothing is */
	bool plays_after;                   /* the search */
	bool has_overview;
	bool has_asked;             /* for it */
	double loads[PLAYER_PARTS]; /* the overview */
};

/* What can be walked through. */
struct player_span player_span(const struct app *app);

#endif
