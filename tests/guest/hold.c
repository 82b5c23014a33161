/*
 * hold: opens one of each kind of event that makes the kernel change its code when the first of
 * that kind is opened and when the last one is closed, and keeps them in the background. They count
 * for this process, which sleeps; being mapped but not open, they are in nobody's list of
 * descriptors.
 *
 * With them the code stays as it is while others open and close their events. A guest needs that:
 * emulators before 8.1 may keep what a CPU translated while another one changed it. Such a CPU
 * meets, for ever, the int3 that is put into the code meanwhile (text_poke_bp() in the kernel's
 * arch/x86/kernel/alternative.c).
 *
 * Exit: 1 when one of them could not be opened.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const uint64_t software[] = {
	PERF_COUNT_SW_PAGE_FAULTS,      PERF_COUNT_SW_PAGE_FAULTS_MIN,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ,  PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	PERF_COUNT_SW_EMULATION_FAULTS, PERF_COUNT_SW_DUMMY,
	PERF_COUNT_SW_BPF_OUTPUT,       PERF_COUNT_SW_CGROUP_SWITCHES,
};

static const char *const tracepoints[] = {"sched_switch", "sched_waking", "sched_wakeup",
					  "sched_wakeup_new"};

static const char *const functions[] = {"do_sched_yield"};

static bool number_in(const char *path, uint32_t *number)
{
	FILE *file = fopen(path, "re");
	bool is_read = file != NULL && fscanf(file, "%u", number) == 1;

	if (!is_read)
		perror(path);
	if (file != NULL)
		fclose(file);
	return is_read;
}

static bool hold(const char *name, uint32_t type, uint64_t config, const char *function)
{
	struct perf_event_attr attr = {.type = type, .size = sizeof(attr), .config = config};

	attr.kprobe_func = (uintptr_t)function;
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	bool is_held = fd >= 0 && mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
				       fd, 0) != MAP_FAILED;

	if (!is_held)
		perror(name);
	if (fd >= 0)
		close(fd);
	return is_held;
}

static bool hold_tracepoint(const char *name)
{
	char path[128];
	uint32_t id = 0;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/sched/%s/id", name);
	return number_in(path, &id) && hold(name, PERF_TYPE_TRACEPOINT, id, NULL);
}

static bool hold_function(const char *name)
{
	uint32_t type = 0;

	return number_in("/sys/bus/event_source/devices/kprobe/type", &type) &&
	       hold(name, type, 0, name);
}

static bool hold_all(void)
{
	bool all = true;

	for (size_t i = 0; i < COUNT(software); i++)
		all = hold("a software event", PERF_TYPE_SOFTWARE, software[i], NULL) && all;
	for (size_t i = 0; i < COUNT(tracepoints); i++)
		all = hold_tracepoint(tracepoints[i]) && all;
	for (size_t i = 0; i < COUNT(functions); i++)
		all = hold_function(functions[i]) && all;
	return all;
}

int main(void)
{
	char status = 1;
	int result[2];

	if (pipe(result))
		return 1;
	if (fork() != 0) { /* what is mapped does not go along */
		close(result[1]);
		return read(result[0], &status, 1) == 1 ? status : 1;
	}
	setsid();
	status = hold_all() ? 0 : 1;
	if (write(result[1], &status, 1) != 1 || status != 0)
		return 1;
	close(result[0]);
	close(result[1]);
	for (;;)
		pause();
}
