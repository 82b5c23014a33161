/* What the session says of samples: by what they are taken and how often, or why not. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/explain.h"
#include "source/samplers.h"

enum {
	USUAL_STACK = 127 /* calls; the kernel's limit where it has not been changed */
};

static const char *event_name(const struct sampling *sampling)
{
	if (sampling->is_by_event)
		return sampling->by.name;
	return sampling->is_hardware || sampling->branch_type != 0 ? "cycles" : "cpu-clock";
}

static bool has_joined(const struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++)
		if (sampling->samplers[i]->fd >= 0 && sampling->samplers[i]->is_grouped)
			return true;
	return false;
}

enum {
	RATE_MAX = 64
};

/* Not of hardware events, which are never sampled one by one. */
static bool are_samples_estimates(const struct sampling *sampling)
{
	return sampling->is_by_event && !sampling->are_accesses && !sampling_has_period(sampling) &&
	       sampling->by.specs[0].class != EVENT_CLASS_HARDWARE;
}

/* "997 Hz"; "each", "one of 1000"; "997 Hz: estimates, /period=1/ is exact" */
static void write_rate(const struct sampling *sampling, char words[static RATE_MAX])
{
	const uint64_t period =
		sampling_has_period(sampling) ? attr_sample_period(&sampling->by.specs[0]) : 0;

	if (period > 1)
		snprintf(words, RATE_MAX, "one of %" PRIu64, period);
	else if (period == 1)
		snprintf(words, RATE_MAX, "each");
	else
		snprintf(words, RATE_MAX, "%" PRIu32 " Hz%s", sampling->hz,
			 are_samples_estimates(sampling) ? ": estimates, /period=1/ is exact" : "");
}

static enum session_sampling taken_by(const struct sampling *sampling)
{
	if (sampling->is_by_event)
		return SAMPLING_EVENTS;
	return sampling->is_hardware ? SAMPLING_CYCLES : SAMPLING_CLOCK;
}

void sampling_report(const struct sampling *sampling)
{
	struct session *session = sampling->session;
	const char *reason = sampling->is_by_event ? "the samples are of an event"
			     : session->has_pmu    ? "hardware events are not counted all the time"
						   : "no hardware event is counted";
	const char *lbr = !sampling->wants_lbr ? "" : sampling->by_lbr ? ", LBR" : ", no LBR";
	const char *dwarf = sampling->wants_stack_bytes == 0 ? ""
			    : sampling->stack_bytes > 0      ? ", dwarf"
							     : ", no dwarf";
	const char *branches = sampling->branch_type != 0 ? ", branches" : "";
	char depth[32] = "", rate[RATE_MAX];

	session->has_addresses =
		sampling->is_by_event &&
		attr_has_address(sampling->by.specs[0].type, sampling->by.specs[0].config);
	session->has_branches = sampling->branch_type != 0;
	write_rate(sampling, rate);
	snprintf(session->uncounted, sizeof(session->uncounted), "%s",
		 has_joined(sampling) ? "" : reason);
	session->sampling = taken_by(sampling);
	session->sampling_hz = sampling->hz;
	session->samples_are_estimates = are_samples_estimates(sampling);
	session->samples_are_accesses = sampling->are_accesses;
	session->chains = sampling->stack_bytes > 0 ? CHAINS_BY_STACKS
			  : sampling->by_lbr        ? CHAINS_BY_LBR
						    : CHAINS_BY_FRAME_POINTERS;
	snprintf(session->sampling_event, sizeof(session->sampling_event), "%s",
		 sampling->is_by_event ? sampling->by.name : "");
	if (sampling->max_stack > 0 && sampling->max_stack < USUAL_STACK)
		snprintf(depth, sizeof(depth), ", %u calls deep", sampling->max_stack);
	snprintf(session->sampling_words, sizeof(session->sampling_words), "%.300s, %s%s%s%s%s%s",
		 event_name(sampling), rate, depth, lbr, dwarf, branches,
		 sampling->exclude_kernel ? ", user mode only" : "");
}

