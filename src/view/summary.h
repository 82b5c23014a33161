#ifndef PERFTOP_VIEW_SUMMARY_H
#define PERFTOP_VIEW_SUMMARY_H

/*
 * The head of every screen and of the text output: what is watched, how exact it
 * is, and how the machine does, as finished words and numbers. Whoever shows it
 * needs to know nothing of the model.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct metrics;
struct session;
struct snapshot;

enum {
	SUMMARY_TEXT_MAX = 512
};

struct summary {
	char scope[SUMMARY_TEXT_MAX]; /* "whole machine · 2 CPUs", "own tasks", "pid 4711" */
	char scope_reason[SUMMARY_TEXT_MAX]; /* why not more and what would change it; "" */
	char clock[16];                      /* "12:03:44", local time of the interval's end */
	char interval[16];                   /* "1 s" */
	char attributed[32];                 /* "99.99 %", "-" */
	bool is_fully_attributed;
	char lost[64];              /* "lost 12"; "" when nothing was lost */
	char own_cpu[48];           /* "0.3 % CPU" */
	char pmu[SUMMARY_TEXT_MAX]; /* which events are missing or take turns, and why; "" */
	bool pmu_is_bad;            /* the sentence is a warning */
	bool pmu_is_short;          /* that there is no PMU is all that it says */
	bool lacks_pmu;             /* IPC and misses are never known */
	char tasks[64];             /* "112 tasks ran, 3 ended" */
	/* the machine as a whole; texts are "-" when unknown */
	char ipc[16], miss[16], busy[16], switches[16];
	char preempted[24]; /* "2.1 %", of the switches */
	char machine[128];  /* load, memory, swap, uptime; "": not asked for (filled by the program)
			     */
	char behind[160];   /* what is left out of what is kept since we are late; "" */
	int ipc_goodness, miss_goodness; /* 0 worst to 4 best; -1: says nothing */
	double ipc_value, miss_value, busy_value, switches_value; /* NaN: unknown */
};

void summary_make(struct summary *summary, const struct snapshot *snapshot,
		  const struct session *session, const struct metrics *metrics, bool ascii);

#endif
