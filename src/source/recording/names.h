#ifndef PERFTOP_SOURCE_RECORDING_NAMES_H
#define PERFTOP_SOURCE_RECORDING_NAMES_H

/* Words in a recording's texts: for their writer (json.c) and their readers. */

#include "model/session.h"
#include "source/target_pids.h"

enum {
	RECORDING_LAYOUT_VERSION = 1 /* of what is in layouts; another one is not read */
};

const char *recording_queue_name(enum session_queue queue);
const char *recording_targets_name(enum target_pids_kind kind);

#endif
