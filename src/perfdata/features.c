/*
 * One small function for each feature. The machine is the one this runs on: names from uname(2),
 * the processor from /proc/cpuinfo.
 */

#include "perfdata/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/utsname.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/host.h"

#include "perfdata/bytes.h"
#include "perfdata/zstd.h"

enum {
	CPUINFO_BYTES = 16384, /* at least the first CPU whole */
	LINE_BYTES = 512,
	ZSTD = 1 /* of the feature COMPRESSED */
};

static bool append_name(enum disk_feature feature, struct strbuf *buffer)
{
	struct utsname names;

	if (uname(&names) != 0)
		return false;
	bytes_text(buffer, feature == DISK_HOSTNAME    ? names.nodename
			   : feature == DISK_OSRELEASE ? names.release
						       : names.machine);
	return true;
}

static uint32_t cpus_available(void)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);

	return count > 0 ? (uint32_t)count : 1;
}

static bool append_cpu_count(const struct host *host, struct strbuf *buffer)
{
	long online = host ? (long)host->online.count : sysconf(_SC_NPROCESSORS_ONLN);

	bytes_u32(buffer, cpus_available());
	bytes_u32(buffer, online > 0 ? (uint32_t)online : 1);
	return true;
}

/* The first value of a key of /proc/cpuinfo; false: it has none. */
static bool find_in_cpuinfo(const char *text, const char *key, char value[static LINE_BYTES])
{
	const char *found = file_find_key(text, key);
	size_t length = found ? strcspn(found, "\n") : 0;

	snprintf(value, LINE_BYTES, "%.*s", (int)length, length > 0 ? found : "");
	return length > 0;
}

static bool append_processor(struct strbuf *buffer)
{
	/* x86 and others; POWER; ARM. */
	static const char *const keys[] = {"model name", "cpu", "Processor"};
	char text[CPUINFO_BYTES], value[LINE_BYTES];

	if (file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (find_in_cpuinfo(text, keys[i], value)) {
			bytes_text(buffer, value);
			return true;
		}
	}
	return false;
}

/* Only x86 has these words in /proc/cpuinfo; perf writes them as "GenuineIntel,6,85,7". */
static bool append_cpu_id(struct strbuf *buffer)
{
	static const char *const keys[] = {"vendor_id", "cpu family", "model", "stepping"};
	char text[CPUINFO_BYTES], value[LINE_BYTES];
	char id[4 * LINE_BYTES + 4] = "";

	if (file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!find_in_cpuinfo(text, keys[i], value))
			return false;
		strcat(strcat(id, i > 0 ? "," : ""), value);
	}
	bytes_text(buffer, id);
	return true;
}

static bool append_memory(const struct host *host, struct strbuf *buffer)
{
	if (!host || host->memory_bytes == 0)
		return false;
	bytes_u64(buffer, host->memory_bytes / 1024);
	return true;
}

static bool append_command(char *const *arguments, struct strbuf *buffer)
{
	uint32_t count = 0;

	if (!arguments)
		return false;
	while (arguments[count])
		count++;
	bytes_u32(buffer, count);
	for (uint32_t i = 0; i < count; i++)
		bytes_text(buffer, arguments[i]);
	return count > 0;
}

/* What the types of attributes mean here: numbers are given to PMUs as they come. */
static bool append_pmus(const struct host *host, struct strbuf *buffer)
{
	struct strbuf bodies = {0};
	char path[128], text[32];
	uint32_t count = 0;

	for (size_t i = 0; host && i < host->pmu_count; i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
			 host->pmus[i]);
		if (file_read(path, text, sizeof(text)) > 0) {
			bytes_u32(&bodies, (uint32_t)strtoul(text, NULL, 10));
			bytes_text(&bodies, host->pmus[i]);
			count++;
		}
	}
	bytes_u32(buffer, count);
	strbuf_add_bytes(buffer, bodies.text, bodies.length);
	strbuf_fini(&bodies);
	return count > 0;
}

static bool append_clock(const struct run_facts *facts, struct strbuf *buffer)
{
	struct timespec resolution;

	if (clock_getres(facts->clock, &resolution) != 0)
		return false;
	bytes_u64(buffer, (uint64_t)resolution.tv_sec * 1000000000 + (uint64_t)resolution.tv_nsec);
	return true;
}

/* The same moment by both clocks; which moment is all the same. */
static bool append_wall(const struct run_facts *facts, struct strbuf *buffer)
{
	struct timespec now;

	if (clock_gettime(facts->clock, &now) != 0)
		return false;

	uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;

	bytes_u32(buffer, 1); /* version of this feature */
	bytes_u32(buffer, (uint32_t)facts->clock);
	bytes_u64(buffer, now_ns + (uint64_t)facts->wall_offset_ns);
	bytes_u64(buffer, now_ns);
	return true;
}

