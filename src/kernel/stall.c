#include "kernel/stall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel/file.h"

enum {
	TEXT_BYTES = 1024,
	LINE_BYTES = 256 /* of a CPU in /proc/stat: eleven numbers of 64 bits */
};

static bool is_in_root(const char *root, const char *name)
{
	char path[TEXT_BYTES];

	return snprintf(path, sizeof(path), "%s%s", root, name) < (int)sizeof(path) &&
	       access(path, F_OK) == 0;
}

void cgroup_find_mounts(struct cgroup_mounts *mounts, const char *root)
{
	static const struct {
		const char *file, *mount;
	} unified[] =
		{
			{"/sys/fs/cgroup/cgroup.controllers", "/sys/fs/cgroup"},
			{"/sys/fs/cgroup/unified/cgroup.controllers", "/sys/fs/cgroup/unified"},
		},
	  cpu[] = {
		  {"/sys/fs/cgroup/cpu/cpu.stat", "/sys/fs/cgroup/cpu"},
		  {"/sys/fs/cgroup/cpu,cpuacct/cpu.stat", "/sys/fs/cgroup/cpu,cpuacct"},
	  };

	mounts->unified = "";
	for (size_t i = 0; i < sizeof(unified) / sizeof(unified[0]); i++)
		if (*mounts->unified == '\0' && is_in_root(root, unified[i].file))
			mounts->unified = unified[i].mount;
	mounts->cpu = "";
	/* in version 2 a folder of that name is an ordinary group */
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++)
		if (strcmp(mounts->unified, unified[0].mount) != 0 && *mounts->cpu == '\0' &&
		    is_in_root(root, cpu[i].file))
			mounts->cpu = cpu[i].mount;
	if (*mounts->cpu == '\0')
		mounts->cpu = mounts->unified;
}

static bool read_count(const char *text, uint64_t *number)
{
	return text_is_digit(*text) && sscanf(text, "%" SCNu64, number) == 1;
}

/* What follows these words at the beginning of a line; NULL: no line begins so. */
static const char *find_behind(const char *text, const char *words)
{
	const size_t length = strlen(words);

	while (text && strncmp(text, words, length) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text + length : NULL;
}

/* cpu.stat, "nr_periods 12" in a line; version 1 has ns. */
static uint32_t take_limit(const char *text, uint64_t *numbers)
{
	static const struct {
		enum stall_number number;
		const char *words;
		uint64_t unit;
	} lines[] = {
		{STALL_PERIODS, "nr_periods ", 1},
		{STALL_PERIODS_THROTTLED, "nr_throttled ", 1},
		{STALL_THROTTLED, "throttled_usec ", 1},
		{STALL_THROTTLED, "throttled_time ", NS_PER_US},
	};
	uint32_t known = STALL_HAS_CPU_STAT;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *value = find_behind(text, lines[i].words);

		if (!value || !read_count(value, &numbers[lines[i].number]))
			continue;
		numbers[lines[i].number] /= lines[i].unit;
		known |= 1u << lines[i].number;
	}
	return known;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12", and the same of "full". */
static uint32_t take_pressure(const char *text, enum stall_number some, uint64_t *numbers)
{
	static const char *const words[] = {"some ", "full "};
	uint32_t known = 0;

	for (unsigned int i = 0; i < 2; i++) {
		const char *line = find_behind(text, words[i]);
		const char *total = line ? strstr(line, "total=") : NULL;

		if (total && total < line + strcspn(line, "\n") &&
		    read_count(total + strlen("total="), &numbers[some + i]))
			known |= 1u << (some + i);
	}
	return known;
}

static bool leads_out(const char *path)
{
	while ((path = strstr(path, "/.."))) {
		path += 3;
		if (*path == '/' || *path == '\0')
			return true;
	}
	return false;
}

uint32_t cgroup_read_stalls(uint64_t numbers[static STALL_NUMBERS], const char *root,
			    const struct cgroup_mounts *mounts, const char *path)
{
	static const struct {
		const char *name;
		enum stall_number some;
	} files[] = {
		{"cpu.pressure", STALL_CPU_SOME},
		{"memory.pressure", STALL_MEMORY_SOME},
		{"io.pressure", STALL_IO_SOME},
	};
	char text[TEXT_BYTES];
	uint32_t known = 0;

	memset(numbers, 0, STALL_NUMBERS * sizeof(*numbers));
	if (path[0] != '/' || leads_out(path))
		return 0;
	if (*mounts->cpu != '\0' &&
	    file_readf(text, sizeof(text), "%s%s%s/cpu.stat", root, mounts->cpu, path) > 0)
		known = take_limit(text, numbers);
	if (*mounts->unified == '\0')
		return known;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (file_readf(text, sizeof(text), "%s%s%s/%s", root, mounts->unified, path,
			       files[i].name) > 0)
			known |= take_pressure(text, files[i].some, numbers);
	return known;
}

char *cpu_times_read(const char *root, size_t cpus)
{
	const size_t bytes = (cpus + 1) * LINE_BYTES;
	char *text = xcalloc(bytes, 1);

	if (file_readf(text, bytes, "%s/proc/stat", root) > 0)
		return text;
	free(text);
	return NULL;
}

/* "cpu0 user nice system idle iowait irq softirq steal guest guest_nice", in ticks; the line of all
 * CPUs has no number, and a line that is not whole is none. */
bool cpu_times_next(const char **text, int32_t *cpu, struct cpu_times *times)
{
	enum {
		USER,
		NICE,
		SYSTEM,
		IDLE,
		IOWAIT,
		IRQ,
		SOFTIRQ,
		STEAL,
		FIELDS
	};
	const uint64_t tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	const char *field = find_behind(*text, "cpu");
	uint64_t ticks[FIELDS] = {0};

	while (field && *field == ' ')
		field = find_behind(field, "cpu");
	if (!field || !strchr(field, '\n') || sscanf(field, "%" SCNd32, cpu) != 1)
		return false;
	*text = field;
	for (int i = 0; i < FIELDS; i++) {
		field += strcspn(field, " \n");
		field += *field == ' ';
		if (!read_count(field, &ticks[i]))
			return false;
	}
	*times = (struct cpu_times){
		.user_ns = (ticks[USER] + ticks[NICE]) * tick_ns,
		.system_ns = ticks[SYSTEM] * tick_ns,
		.irq_ns = (ticks[IRQ] + ticks[SOFTIRQ]) * tick_ns,
		.idle_ns = (ticks[IDLE] + ticks[IOWAIT]) * tick_ns,
		.stolen_ns = ticks[STEAL] * tick_ns,
	};
	return true;
}
