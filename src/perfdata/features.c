/*
 * One small function for each feature. The machine is the one this runs on: names from uname(2),
 * the processor from /proc/cpuinfo, where its CPUs are from sysfs.
 */

#include "perfdata/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/utsname.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/encode.h"
#include "kernel/file.h"
#include "kernel/host.h"
#include "kernel/rights.h"

#include "perfdata/bytes.h"
#include "perfdata/tracing.h"
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

	codec_put_u32(buffer, cpus_available());
	codec_put_u32(buffer, online > 0 ? (uint32_t)online : 1);
	return true;
}

static bool append_processor(struct strbuf *buffer)
{
	/* x86 and others; POWER; ARM. */
	static const char *const keys[] = {"model name", "cpu", "Processor"};
	char text[CPUINFO_BYTES], value[LINE_BYTES];

	if (file_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *found = file_find_key(text, keys[i]);

		if (!found || *found == '\n')
			continue;
		snprintf(value, sizeof(value), "%.*s", (int)strcspn(found, "\n"), found);
		bytes_text(buffer, value);
		return true;
	}
	return false;
}

static bool append_cpu_id(struct strbuf *buffer)
{
	char id[HOST_TEXT_MAX];

	if (!host_read_cpu_id(id, ""))
		return false;
	bytes_text(buffer, id);
	return true;
}

static bool append_memory(const struct host *host, struct strbuf *buffer)
{
	if (!host || host->memory_bytes == 0)
		return false;
	codec_put_u64(buffer, host->memory_bytes / 1024);
	return true;
}

static bool append_command(char *const *arguments, struct strbuf *buffer)
{
	uint32_t count = 0;

	if (!arguments)
		return false;
	while (arguments[count])
		count++;
	codec_put_u32(buffer, count);
	for (uint32_t i = 0; i < count; i++)
		bytes_text(buffer, arguments[i]);
	return count > 0;
}

/* Lists of CPUs that share something, each once. */
struct lists {
	struct strbuf bodies;
	uint32_t count;
};

