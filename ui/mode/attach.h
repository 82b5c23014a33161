#ifndef PERFTOP_ATTACH_H
#define PERFTOP_ATTACH_H

/*
 * Attaching: choosing the processes to show rows of, by pid, by name or by the row under the
 * cursor; or cgroups, which alone are counted where the whole machine was, live.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/strbuf.h"

struct app;
struct error;

enum {
	ATTACHED_NAME_MAX = 80
};

/* The processes the user is attached to, or cgroups; neither: all are shown. */
struct app_attached {
	int32_t *pids; /* owned */
	size_t count, capacity;
	struct strbuf cgroups; /* their paths, a line each; "": none, or they alone are counted */
	struct map members;    /* pids that were seen in them */
	size_t ended;          /* how many of them have been announced as ended */
	unsigned int number;   /* another one for each time that they became others */
	unsigned int number_at_start; /* after what options or the recording say */
	char name[ATTACHED_NAME_MAX]; /* "nginx 4711", for the header */
	bool has_name;                /* and not "?" instead */
	bool cgroup_is_gone;          /* that is counted; it has been announced */
};

static inline bool attach_is_on(const struct app_attached *attached)
{
	return attached->count > 0 || attached->cgroups.length > 0;
}

/* Attaches to them instead. False: nothing changed. */
bool attach_to_pids(struct app *app, const int32_t *pids, size_t count, struct error *error);

/* The same with cgroups or containers, by their paths or names (attach_cgroup.c). */
bool attach_to_cgroups(struct app *app, const char *words, struct error *error);

/* Whether something is attached to: rows are chosen, or cgroups counted. */
bool attach_can_end(const struct app *app);

/* The whole machine is counted again, where cgroups are. False: they still are, error says why. */
bool attach_count_machine(struct app *app, struct error *error);

/* The same where the cgroups that are counted lack one of the processes. */
bool attach_reach_pids(struct app *app, const int32_t *pids, size_t count, struct error *error);

/* At the end of an interval: the cgroups that are counted may have been removed. */
void attach_watch_cgroups(struct app *app);

/* Appends the paths of those that the words mean, a line each. */
bool attach_find_cgroups(const struct app *app, const char *words, struct strbuf *paths,
			 struct error *error);

/* At the end of an interval: which processes are in them. */
void attach_follow_cgroups(struct app *app);

/* Rows of all tasks from now on, of those that are counted; nothing is said. */
void attach_forget(struct app *app);

/* To the processes that the options name, or those of a recording that is of some only. */
void attach_at_start(struct app *app);

/* The model is another one, in which no task has ended yet. */
void attach_renew(struct app *app);

/* At the end of an interval: announces attached processes that have ended. */
void attach_watch(struct app *app);

/* What the prompt asks for at first: the pids of the tagged tasks. Appends nothing where none is.
 */
void attach_propose(struct app *app, struct strbuf *text);

/* The list of the prompt: what matches the last word so far. */
void attach_list_candidates(struct app *app, const char *words);
void attach_list_cgroups(struct app *app, const char *words);

/* Tasks that have slept since the start are known only to /proc, which is asked here. */
void attach_introduce_all(struct app *app);

/* Idle tasks are shown, or no longer. */
void attach_introduce_idle(struct app *app);

#endif
