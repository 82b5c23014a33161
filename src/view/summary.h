#ifndef PERFTOP_VIEW_SUMMARY_H
#define PERFTOP_VIEW_SUMMARY_H

/*
 * The head of every screen and of the text output: what is watched, how exact it is, and how the
 * machine does, as finished words and numbers.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"

struct layout;
struct metrics;
struct session;
struct snapshot;

enum {
	SUMMARY_TEXT_MAX = 512
};

/* Numbers of the machine as a whole. */
enum meter_kind {
	METER_IPC,
	METER_MISS,
	METER_BUSY,
	METER_SWITCHES,
	METER_MPKI,
	METER_QUEUED,    /* tasks that waited for a CPU, on average */
	METER_PREEMPTED, /* of the switches */
	METER_FAULTS,
	METER_SYSTEM, /* of what is busy: kernel and interrupts, in percent of all */
	METER_KINDS
};

/* What the machine has, at present: finished words. */
struct summary_machine {
	char load[40];   /* "0.52 0.31 0.25"; "": not asked for, or unknown, and so is the rest */
	char memory[32]; /* used and in all: "3.2G/24.0G" */
	char swap[32];   /* likewise; "": there is none */
	char uptime[24]; /* "1 d 2:03" */
	double memory_pct, swap_pct;
};

struct summary_meter {
	char text[16]; /* "-" unknown */
	double value;  /* NaN: unknown */
	int goodness;  /* 0 worst to 4 best; -1: says nothing */
};

struct summary {
	char scope[SUMMARY_TEXT_MAX]; /* "whole machine · 2 CPUs", "own tasks", "pid 4711" */
	char scope_reason[SUMMARY_TEXT_MAX]; /* why not more and what would change it; "" */
	char clock[16];                      /* "12:03:44", local time of the interval's end */
	char interval[16];                   /* "1 s" */
	char attributed[32];                 /* "99.99 %", "-" */
	bool lacks_much;                     /* of that: more than 1 %, or it is unknown */
	char lost[64];                   /* "lost 12 records (345 since start)"; "": none so far */
	char steal[16];                  /* "steal 12 %" of the CPUs' time; "" it is less than 1 */
	char own_cpu[48];                /* "0.3 % CPU"; "" of a recording */
	char own_memory[UNITS_TEXT_MAX]; /* "85.3M": resident; "-": unknown, or of a recording */
	char readings[48];               /* what they cost the watched: "~0.2 %" of the machine */
	char pmu[SUMMARY_TEXT_MAX];      /* which events are missing or take turns, and why; "" */
	bool pmu_is_bad;                 /* the sentence is a warning */
	bool pmu_is_short;               /* that there is no PMU is all that it says */
	bool lacks_pmu;                  /* IPC and misses are never known */
	bool counts_tasks; /* not CPUs: the meters but busy are of these tasks alone */
	char tasks[64];    /* "112 tasks ran, 3 ended" */
	struct summary_meter meters[METER_KINDS];
	char miss_level[8]; /* of which cache the misses are: "LLC"; "" it is not known */
	struct summary_machine machine; /* filled by the program */
	/* of the CPUs' time, with what was stolen 100; NaN: unknown */
	double user_pct, system_pct, irq_pct, idle_pct;
	char budget[160]; /* what is left out to keep it, or why it is not kept; "" */
	bool is_over_budget;
	char behind[160]; /* what is left out of what is kept since we are late; "" */
};

void summary_make(struct summary *summary, const struct snapshot *snapshot,
		  const struct session *session, const struct metrics *metrics, bool ascii);

/* What readings cost the watched tasks, in percent of the machine, an estimate; NaN: not known. */
double summary_readings_pct(const struct snapshot *snapshot, const struct session *session);

/*
 * Counts of a CPU, or of the whole machine, made fit for metrics: the events are those
 * of the whole CPU, the run time is that of its tasks without idle. So "cpu %" is how
 * busy it was, and rates are those of everything that happened there.
 */

/*
 * Writes the vector; false when idle ran longer than the CPU, which no reading can
 * mean: the run time is then 0 and nothing in it is to be used.
 */
bool busy_counts(uint64_t *counts, const uint64_t *counter, const uint64_t *idle,
		 const struct layout *layout);

/*
 * Everything the interval counted, as it is (`sum`, idle included): of all CPUs, or, where
 * tasks are watched and not CPUs, of all tasks. `idle` is what idle had of it.
 */
void busy_sum_machine(uint64_t *sum, uint64_t *idle, const struct snapshot *snapshot);

#endif
