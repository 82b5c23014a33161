/* What a file tells of the machine and of the run, and where the kernel lies. */

#include <time.h>
#include <unistd.h>

#include <sys/utsname.h>

#include "base/strbuf.h"
#include "kernel/decode.h"
#include "kernel/file.h"
#include "kernel/host.h"

#include "fake_root.h"
#include "mmap2_record.h"
#include "perfdata/features.h"
#include "perfdata/writer.h"
#include "unit.h"

static struct strbuf body;

static int teardown(void **state)
{
	strbuf_fini(&body);
	return fake_root_teardown(state);
}

static bool append(enum disk_feature feature, const struct run_facts *facts)
{
	strbuf_clear(&body);
	return feature_append(feature, facts, &body);
}

static uint32_t u32_at(size_t at)
{
	uint32_t value;

	assert_true(at + sizeof(value) <= body.length);
	memcpy(&value, body.text + at, sizeof(value));
	return value;
}

static uint64_t u64_at(size_t at)
{
	uint64_t value;

	assert_true(at + sizeof(value) <= body.length);
	memcpy(&value, body.text + at, sizeof(value));
	return value;
}

/* A string at a place; where the next thing is. */
static size_t assert_text(size_t at, const char *text)
{
	uint32_t size = u32_at(at);

	assert_int_equal(size % 64, 0);
	assert_true(at + 4 + size <= body.length);
	assert_string_equal(body.text + at + 4, text);
	return at + 4 + size;
}

UNIT_TEST(feature_append_names_are_those_of_uname)
{
	const struct run_facts facts = {.version = "perftop 1"};
	struct utsname names;

	uname(&names);
	assert_true(append(DISK_HOSTNAME, &facts));
	assert_int_equal(assert_text(0, names.nodename), body.length);
	assert_true(append(DISK_OSRELEASE, &facts));
	assert_text(0, names.release);
	assert_true(append(DISK_ARCH, &facts));
	assert_text(0, names.machine);
	assert_true(append(DISK_VERSION, &facts));
	assert_text(0, "perftop 1");
}

UNIT_TEST(feature_append_processor_is_that_of_the_host)
{
	const struct run_facts facts = {.version = ""};
	char id[HOST_TEXT_MAX];

	assert_int_equal(append(DISK_CPUID, &facts), host_read_cpu_id(id, ""));
	if (id[0] != '\0')
		assert_int_equal(assert_text(0, id), body.length);
}

UNIT_TEST(feature_append_command_has_every_word)
{
	char program[] = "perftop", word[] = "-w", longest[100];
	char *const words[] = {program, word, longest, NULL};
	const struct run_facts facts = {.arguments = words};

	memset(longest, 'x', 99);
	longest[99] = '\0';
	assert_true(append(DISK_CMDLINE, &facts));
	assert_int_equal(u32_at(0), 3);
	assert_int_equal(assert_text(assert_text(assert_text(4, program), word), longest),
			 body.length);
}

UNIT_TEST(feature_append_wall_clock_is_the_offset_apart)
{
	const struct run_facts facts = {.clock = CLOCK_MONOTONIC,
					.wall_offset_ns = INT64_C(1700000000000000000)};
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_true(append(DISK_CLOCK_DATA, &facts));
	assert_int_equal(u32_at(0), 1);
	assert_int_equal(u32_at(4), CLOCK_MONOTONIC);
	assert_int_equal(u64_at(8) - u64_at(16), 1700000000000000000);
	assert_in_range(u64_at(16) / 1000000000, (uint64_t)now.tv_sec, (uint64_t)now.tv_sec + 60);
	assert_true(append(DISK_CLOCKID, &facts));
	assert_int_equal(body.length, 8);
}

