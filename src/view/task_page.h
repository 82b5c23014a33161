#ifndef PERFTOP_VIEW_TASK_PAGE_H
#define PERFTOP_VIEW_TASK_PAGE_H

/*
 * Everything that is known of one task's time on and off the CPUs, as lines of text: slices,
 * waits, where it ran, what disturbed it, its last switches. A line that begins with '#' is a
 * heading.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct columns;
struct function_names;
struct history;
struct metrics;
struct session;
struct snapshot;
struct strbuf;
struct text_marks;
struct users;
struct view_table;

enum {
	TASK_PAGE_PAST = 240 /* intervals that are looked at at most */
};

struct task_page_input {
	int32_t pid, tid; /* tid == pid: the process, its threads summed */
	uint64_t id;      /* snapshot_task.id of it, or of a thread: of a pid that was used again it
			     says which process; 0: the newest */
	const struct snapshot *snapshot;
	const struct snapshot *const *past; /* earlier intervals and this one, the newest last */
	size_t past_count;                  /* up to TASK_PAGE_PAST; 0: there are no earlier ones */
	const struct session *session;
	const struct metrics *metrics;
	const struct history *history; /* NULL: none is kept */
	const char *history_lack;      /* why it has no switch; NULL: it has */
	struct columns *columns;
	struct view_table *table;                    /* of these columns; for the page alone */
	const struct function_names *function_names; /* NULL: none are known */
	struct users *users;                         /* NULL: users are shown by number */
	const char *namespaces; /* of the task that are not perftop's, or of a recording not those
				   of process 1; NULL or "": none is known */
	const char *asleep_in;  /* kernel function in which the thread, of a process its first one,
				   is now; NULL or "": not known, or it runs */
	int width;              /* columns of the screen */
	bool ascii;
	size_t lines; /* of the page's beginning so many are enough: what is not known is left out,
			 and of the history only the end is looked at; 0: all of the page */
	struct text_marks *marks; /* gets those of the lines; NULL: not wanted */
};

/* Appends the lines; a task that is not known any more is described from the history. False: it
 * is not known there either. */
bool task_page_write(struct strbuf *out, const struct task_page_input *input);

#endif
