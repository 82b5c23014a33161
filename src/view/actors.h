#ifndef PERFTOP_VIEW_ACTORS_H
#define PERFTOP_VIEW_ACTORS_H

/* The tasks in the switches of a history: their names, and which of them are meant. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct actor;
struct history;
struct snapshot;
struct view_settings;

/* "nginx 4711"; "" when it is not known (NULL too). Raw bytes. */
void actor_write_words(const struct actor *actor, char *text, size_t size);

/* The tasks that the settings of a view ask for: by process, by user. */
struct actor_rule {
	const struct view_settings *settings;
	struct map uids; /* private: task id to uid + 1 */
};

/* snapshot: the users of tasks; NULL: not known. */
void actor_rule_init(struct actor_rule *rule, const struct view_settings *settings,
		     const struct snapshot *snapshot);
void actor_rule_fini(struct actor_rule *rule);

/* False: whoever it is, it passes. */
bool actor_rule_asks(const struct view_settings *settings);

/* context: the rule. What is no task passes no rule that asks for tasks. */
bool actor_rule_passes(const struct actor *actor, const void *context);

enum {
	ACTOR_CHOICE_SLOTS = 1024
};

/*
 * Which actors are meant, for each entry of a long scan: answers are remembered for those asked
 * for last. What is no task (idle, unknown) is not meant.
 */
struct actor_choice {
	const struct history *history;
	bool (*wants)(const struct actor *actor, const void *context); /* NULL: all tasks */
	const void *context;
	uint64_t answers[ACTOR_CHOICE_SLOTS]; /* private: (number + 1) * 2 + answer; zeros at first
					       */
};

bool actor_choice_has(struct actor_choice *choice, uint64_t number);

#endif