/* clang-format off */
static const struct {
	const char *each, *some, *none;
} words_of[] = {
	[SAMPLING_OFF_CPU] = {"each switch", "one of %u switches", "no thread of it is left"},
	[SAMPLING_WAKERS] = {"each wake-up", "one of %u wake-ups", "the CPUs are not watched"},
};
/* clang-format on */

/* How often it is: where that is least. */
static void report_periods(const struct sampling *sampling, enum sampling_kind kind,
			   struct session_samples *to)
{
	uint32_t period = 1;
	int used;

	for (size_t i = 0; i < sampling->count; i++) {
		const struct sampler *sampler = sampling->samplers[i];

		if (sampler->target.kind == kind && sampler->period > period)
			period = sampler->period;
	}
	to->are_estimates = period > 1;
	used = snprintf(to->words, sizeof(to->words),
			period > 1 ? words_of[kind].some : words_of[kind].each, period);
	if (sampling->stack_bytes > 0) /* copies of the stack at each switch would be dear */
		snprintf(to->words + used, sizeof(to->words) - (size_t)used, ", fp");
}

static struct error explain_sampling(const struct sampling *sampling,
				     const struct sampling_target *target, int errno_value)
{
	const char *const events[] = {
		[SAMPLING_ON_CPU] = event_name(sampling),
		[SAMPLING_OFF_CPU] = "context-switches",
		[SAMPLING_WAKERS] = sampling->wakeup.spec.name,
	};
	struct error refusal = {0};
	const struct explain_context context = {
		.call = sampling->refused,
		.what = sampling->refused == EXPLAIN_MAP ? "rings of samples"
							 : events[target->kind],
		.spec = target->kind == SAMPLING_WAKERS ? &sampling->wakeup.spec
							: sampling_spec(sampling, target),
		.pid = target->cpu < 0 ? target->tid : -1,
		.cpu = target->cpu,
		.has_branches = target->kind == SAMPLING_ON_CPU && sampling->branch_type != 0,
		.host = sampling->host,
	};

	explain_perf_error(&refusal, errno_value, &context);
	return refusal;
}

bool sampling_refuse(const struct sampling *sampling, const struct sampling_target *target,
		     int errno_value, struct error *error)
{
	struct session *session = sampling->session;
	const struct error refusal = explain_sampling(sampling, target, errno_value);

	snprintf(session->sampling_words, sizeof(session->sampling_words), "no samples: %.400s",
		 refusal.text);
	if (error)
		*error = refusal;
	return false;
}

void sampling_refuse_branches(const struct sampling *sampling, const struct sampling_target *target,
			      int errno_value)
{
	struct session *session = sampling->session;

	snprintf(session->unbranched, sizeof(session->unbranched), "no branches: %.400s",
		 explain_sampling(sampling, target, errno_value).text);
}

void sampling_report_kind(const struct sampling *sampling, enum sampling_kind kind, int errno_value)
{
	struct session_samples *to =
		kind == SAMPLING_WAKERS ? &sampling->session->wakers : &sampling->session->off_cpu;
	const char *const none = kind == SAMPLING_WAKERS && sampling->no_wakeup[0] != '\0'
					 ? sampling->no_wakeup
				 : kind == SAMPLING_OFF_CPU && sampling->session->is_partial
					 ? "tasks also run on CPUs that are not watched"
					 : words_of[kind].none;
	const struct sampler *refused = NULL;

	if (!sampling->is_on || !sampling->wants[kind]) {
		*to = (struct session_samples){0};
		return;
	}
	to->are_taken = false;
	for (size_t i = 0; i < sampling->count && !to->are_taken; i++)
		if (sampling->samplers[i]->target.kind == kind) {
			refused = sampling->samplers[i];
			to->are_taken = refused->fd >= 0;
		}
	if (to->are_taken) {
		report_periods(sampling, kind, to);
	} else if (!refused) {
		snprintf(to->words, sizeof(to->words), "not sampled: %.400s", none);
	} else if (errno_value != 0) {
		snprintf(to->words, sizeof(to->words), "not sampled: %.400s",
			 explain_sampling(sampling, &refused->target, errno_value).text);
	}
}