static bool append_times(const struct run_facts *facts, struct strbuf *buffer)
{
	bytes_u64(buffer, facts->first_ns);
	bytes_u64(buffer, facts->last_ns);
	return facts->last_ns != 0;
}

static bool append_compression(const struct run_facts *facts, struct strbuf *buffer)
{
	bytes_u32(buffer, 1); /* version of this feature */
	bytes_u32(buffer, ZSTD);
	bytes_u32(buffer, facts->compression);
	bytes_u32(buffer, facts->ratio);
	bytes_u32(buffer, COMPRESS_UNPACKED_MAX);
	return facts->compression != 0;
}

bool feature_append(enum disk_feature feature, const struct run_facts *facts, struct strbuf *buffer)
{
	switch (feature) {
	case DISK_HOSTNAME:
	case DISK_OSRELEASE:
	case DISK_ARCH:
		return append_name(feature, buffer);
	case DISK_VERSION:
		bytes_text(buffer, facts->version);
		return true;
	case DISK_NRCPUS:
		return append_cpu_count(facts->host, buffer);
	case DISK_CPUDESC:
		return append_processor(buffer);
	case DISK_CPUID:
		return append_cpu_id(buffer);
	case DISK_TOTAL_MEM:
		return append_memory(facts->host, buffer);
	case DISK_CMDLINE:
		return append_command(facts->arguments, buffer);
	case DISK_PMU_MAPPINGS:
		return append_pmus(facts->host, buffer);
	case DISK_SAMPLE_TIME:
		return append_times(facts, buffer);
	case DISK_CLOCKID:
		return append_clock(facts, buffer);
	case DISK_CLOCK_DATA:
		return append_wall(facts, buffer);
	case DISK_COMPRESSED:
		return append_compression(facts, buffer);
	case DISK_TRACING_DATA:
	case DISK_BUILD_ID:
	case DISK_CPU_TOPOLOGY:
	case DISK_EVENT_DESC:
	case DISK_GROUP_DESC:
	case DISK_FEATURES:
		break;
	}
	return false;
}

/*
 * Features by their numbers. Files have them in that order, each with a section in a table that
 * begins where the data ends; readers rely on both.
 */
enum {
	FEATURE_RECORD_BYTES = sizeof(struct perf_event_header) + sizeof(uint64_t)
};

void feature_bodies_fini(struct feature_bodies *features)
{
	for (size_t i = 0; i < DISK_FEATURES; i++)
		strbuf_fini(&features->bodies[i]);
}

void feature_bodies_describe(struct feature_bodies *features, const struct written_events *events)
{
	struct strbuf *groups = &features->bodies[DISK_GROUP_DESC];

	strbuf_clear(&features->bodies[DISK_EVENT_DESC]);
	attributes_describe(events, &features->bodies[DISK_EVENT_DESC]);
	strbuf_clear(groups);
	if (!attributes_describe_groups(events, groups))
		strbuf_clear(groups);
}

void feature_bodies_append(const struct feature_bodies *features, uint64_t offset,
			   uint64_t bits[static DISK_FEATURE_WORDS], struct strbuf *buffer)
{
	size_t count = 0;

	for (size_t i = 0; i < DISK_FEATURES; i++) {
		if (features->bodies[i].length > 0) {
			bits[i / 64] |= UINT64_C(1) << i % 64;
			count++;
		}
	}

	uint64_t next = offset + buffer->length + count * sizeof(struct disk_section);

	for (size_t i = 0; i < DISK_FEATURES; i++) {
		if (features->bodies[i].length > 0) {
			bytes_u64(buffer, next);
			bytes_u64(buffer, features->bodies[i].length);
			next += features->bodies[i].length;
		}
	}
	for (size_t i = 0; i < DISK_FEATURES; i++) {
		const struct strbuf *body = &features->bodies[i];

		strbuf_add_bytes(buffer, body->text, body->length);
	}
}

void feature_emit(enum disk_feature feature, const struct strbuf *body, struct strbuf *buffer)
{
	if (body->length == 0 || body->length > DISK_RECORD_MAX - FEATURE_RECORD_BYTES)
		return;
	bytes_header(buffer, DISK_RECORD_FEATURE, FEATURE_RECORD_BYTES + body->length);
	bytes_u64(buffer, feature);
	strbuf_add_bytes(buffer, body->text, body->length);
}

void feature_bodies_emit(const struct feature_bodies *features, struct strbuf *buffer)
{
	for (unsigned int i = 0; i < DISK_FEATURES; i++)
		feature_emit((enum disk_feature)i, &features->bodies[i], buffer);
}