/* A file of a CPU's topology without its line end; false: there is none. */
static bool read_topology(uint32_t cpu, const char *name, char text[static LINE_BYTES])
{
	if (file_readf(text, LINE_BYTES, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name) <=
	    0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/* A list is written at its first CPU. */
static void gather_list(struct lists *lists, uint32_t cpu, const char *name)
{
	char text[LINE_BYTES];
	struct number_list list;

	if (!read_topology(cpu, name, text) || !number_list_parse(&list, text, 65535))
		return;
	if (list.count > 0 && list.numbers[0] == (int)cpu) {
		lists->count++;
		bytes_text(&lists->bodies, text);
	}
	number_list_fini(&list);
}

static void append_lists(const char *name, struct strbuf *buffer)
{
	struct lists lists = {0};

	for (uint32_t cpu = 0; cpu < cpus_available(); cpu++)
		gather_list(&lists, cpu, name);
	codec_put_u32(buffer, lists.count);
	if (lists.count > 0)
		strbuf_add_bytes(buffer, lists.bodies.text, lists.bodies.length);
	strbuf_fini(&lists.bodies);
}

/* -1 of a CPU that is offline. */
static void append_number(uint32_t cpu, const char *name, struct strbuf *buffer)
{
	long long number;

	if (!file_read_number(&number, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name))
		number = -1;
	codec_put_u32(buffer, (uint32_t)number);
}

static bool append_topology(struct strbuf *buffer)
{
	char text[LINE_BYTES];

	/* Its newer name is core_cpus_list; this one is everywhere. */
	if (!read_topology(0, "thread_siblings_list", text))
		return false;
	append_lists("core_siblings_list", buffer);
	append_lists("thread_siblings_list", buffer);
	for (uint32_t cpu = 0; cpu < cpus_available(); cpu++) {
		append_number(cpu, "core_id", buffer);
		append_number(cpu, "physical_package_id", buffer);
	}
	return true;
}

/* That of one node; nothing of one that cannot be read whole. */
static uint32_t append_node(int node, struct strbuf *buffer)
{
	char text[LINE_BYTES], cpus[LINE_BYTES];
	const char *all, *free;

	if (file_readf(text, sizeof(text), "/sys/devices/system/node/node%d/meminfo", node) <= 0 ||
	    file_readf(cpus, sizeof(cpus), "/sys/devices/system/node/node%d/cpulist", node) <= 0)
		return 0;
	all = strstr(text, "MemTotal:");
	free = strstr(text, "MemFree:");
	if (!all || !free)
		return 0;
	cpus[strcspn(cpus, "\n")] = '\0';
	codec_put_u32(buffer, (uint32_t)node);
	codec_put_u64(buffer, strtoull(all + strlen("MemTotal:"), NULL, 10));
	codec_put_u64(buffer, strtoull(free + strlen("MemFree:"), NULL, 10));
	bytes_text(buffer, cpus);
	return 1;
}

/* Without it perf c2c does not read the file. */
static bool append_nodes(struct strbuf *buffer)
{
	struct strbuf bodies = {0};
	struct number_list nodes;
	uint32_t count = 0;

	if (!file_read_list(&nodes, "/sys/devices/system/node/online"))
		return false;
	for (size_t i = 0; i < nodes.count; i++)
		count += append_node(nodes.numbers[i], &bodies);
	codec_put_u32(buffer, count);
	strbuf_add_bytes(buffer, bodies.text, bodies.length);
	strbuf_fini(&bodies);
	number_list_fini(&nodes);
	return count > 0;
}

/* What the types of attributes mean here: numbers are given to PMUs as they come. */
static bool append_pmus(const struct host *host, struct strbuf *buffer)
{
	struct strbuf bodies = {0};
	uint32_t count = 0;

	for (size_t i = 0; host && i < host->pmu_count; i++) {
		long long type;

		if (!file_read_number(&type, "/sys/bus/event_source/devices/%s/type",
				      host->pmus[i]))
			continue;
		codec_put_u32(&bodies, (uint32_t)type);
		bytes_text(&bodies, host->pmus[i]);
		count++;
	}
	codec_put_u32(buffer, count);
	strbuf_add_bytes(buffer, bodies.text, bodies.length);
	strbuf_fini(&bodies);
	return count > 0;
}

static bool append_clock(const struct run_facts *facts, struct strbuf *buffer)
{
	struct timespec resolution;

	if (clock_getres(facts->clock, &resolution) != 0)
		return false;
	codec_put_u64(buffer,
		      (uint64_t)resolution.tv_sec * 1000000000 + (uint64_t)resolution.tv_nsec);
	return true;
}

/* The same moment by both clocks; which moment is all the same. */
static bool append_wall(const struct run_facts *facts, struct strbuf *buffer)
{
	struct timespec now;

	if (clock_gettime(facts->clock, &now) != 0)
		return false;

	uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;

	codec_put_u32(buffer, 1); /* version of this feature */
	codec_put_u32(buffer, (uint32_t)facts->clock);
	codec_put_u64(buffer, now_ns + (uint64_t)facts->wall_offset_ns);
	codec_put_u64(buffer, now_ns);
	return true;
}

static bool append_times(const struct run_facts *facts, struct strbuf *buffer)
{
	codec_put_u64(buffer, facts->first_ns);
	codec_put_u64(buffer, facts->last_ns);
	return facts->last_ns != 0;
}

static bool append_compression(const struct run_facts *facts, struct strbuf *buffer)
{
	codec_put_u32(buffer, 1); /* version of this feature */
	codec_put_u32(buffer, ZSTD);
	codec_put_u32(buffer, facts->compression);
	codec_put_u32(buffer, facts->ratio);
	codec_put_u32(buffer, COMPRESS_UNPACKED_MAX);
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
	case DISK_CPU_TOPOLOGY:
		return append_topology(buffer);
	case DISK_NUMA_TOPOLOGY:
		return append_nodes(buffer);
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

void feature_bodies_trace(struct feature_bodies *features, struct written_events *events,
			  const char *tracefs)
{
	struct tracing_query *queries = xcalloc(events->count, sizeof(*queries));
	struct strbuf *body = &features->bodies[DISK_TRACING_DATA];
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct written_event *event = &events->events[i];

		if (event->attr.type == PERF_TYPE_TRACEPOINT) {
			queries[count++] = (struct tracing_query){.id = event->attr.config,
								  .name = event->name};
		}
	}
	strbuf_clear(body);
	tracing_append(tracefs, queries, count, body);
	count = 0;
	for (size_t i = 0; i < events->count; i++) {
		struct written_event *event = &events->events[i];

		if (event->attr.type == PERF_TYPE_TRACEPOINT)
			event->has_format = queries[count++].is_met;
	}
	free(queries);
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
			codec_put_u64(buffer, next);
			codec_put_u64(buffer, features->bodies[i].length);
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
	const size_t most = DISK_RECORD_MAX - sizeof(struct record_header) - sizeof(uint64_t);

	if (body->length == 0 || body->length > most)
		return;
	bytes_header(buffer, DISK_RECORD_FEATURE, 0, sizeof(uint64_t) + body->length);
	codec_put_u64(buffer, feature);
	strbuf_add_bytes(buffer, body->text, body->length);
}

void feature_bodies_emit(const struct feature_bodies *features, struct strbuf *buffer)
{
	for (unsigned int i = 0; i < DISK_FEATURES; i++)
		if (i != DISK_TRACING_DATA && i != DISK_BUILD_ID)
			feature_emit((enum disk_feature)i, &features->bodies[i], buffer);
}

void feature_emit_tracing(const struct strbuf *body, struct strbuf *buffer)
{
	size_t padded = (body->length + 7) / 8 * 8;

	bytes_header(buffer, DISK_RECORD_TRACING_DATA, 0, sizeof(uint32_t));
	codec_put_u32(buffer, (uint32_t)padded);
	strbuf_add_bytes(buffer, body->text, body->length);
	strbuf_add_repeated(buffer, '\0', padded - body->length);
}

/*
 * The kernel's text begins at the symbol _text, or _stext. They are at the beginning of
 * /proc/kallsyms or, where addresses of CPUs' data are small numbers, soon behind it; the file is
 * some MiB long, so only its first part is read. The end is not looked for: perf takes what is
 * there for the kernel's until modules say otherwise.
 */
enum {
	KALLSYMS_BYTES = 1024 * 1024
};

/* The address in the line before the symbol's name, "ffffffff81000000 T _text"; 0: not shown. */
static uint64_t address_of_symbol(const char *text, const char *symbol)
{
	const char *found = strstr(text, symbol);

	while (found && found > text && found[-1] != '\n')
		found--;
	return found ? strtoull(found, NULL, 16) : 0;
}

static uint64_t find_start(const char *kallsyms, const char **name)
{
	char *text = xcalloc(KALLSYMS_BYTES, 1);
	uint64_t start = 0;
	long length;

	rights_raise(RIGHTS_KALLSYMS);
	length = file_read(kallsyms, text, KALLSYMS_BYTES);
	rights_lower();
	if (length > 0) {
		*name = "[kernel.kallsyms]_text";
		start = address_of_symbol(text, " _text\n");
		if (start == 0) {
			*name = "[kernel.kallsyms]_stext";
			start = address_of_symbol(text, " _stext\n");
		}
	}
	free(text);
	return start;
}

bool kernel_map_append(const char *kallsyms, uint64_t id, struct strbuf *buffer)
{
	const struct decode_format format = writer_format(WRITER_TIMELINE);
	struct encoder encoder;
	const char *name;
	const uint64_t start = find_start(kallsyms, &name);

	if (start == 0)
		return false;
	encode_begin(&encoder, strbuf_room(buffer, ENCODE_SIZE_MAX), &format,
		     &(const struct decoded_id){.id = id}, PERF_RECORD_MMAP2,
		     PERF_RECORD_MISC_KERNEL);
	encode_mmap2(&encoder,
		     &(const struct decoded_mmap){
			     .pid = -1, /* of no process */
			     .address = start,
			     .length = UINT64_MAX - start,
			     .page_offset = start, /* of the symbol: perf moves others by it */
			     .protection = PROT_READ | PROT_EXEC,
			     .flags = MAP_PRIVATE,
			     .file = name,
			     .file_length = strlen(name),
		     });
	strbuf_fill(buffer, encode_end(&encoder));
	return true;
}
