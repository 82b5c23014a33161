#ifndef PERFTOP_VIEW_SAMPLE_SCOPE_H
#define PERFTOP_VIEW_SAMPLE_SCOPE_H

/* Which samples of an interval the settings ask for, and what each stands for. */

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct profile_entry;
struct snapshot;
struct view_settings;

struct sample_scope {
	const struct view_settings *settings; /* borrowed */
	struct map users;                     /* pid to uid + 1, where one is asked for */
};

/* Of the samples of this interval. */
void sample_scope_init(struct sample_scope *scope, const struct view_settings *settings,
		       const struct snapshot *snapshot);
void sample_scope_fini(struct sample_scope *scope);

bool sample_scope_has(const struct sample_scope *scope, const struct profile_entry *entry);

/* What is compared: what the samples stand for, a time where some of them are off the CPU. */
uint64_t sample_scope_weight(const struct sample_scope *scope, const struct profile_entry *entry);

#endif
