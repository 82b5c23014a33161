/* Samples of what wakes tasks, from the scheduler's tracepoint (wakeup.h). */
#include <stdio.h>

#include "base/error.h"
#include "source/convert.h"
#include "source/samplers.h"

/* It is looked for once. */
static bool find_wakeup(struct sampling *sampling)
{
	struct error error = {0};

	if (sampling->wakeup.spec.name[0] == '\0' && sampling->no_wakeup[0] == '\0' &&
	    !wakeup_find(sampling->host, "sched_waking", &sampling->wakeup, &error))
		snprintf(sampling->no_wakeup, sizeof(sampling->no_wakeup), "%s", error.text);
	return sampling->no_wakeup[0] == '\0';
}

size_t sampling_add_wakers(struct sampling *sampling, struct sampling_target *targets, size_t cpus,
			   size_t count)
{
	if (!find_wakeup(sampling))
		return 0;
	for (size_t i = 0; i < cpus; i++)
		targets[count + i] = (struct sampling_target){
			.tid = targets[i].tid,
			.cpu = targets[i].cpu,
			.kind = SAMPLING_WAKERS,
		};
	return cpus;
}

/* Of an interrupt the calls below it are not what wakes. */
bool sampling_waker_convert(struct sampling *sampling, struct sampler *sampler,
			    struct record *record)
{
	const struct decoded_sample *from = &sampling->decoded.sample;
	int32_t wakee_tid;

	if (sampling->decoded.type != DECODED_SAMPLE ||
	    !wakeup_read_tid(&sampling->wakeup, &from->raw, &wakee_tid))
		return false;
	convert_sample(&sampling->decoded, sampling->frames, record);
	if (wakeup_is_in_interrupt(&from->raw))
		record->sample.count = record->sample.kernel_count;
	record->sample.kind = SAMPLE_WAKER;
	record->sample.wakee_tid = wakee_tid;
	record->sample.weight = from->read.values[0] - sampler->wakeups;
	record->sample.lost = sampler->lost;
	sampler->switches += record->sample.weight;
	sampler->wakeups = from->read.values[0];
	sampler->lost = 0;
	return true;
}
