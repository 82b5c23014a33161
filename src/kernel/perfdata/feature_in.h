#ifndef PERFTOP_KERNEL_PERFDATA_FEATURE_IN_H
#define PERFTOP_KERNEL_PERFDATA_FEATURE_IN_H

/*
 * Features: what a recording says of its machine, its command and its events. In a file they lie
 * behind the data, in a pipe each is a record. Those that nothing here needs are left alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfdata/fields.h"

struct perfdata;

/* Those of a file: a section for each bit that is set in `words`, listed from `place` on. */
void feature_in_read_all(struct perfdata *file, uint64_t place, const uint64_t *words);

/* Whether a list of features can begin at `place`, rather than records. */
bool feature_in_begins_at(const struct perfdata *file, uint64_t place);

/* One of a pipe. */
void feature_in_take(struct perfdata *file, uint64_t feature, struct fields fields);

#endif
