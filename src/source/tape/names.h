#ifndef PERFTOP_SOURCE_TAPE_NAMES_H
#define PERFTOP_SOURCE_TAPE_NAMES_H

/* Words in a tape's texts: for their writer (json.c) and their readers. */

#include "model/session.h"
#include "source/target_pids.h"

enum {
	TAPE_LAYOUT_VERSION = 1 /* of what is in layouts; another one is not read */
};

const char *tape_queue_name(enum session_queue queue);
const char *tape_wanted_name(enum target_pids_kind kind);

#endif
