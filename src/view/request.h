#ifndef PERFTOP_VIEW_REQUEST_H
#define PERFTOP_VIEW_REQUEST_H

/*
 * What is asked of the rows: options, configuration and commands edit it, view_table_build()
 * (table.h) reads it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/column.h"
#include "view/settings.h"

struct column_set;
struct folds;
struct function_names;
struct history;
struct map;
struct metric_set;
struct session;
struct snapshot;
struct view_info;

/* What is one party in the table of pairs. */
enum view_by {
	BY_TASK,
	BY_NAME,
	BY_CPU, /* a task on one CPU */
	BY_CONTAINER,
	BY_NAMESAKES /* by name; a task that is alone in having its name goes by its number, too */
};

/* Which samples are shown. */
enum view_samples {
	SAMPLES_ON_CPU,
	SAMPLES_OFF_CPU, /* the next two together */
	SAMPLES_BLOCKED,
	SAMPLES_PREEMPTED,
	SAMPLES_BOTH,
	SAMPLES_WAKERS /* of the tasks that are woken: by which calls of others */
};

/* What a sample on the CPU counts for. */
enum view_weight {
	WEIGHT_TIME,
	WEIGHT_LATENCY
};

/* Which tasks share the time that passes, each having its latency of it. */
enum view_latency_of {
	LATENCY_OF_PROCESS, /* the threads of each process */
	LATENCY_OF_ALL      /* all tasks that are attached to, or of the machine, as one */
};

/* How processes are shown that started and exited in the interval. */
enum view_fold {
	FOLD_NOTHING, /* a row each */
	FOLD_TO_ONE,  /* one row */
	FOLD_BY_NAME  /* those of one name that there are several of are one row; not in a tree */
};

/* An order of rows: by one column, and those that are alike in it by another. */
struct sort_order {
	const struct column *sort, *then;  /* NULL: that of the view; none */
	bool sort_reversed, then_reversed; /* against the columns' natural orders */
};

/* A view with its columns and its order, which it keeps while another one is shown. */
struct view_state {
	const struct view_info *info; /* in the form that the settings say */
	struct sort_order order;
	struct column_list columns;   /* empty: those of the view, and extras */
	struct column_list extras;    /* added to those of the view, or of the set */
	const struct column_set *set; /* shown in place of `columns`; NULL: none */
};

/* What rows are compared with; borrowed until the table is built anew. */
struct view_mark {
	const struct snapshot *snapshot;    /* NULL: with nothing */
	const struct session *session;      /* of another recording; NULL: of the same */
	const struct function_names *names; /* the same */
	bool is_wider; /* it has more processes than were chosen here, by numbers of this one */
	bool (*wants_pid)(int32_t pid, const void *context); /* as in a request, of another one */
	void *context;
};

struct view_request {
	struct view_state state;
	struct settings settings;
	enum view_fold fold_exited;
	bool is_still;             /* the history does not go on: a log may be sorted */
	bool is_over;              /* it has ended: a log has what was not settled, too */
	bool extra_rows;           /* unattributed */
	bool has_states;           /* among the columns of the view there is that of states */
	bool lacks_bars;           /* among them there are no bars */
	bool ascii;                /* no character above U+007E in texts */
	size_t most_rows;          /* the first so many; 0: all */
	const struct folds *folds; /* what is folded in a tree (tree.h); NULL: nothing */
	const struct map *tags;    /* ids of rows that are tagged; NULL: none */
	uint64_t selected;         /* task or group that is there though it is idle; 0: none */
	struct view_mark mark;     /* what rows are compared with (difference.h) */
	const char *filter;        /* text that must occur in pid, user or command, or an expression
				      (filter.h); NULL or "": none */
	int64_t uid;               /* only this user's; -1: all */
	const int32_t *pids;       /* only these processes; NULL: all */
	size_t pid_count;
	const char *cgroups; /* only processes in these, by their paths, a line each; NULL: all */
	int32_t tid;         /* only this thread; 0: all */
	uint64_t id_from, id_to; /* of a pid that was used again: only tasks [id_from, id_to); 0 and
				    0: all */
	const struct metric_set *metric_set; /* of the metrics of trends */
	/* for views of the history: */
	const struct history *history;     /* NULL: none is kept */
	uint64_t history_from, history_to; /* entries that are looked at; 0 and 0: all */
	uint64_t window_ns;                /* of these, the last so long a time; 0: all */
	uint32_t latency_scope;            /* latencies of another one (parallel.h) are not known */
	enum view_by by;
	/* for trends and for what is summed over a window: writes up to `most` intervals that ended
	 * before a time, in the order of time, and returns how many; good until the table is built.
	 * NULL: none is kept */
	size_t (*past)(void *context, uint64_t before_ns, const struct snapshot **snapshots,
		       size_t most);
	/* called now and then while many entries are looked at; the history may go on then; NULL:
	 * nothing to do */
	void (*meanwhile)(void *context);
	/* whether this process is among those asked for; NULL: all are. Of a switch one of the two
	 */
	bool (*wants_pid)(int32_t pid, const void *context);
	void *context; /* of these three */
};

/* Everything is as at first, and nothing of it is asked for. */
static inline void view_request_init(struct view_request *request, const struct view_info *info)
{
	*request = (struct view_request){.state.info = info, .uid = -1};
	settings_init(&request->settings);
}

#endif
