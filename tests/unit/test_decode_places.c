/*
 * What is read at places is what decoding finds there: random formats, and records of all sizes
 * whose words are small numbers, so that counts in them are often right.
 */

#include <linux/perf_event.h>

#include "kernel/decode.h"
#include "kernel/decode_places.h"

#include "unit.h"

enum {
	FORMATS = 3000,
	WORDS_MAX = 24
};

static uint64_t seed = 88172645463325252u;

static uint64_t random_number(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const uint64_t PLAIN = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			      PERF_SAMPLE_READ;

/* Every tenth has what makes samples more than plain. */
static struct decode_format random_format(void)
{
	struct decode_format format = {
		.sample_type = random_number() & PLAIN,
		.read_format = random_number() & (PERF_FORMAT_MAX - 1),
		.sample_id_all = random_number() % 4 != 0,
	};

	if (random_number() % 10 == 0)
		format.sample_type |= PERF_SAMPLE_RAW;
	return format;
}

static void assert_spots(const struct decode_spots *spots, const unsigned char *from, int sign,
			 const struct decoded_id *id)
{
	assert_int_equal(spots->ids != 0, (id->has & PERF_SAMPLE_TID) != 0);
	assert_int_equal(spots->time != 0, (id->has & PERF_SAMPLE_TIME) != 0);
	assert_int_equal(spots->cpu != 0, (id->has & PERF_SAMPLE_CPU) != 0);
	if (spots->ids != 0) {
		assert_int_equal(decode_number_at(from + sign * spots->ids, 0), id->pid);
		assert_int_equal(decode_number_at(from + sign * spots->ids, 4), id->tid);
	}
	if (spots->time != 0)
		assert_int_equal(decode_word_at(from + sign * spots->time, 0), id->time_ns);
	if (spots->cpu != 0)
		assert_int_equal(decode_number_at(from + sign * spots->cpu, 0), id->cpu);
}

static void assert_readings(const struct decode_places *places, const unsigned char *bytes,
			    const struct decoded_read *read)
{
	const unsigned char *value = bytes + places->read + places->read_values;

	assert_int_equal(decode_read_count(places, bytes), read->count);
	assert_int_equal(places->enabled != 0 && places->running != 0, read->has_times);
	if (read->has_times) {
		assert_int_equal(decode_word_at(bytes + places->read, places->enabled),
				 read->enabled_ns);
		assert_int_equal(decode_word_at(bytes + places->read, places->running),
				 read->running_ns);
	}
	for (uint64_t i = 0; i < read->count; i++, value += places->read_stride) {
		assert_int_equal(decode_word_at(value, 0), read->values[i]);
		if (places->read_id != 0)
			assert_int_equal(decode_word_at(value, places->read_id), read->ids[i]);
	}
}

static void assert_sample(const struct decode_places *places, const unsigned char *bytes,
			  const struct decoded *decoded)
{
	assert_spots(&places->sample, bytes, 1, &decoded->id);
	if (places->sample.period != 0)
		assert_int_equal(decode_word_at(bytes, places->sample.period),
				 decoded->sample.period);
	if (decoded->id.has & PERF_SAMPLE_READ)
		assert_readings(places, bytes, &decoded->sample.read);
}

static void assert_switch(const struct decode_places *places, const unsigned char *bytes,
			  size_t size, const struct decoded *decoded)
{
	const struct decode_plain_head head = decode_plain_head(bytes);

	assert_spots(&places->trailer, bytes + size, -1, &decoded->id);
	assert_int_equal(head.out, decoded->ctx_switch.out);
	assert_int_equal(head.preempted, decoded->ctx_switch.preempted);
	if (head.type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	assert_int_equal(decode_number_at(bytes, DECODE_PLAIN_OTHER),
			 decoded->ctx_switch.other_pid);
	assert_int_equal(decode_number_at(bytes, DECODE_PLAIN_OTHER + 4),
			 decoded->ctx_switch.other_tid);
}

static bool check_one(const struct decode_format *format, uint32_t type, size_t words)
{
	const struct decode_places places = decode_places_of(format);
	const size_t size = (1 + words) * sizeof(uint64_t);
	const struct perf_event_header header = {
		.type = type, .misc = (uint16_t)random_number(), .size = (uint16_t)size};
	unsigned char *bytes = malloc(size); /* so large, for a sanitizer to see what is beyond */
	struct decoded decoded;
	bool is_plain, is_whole;

	memcpy(bytes, &header, sizeof(header));
	for (size_t i = 1; i <= words; i++) {
		const uint64_t word = random_number() % 6;

		memcpy(bytes + i * sizeof(word), &word, sizeof(word));
	}
	is_plain = decode_is_plain(&places, bytes, size);
	is_whole = decode_record(&decoded, bytes, size, format) == DECODE_OK;
	if (is_plain) {
		assert_true(is_whole);
		if (type == PERF_RECORD_SAMPLE)
			assert_sample(&places, bytes, &decoded);
		else
			assert_switch(&places, bytes, size, &decoded);
	} else if (type != PERF_RECORD_COMM && (format->sample_type & ~PLAIN) == 0) {
		assert_false(is_whole);
	}
	free(bytes);
	return is_plain;
}

UNIT_TEST(decode_is_plain_random_records_are_as_decoding_finds_them)
{
	static const uint32_t types[] = {PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH,
					 PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_COMM};
	size_t plain[4] = {0};

	for (size_t i = 0; i < FORMATS; i++) {
		const struct decode_format format = random_format();

		for (size_t t = 0; t < 4; t++)
			for (size_t words = 0; words <= WORDS_MAX; words++)
				plain[t] += check_one(&format, types[t], words);
	}
	assert_true(plain[0] > FORMATS / 2 && plain[1] > FORMATS && plain[2] > FORMATS);
	assert_int_equal(plain[3], 0);
}

UNIT_TEST(decode_is_plain_of_many_values_is_not_deceived)
{
	const struct decode_format format = {
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
	};
	const struct decode_places places = decode_places_of(&format);
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = 32};
	uint64_t words[4] = {0, UINT64_C(1) << 60 | 1, 0, 0}; /* 16 bytes each, modulo 2^64 */

	memcpy(words, &header, sizeof(header));
	assert_false(decode_is_plain(&places, words, sizeof(words)));
	words[1] = 1;
	assert_true(decode_is_plain(&places, words, sizeof(words)));
}

int main(void)
{
	return unit_run(NULL, NULL);
}
