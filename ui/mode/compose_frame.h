#ifndef PERFTOP_COMPOSE_FRAME_H
#define PERFTOP_COMPOSE_FRAME_H

/*
 * What is on the screen: the app's state as a frame, drawn; how it looks, whatever it shows; and
 * three lines for somebody who sees it for the first time: where there is no configuration file,
 * until the first key or for some seconds.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "view/meters.h"
#include "view/summary.h"
#include "view/verdict.h"

struct app;
struct load;

void compose_frame_draw(struct app *app);

/* An empty one is {0}. */
struct appearance {
	bool adds_trends; /* views come with a column of trends, where it is one of theirs */
	struct meter_history history; /* of the machine's meters */
	struct summary summary;       /* the header of what is shown */
	uint64_t summary_ns;          /* end of its interval; 0: it is to be made */
	struct cpu_meters cpus;       /* owned; likewise */
	bool has_cpus;                /* these are drawn */
	struct verdict verdict;       /* of the interval that is shown */
	struct strbuf footer;         /* line below the log */
	bool footer_is_warning;
	uint64_t welcome_until_ns; /* 0: over; of sys_now_ns() */
	uint64_t pmu_since_ns;     /* the sentence about a missing PMU; 0: not yet */
	bool is_pmu_over;
};

/* Of what was measured: from now on another host is shown. */
void appearance_forget(struct app *app);

/* The theme, and what the CPUs' bars show, chosen or not. */
int appearance_theme(const struct app *app);
int appearance_strips(const struct app *app);

/* The terminal gets the theme. */
void appearance_set_theme(struct app *app);

/* An interval may have ended: what is drawn of it later is kept. */
void appearance_keep(struct app *app);

/* The header of what is shown: it is made once for each snapshot; the bars of CPUs with the rows.
 */
void appearance_build(struct app *app);

/* Before the rows are made: what is wrong in what is shown. */
void appearance_judge(struct app *app);

void appearance_write_machine(const struct load *load, struct summary_machine *machine);

void welcome_begin(struct app *app);
void welcome_end(struct app *app);

void welcome_end_pmu(struct app *app);

#endif
