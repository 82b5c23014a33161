#include "model/sampled.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/record.h"
#include "model/stream.h"

struct sampled_stream {
	struct stream stream;
	uint16_t group;
	bool was_seen; /* in this interval */
	uint64_t numbers[READING_MAX];
};

static uint64_t sampled_key(const struct record *record)
{
	return record->sample.is_of_task ? UINT64_C(1) << 32 | (uint32_t)record->tid
					 : (uint32_t)record->cpu;
}

static struct sampled_stream *find_sampled_stream(struct sampled *sampled, uint64_t key)
{
	struct sampled_stream *found = map_get(&sampled->streams, key);

	if (found)
		return found;
	found = xcalloc(1, sizeof(*found));
	found->stream.last = found->numbers;
	map_put(&sampled->streams, key, found);
	return found;
}

static void forget_streams(struct sampled *sampled, bool all)
{
	struct map kept = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&sampled->streams, each));) {
		struct sampled_stream *of = each->value;

		if (all || !of->was_seen) {
			free(of);
			continue;
		}
		of->was_seen = false;
		map_put(&kept, each->key, of);
	}
	map_fini(&sampled->streams);
	sampled->streams = kept;
}

void sampled_fini(struct sampled *sampled)
{
	forget_streams(sampled, true);
}

void sampled_close(struct sampled *sampled)
{
	if (sampled->streams.count > 0)
		forget_streams(sampled, false);
}

bool sampled_take(struct sampled *sampled, const struct layout *layout, const struct record *record,
		  struct slice *slice)
{
	const struct record_reading *reading = record->sample.reading;
	struct sampled_stream *of;

	if (!reading)
		return false;
	slice->group = &layout->groups[reading->group];
	slice->is_clock = false;
	of = find_sampled_stream(sampled, sampled_key(record));
	of->was_seen = true;
	if (of->group != reading->group || of->stream.generation != slice->group->generation ||
	    record->sample.lost > 0)
		of->stream.has_baseline = false;
	of->group = reading->group;
	of->stream.generation = slice->group->generation;
	return stream_advance(&of->stream, reading, false, slice) == STREAM_SLICE &&
	       slice->delta[READING_SWITCHES] == 0;
}
