#ifndef PERFTOP_PERFDATA_JSON_H
#define PERFTOP_PERFDATA_JSON_H

/*
 * Layout, session and scope as JSON, for the notes of a recording. Read back they are what they
 * were: texts keep their bytes, numbers their digits. What is read is input: a layout that comes
 * out has no index and no place that leads anywhere else, and follows the one before as
 * model_change_layout() wants it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"
#include "model/session.h"
#include "source/target_pids.h"

/* leaders: for each group of the layout the number of its event in the file, by which its readings
 * are known. The text is to be freed. */
char *recording_json_layout(const struct layout *layout, uint32_t *leaders);
char *recording_json_session(const struct session *session);
char *recording_json_targets(const struct target_pids *targets);

/*
 * before: the layout that is replaced; one without groups: none. False: the text is none, and
 * nothing is owned. *leaders is to be freed.
 */
bool recording_parse_layout(const char *text, size_t size, const struct layout *before,
			    struct layout *layout, uint32_t **leaders);
bool recording_parse_session(const char *text, size_t size, struct session *session,
			     struct topology *topology);

/* *targets is to be given up with target_pids_fini(). */
bool recording_parse_targets(const char *text, size_t size, struct target_pids *targets);

#endif
