/* Samples of tasks that leave the CPU, and their switches: absences.h puts them together. */
#include "source/convert.h"
#include "source/samplers.h"

size_t sampling_add_off_cpu(struct sampling_target *targets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		targets[count + i] = targets[i];
		targets[count + i].group = NULL;
		targets[count + i].kind = SAMPLING_OFF_CPU;
	}
	return count;
}

bool sampling_off_cpu_convert(struct sampling *sampling, struct sampler *sampler,
			      struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;
	struct record left = *record;

	switch (decoded->type) {
	case DECODED_SAMPLE:
		convert_sample(decoded, sampling->frames, &left);
		absences_place(&sampling->absences, &left);
		return false;
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		sampler->switches += decoded->ctx_switch.out;
		return convert_record(decoded, NULL, 0, &left) &&
		       absences_switch(&sampling->absences, &left, record);
	default:
		return false;
	}
}
