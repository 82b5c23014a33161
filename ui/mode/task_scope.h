#ifndef PERFTOP_TASK_SCOPE_H
#define PERFTOP_TASK_SCOPE_H

/*
 * The functions of one task: the view of functions with nothing but its samples, and the way back
 * to where they were asked for. Another view, or this one by its key, is without that scope.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct strbuf;

struct task_scope {
	bool is_on;       /* the view of functions is shown, narrowed by it */
	bool has_page;    /* they were asked for on the page of the task */
	int32_t pid, tid; /* tid == pid: the process */
	size_t view;      /* from which they were asked for */
	int samples;      /* the setting as it was then, and is again behind it */
};

/* Back to the view, and the page, where they were asked for; false: there is no scope. */
bool task_scope_leave(struct app *app);

/* "of nginx 4711", for the right end of the tabs. */
void task_scope_write(const struct app *app, struct strbuf *out);

#endif
