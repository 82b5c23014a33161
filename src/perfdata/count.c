/* When time goes beyond the last bin, each two become one. */
#include "perfdata/count.h"

#include <string.h>

#include "kernel/decode.h"

#include "perfdata/reader.h"

static const uint64_t FIRST_WIDTH_NS = 100 * 1000;

static void halve(struct replay_count *count)
{
	for (size_t i = 0; i < REPLAY_COUNT_BINS; i++) {
		const bool is_there = 2 * i + 1 < REPLAY_COUNT_BINS;

		count->switches[i] =
			is_there ? count->switches[2 * i] + count->switches[2 * i + 1] : 0;
		count->samples[i] =
			is_there ? count->samples[2 * i] + count->samples[2 * i + 1] : 0;
	}
	count->width_ns *= 2;
}

void replay_count_add(struct replay_count *count, uint64_t time_ns, bool is_switch)
{
	uint64_t since_ns;

	if (count->first_ns == 0) {
		count->first_ns = count->last_ns = time_ns;
		count->width_ns = FIRST_WIDTH_NS;
	}
	since_ns = time_ns > count->first_ns ? time_ns - count->first_ns : 0;
	while (since_ns / count->width_ns >= REPLAY_COUNT_BINS)
		halve(count);
	count->last_ns = time_ns > count->last_ns ? time_ns : count->last_ns;
	count->has_switches = count->has_switches || is_switch;
	(is_switch ? count->switches : count->samples)[since_ns / count->width_ns]++;
}

bool replay_count_file(const char *path, struct replay_count *count)
{
	struct perfdata *file = perfdata_open(path, NULL);
	struct perfdata_record record;
	enum perfdata_result result;

	memset(count, 0, sizeof(*count));
	if (!file)
		return false;
	while ((result = perfdata_next(file, &record)) != PERFDATA_END) {
		uint32_t type;

		if (result == PERFDATA_WAIT)
			break;
		if (result != PERFDATA_RECORD || record.time_ns == 0 ||
		    record.time_ns > INT64_MAX / 2)
			continue;
		memcpy(&type, record.bytes, sizeof(type));
		if (type == DECODED_SAMPLE || type == DECODED_SWITCH ||
		    type == DECODED_SWITCH_CPU_WIDE)
			replay_count_add(count, record.time_ns, type != DECODED_SAMPLE);
	}
	perfdata_close(file);
	return true;
}

void replay_count_parts(const struct replay_count *count, uint64_t *parts, size_t part_count)
{
	const uint32_t *bins = count->has_switches ? count->switches : count->samples;
	const uint64_t length_ns = count->last_ns - count->first_ns + 1;

	memset(parts, 0, part_count * sizeof(*parts));
	for (size_t i = 0; i < REPLAY_COUNT_BINS && part_count > 0; i++) {
		const double middle_ns = ((double)i + 0.5) * (double)count->width_ns;
		const double part = middle_ns / (double)length_ns * (double)part_count;

		if (bins[i] > 0)
			parts[part < (double)part_count ? (size_t)part : part_count - 1] += bins[i];
	}
}