UNIT_TEST(feature_append_machine_has_its_numbers)
{
	const struct host host = {.memory_bytes = 4096 * 1024, .online = {.count = 3}};
	const struct run_facts facts = {.host = &host};

	assert_true(append(DISK_TOTAL_MEM, &facts));
	assert_int_equal(u64_at(0), 4096);
	assert_true(append(DISK_NRCPUS, &facts));
	assert_int_equal(u32_at(0), sysconf(_SC_NPROCESSORS_CONF));
	assert_int_equal(u32_at(4), 3);
}

UNIT_TEST(feature_append_nodes_have_their_memory_and_cpus)
{
	const struct run_facts facts = {.version = ""};
	char cpus[256];

	if (file_read("/sys/devices/system/node/node0/cpulist", cpus, sizeof(cpus)) <= 0) {
		assert_false(append(DISK_NUMA_TOPOLOGY, &facts));
		return;
	}
	cpus[strcspn(cpus, "\n")] = '\0';
	assert_true(append(DISK_NUMA_TOPOLOGY, &facts));
	assert_true(u32_at(0) >= 1);
	assert_int_equal(u32_at(4), 0);
	assert_in_range(u64_at(16), 1, u64_at(8)); /* free, of all */
	assert_text(24, cpus);
}

UNIT_TEST(feature_append_unknown_is_left_out)
{
	const struct run_facts times = {.first_ns = 5, .last_ns = 7}, facts = {.clock = -12345};
	static const enum disk_feature unknown[] = {
		DISK_COMPRESSED, DISK_CLOCKID,   DISK_CLOCK_DATA,   (enum disk_feature)0,
		DISK_CMDLINE,    DISK_TOTAL_MEM, DISK_TRACING_DATA, DISK_SAMPLE_TIME};

	for (size_t i = 0; i < COUNT_OF(unknown); i++)
		assert_false(append(unknown[i], &facts));
	assert_true(append(DISK_SAMPLE_TIME, &times));
	assert_int_equal(u64_at(0), 5);
	assert_int_equal(u64_at(8), 7);
}

static const struct mmap2_record *map_kernel(const char *kallsyms)
{
	char path[FAKE_PATH_BYTES];

	fake_root_file("/kallsyms", kallsyms);
	fake_root_path(path, "/kallsyms");
	strbuf_clear(&body);
	return kernel_map_append(path, 77, &body) ? (const struct mmap2_record *)body.text : NULL;
}

UNIT_TEST(kernel_map_append_begins_at_the_text)
{
	const struct decode_format format = writer_format(WRITER_TIMELINE);
	const struct mmap2_record *map = map_kernel("0000000000000000 A fixed_percpu_data\n"
						    "ffffffff80000000 t other_text\n"
						    "ffffffff81000000 T _text\n"
						    "ffffffff81000010 T _stext\n");
	struct decoded record;

	assert_int_equal(decode_record(&record, body.text, body.length, &format), DECODE_OK);
	assert_int_equal(record.type, DECODED_MMAP2);
	assert_int_equal(record.id.id, 77);
	assert_int_equal(record.id.time_ns, 0);
	assert_int_equal(map->pid, UINT32_MAX);
	assert_int_equal(map->address, 0xffffffff81000000);
	assert_int_equal(map->page_offset, 0xffffffff81000000);
	assert_string_equal(map->file, "[kernel.kallsyms]_text");
}

UNIT_TEST(kernel_map_append_takes_the_other_symbol_or_none)
{
	const struct mmap2_record *map = map_kernel("c000000000000000 T _stext\n");

	assert_int_equal(map->address, 0xc000000000000000);
	assert_string_equal(map->file, "[kernel.kallsyms]_stext");
	/* hidden addresses are unknown */
	assert_null(map_kernel("0000000000000000 T _text\n0000000000000000 T _stext\n"));
	assert_null(map_kernel("ffffffff81000000 T _textual\n"));
	assert_null(map_kernel(""));
	assert_false(kernel_map_append("/nowhere", 1, &body));
	assert_int_equal(body.length, 0);
}

UNIT_MAIN(fake_root_setup, teardown)
