/*
 * What /proc shows about tasks. Texts are parsed with care for names, which are any bytes a program
 * has chosen: "stat" has them raw (tried on Linux 6.1 and 6.18), line ends and all, so that the
 * name ends at the last ')'.
 */

#include "kernel/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/file.h"

enum {
	PATH_BYTES = 64,
	STAT_BYTES = 2048,   /* 52 numbers of 20 digits, and a name */
	STATUS_BYTES = 8192, /* the lists of CPUs and memory nodes are long on big machines */
	COMM_BYTES = 128,
	CGROUP_BYTES = 16384, /* a line for each of up to 14 hierarchies */
	ARGUMENT_BYTES = 4096
};

/* PF_KTHREAD of the kernel's include/linux/sched.h, in field 9 of stat. */
static const uint64_t FLAG_KERNEL_THREAD = 0x00200000;

static long read_task_file(int32_t tid, const char *name, char *text, size_t size)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", tid, name);
	return file_read(path, text, size);
}

static void copy_name(char *name, size_t size, const char *text, const char *end)
{
	size_t length = (size_t)(end - text);

	if (length > size - 1)
		length = size - 1;
	memcpy(name, text, length);
	name[length] = '\0';
}

/* Moves *text past the number it is at; false when there is none. */
static bool next_number(const char **text, uint64_t *value)
{
	char *end;

	/* Negative numbers (tty, priority) are passed over, their value is of no use here. */
	*value = strtoull(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* Fields of stat behind the name, numbered as in proc(5). */
static bool parse_stat_fields(const char *text, struct proc_task *task)
{
	enum {
		STATE = 3,
		PARENT = 4,
		SESSION = 6,
		FLAGS = 9,
		THREADS = 20,
		START = 22,
		CPU = 39
	};

	if (text[0] != ' ' || text[1] == '\0')
		return false;
	task->state = text[1];
	text += 2;
	for (int field = STATE + 1; field <= CPU; field++) {
		uint64_t value;

		if (!next_number(&text, &value))
			return false;
		switch (field) {
		case PARENT:
			task->parent_pid = (int32_t)value;
			break;
		case SESSION:
			task->session = (int32_t)value;
			break;
		case FLAGS:
			task->is_kernel_thread = (value & FLAG_KERNEL_THREAD) != 0;
			break;
		case THREADS:
			task->is_survived = task->state == 'Z' && value > 1;
			break;
		case START:
			task->start_ticks = value;
			break;
		case CPU:
			task->cpu = (int)value;
			break;
		default:
			break;
		}
	}
	return true;
}

static bool parse_stat(const char *text, struct proc_task *task)
{
	const char *open = strchr(text, '(');
	const char *close = strrchr(text, ')');

	if (!open || !close || close < open)
		return false;
	copy_name(task->name, sizeof(task->name), open + 1, close);
	return parse_stat_fields(close + 1, task);
}

/*
 * The thread group of a task. Most tasks asked for are the first thread of theirs, and tgkill()
 * with signal 0 shows it without opening a file: it sends nothing, and fails with ESRCH when the
 * task is not in that group.
 */
static bool find_group(int32_t tid, int32_t *pid)
{
	if (syscall(SYS_tgkill, tid, tid, 0) == 0 || errno != ESRCH) {
		*pid = tid;
		return true;
	}

	char text[STATUS_BYTES];

	if (read_task_file(tid, "status", text, sizeof(text)) <= 0)
		return false;

	const char *value = file_find_key(text, "Tgid");

	if (!value)
		return false;
	*pid = (int32_t)strtol(value, NULL, 10);
	return *pid > 0;
}

bool proc_read_task(int32_t tid, struct proc_task *task)
{
	char text[STAT_BYTES];
	struct proc_task found = {.tid = tid};

	if (read_task_file(tid, "stat", text, sizeof(text)) <= 0 || !parse_stat(text, &found) ||
	    !find_group(tid, &found.pid))
		return false;
	found.uid = proc_owner(tid);
	if (found.uid < 0)
		return false;
	*task = found;
	return true;
}

bool proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text)
{
	char *bytes = xcalloc(limit + 1, 1);
	long count = read_task_file(pid, "cmdline", bytes, limit + 1);

	if (count >= 0) {
		size_t length = (size_t)count;

		while (length > 0 && bytes[length - 1] == '\0')
			length--;
		for (size_t i = 0; i < length; i++)
			if (bytes[i] == '\0')
				bytes[i] = ' ';
		strbuf_clear(text);
		strbuf_add_bytes(text, bytes, length);
	}
	free(bytes);
	return count >= 0;
}

bool proc_read_cgroups(int32_t tid, struct strbuf *lines)
{
	char text[CGROUP_BYTES];
	const long count = read_task_file(tid, "cgroup", text, sizeof(text));

	if (count <= 0)
		return false;
	strbuf_clear(lines);
	strbuf_add_bytes(lines, text, (size_t)count);
	return true;
}

bool proc_read_switches(int32_t tid, uint64_t *voluntary, uint64_t *involuntary)
{
	char text[STATUS_BYTES];

	if (read_task_file(tid, "status", text, sizeof(text)) <= 0)
		return false;

	const char *first = file_find_key(text, "voluntary_ctxt_switches");
	const char *second = file_find_key(text, "nonvoluntary_ctxt_switches");
	uint64_t counts[2];

	if (!first || !second || !next_number(&first, &counts[0]) ||
	    !next_number(&second, &counts[1]))
		return false;
	*voluntary = counts[0];
	*involuntary = counts[1];
	return true;
}

bool proc_read_schedstat(int32_t tid, uint64_t *run_ns, uint64_t *wait_ns)
{
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t run, wait;

	if (read_task_file(tid, "schedstat", text, sizeof(text)) <= 0 || !next_number(&at, &run) ||
	    !next_number(&at, &wait))
		return false;
	*run_ns = run;
	*wait_ns = wait;
	return true;
}

bool proc_read_run_delay(int32_t pid, int32_t tid, uint64_t *wait_ns)
{
	char path[PATH_BYTES], text[COMM_BYTES];
	const char *at = text;
	uint64_t run, wait;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task/%" PRId32 "/schedstat", pid, tid);
	if (file_read(path, text, sizeof(text)) <= 0 || !next_number(&at, &run) ||
	    !next_number(&at, &wait))
		return false;
	*wait_ns = wait;
	return true;
}

bool proc_has_run_delay(void)
{
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t number = 0;

	if (file_read("/proc/self/schedstat", text, sizeof(text)) <= 0)
		return false;
	/* run, wait, slices: the caller has run at least once */
	return next_number(&at, &number) && next_number(&at, &number) &&
	       next_number(&at, &number) && number > 0;
}

int64_t proc_last_pid(void)
{
	char text[COMM_BYTES];

	/* "0.20 0.18 0.12 1/80 11206": the last word, which needs no kernel option, unlike
	 * ns_last_pid */
	if (file_read("/proc/loadavg", text, sizeof(text)) <= 0)
		return -1;

	const char *last = strrchr(text, ' ');
	uint64_t pid;

	if (!last || !next_number(&last, &pid))
		return -1;
	return (int64_t)pid;
}

static int64_t read_file_owner(int32_t pid, const char *name)
{
	char path[PATH_BYTES];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "%s", pid, name);
	return stat(path, &status) == 0 ? (int64_t)status.st_uid : -1;
}

int64_t proc_owner(int32_t pid)
{
	/* The directory's owner is the effective uid even where the files in it belong to root. */
	return read_file_owner(pid, "");
}

bool proc_is_guarded(int32_t pid)
{
	int64_t owner = read_file_owner(pid, "");
	int64_t file_owner = read_file_owner(pid, "/stat");

	return owner >= 0 && file_owner >= 0 && owner != file_owner;
}

/* A directory entry that is a task; 0: none. */
static int32_t parse_task_name(const char *name)
{
	char *end;

	if (!isdigit((unsigned char)name[0]))
		return 0;

	long value = strtol(name, &end, 10);

	return *end == '\0' && value > 0 && value <= INT32_MAX ? (int32_t)value : 0;
}

bool proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	char path[PATH_BYTES] = "/proc";

	if (pid != 0)
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/task", pid);

	DIR *directory = opendir(path);

	if (!directory)
		return false;

	const struct dirent *entry;
	bool go_on = true;

	while (go_on && (entry = readdir(directory))) {
		int32_t id = parse_task_name(entry->d_name);

		if (id > 0)
			go_on = visit(id, context);
	}
	closedir(directory);
	return true;
}

typedef bool name_matches_fn(const char *text, const char *name);

static bool is_equal(const char *text, const char *name)
{
	return strcmp(text, name) == 0;
}

static bool has_comm(int32_t pid, const char *name, name_matches_fn *matches)
{
	char comm[COMM_BYTES];
	long length = read_task_file(pid, "comm", comm, sizeof(comm));

	if (length > 0 && comm[length - 1] == '\n')
		comm[length - 1] = '\0';
	return length > 0 && matches(comm, name);
}

static bool has_program(int32_t pid, const char *name, name_matches_fn *matches)
{
	char program[ARGUMENT_BYTES]; /* up to the first NUL: the first word */

	if (read_task_file(pid, "cmdline", program, sizeof(program)) <= 0)
		return false;

	const char *slash = strrchr(program, '/');

	return matches(slash ? slash + 1 : program, name);
}

struct name_search {
	const char *name;
	name_matches_fn *matches;
	int32_t *pids;
	size_t max, count;
};

static bool collect_name(int32_t pid, void *context)
{
	struct name_search *search = context;

	if (has_comm(pid, search->name, search->matches) ||
	    has_program(pid, search->name, search->matches)) {
		if (search->count < search->max)
			search->pids[search->count] = pid;
		search->count++;
	}
	return true;
}

static size_t find_names(struct name_search search)
{
	if (*search.name == '\0')
		return 0;
	proc_walk(0, collect_name, &search); /* the kernel lists processes in ascending order */
	return search.count;
}

size_t proc_find_by_name(const char *name, int32_t *pids, size_t max)
{
	return find_names(
		(struct name_search){.name = name, .matches = is_equal, .pids = pids, .max = max});
}

size_t proc_find_by_part(const char *part, int32_t *pids, size_t max)
{
	return find_names((struct name_search){
		.name = part, .matches = text_contains, .pids = pids, .max = max});
}

uint64_t proc_own_cpu_ns(void)
{
	struct timespec used;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

uint64_t proc_own_rss_bytes(void)
{
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t size, resident;
	long page_bytes = sysconf(_SC_PAGESIZE);

	if (file_read("/proc/self/statm", text, sizeof(text)) <= 0 || !next_number(&at, &size) ||
	    !next_number(&at, &resident) || page_bytes <= 0)
		return 0;
	return resident * (uint64_t)page_bytes;
}

/* Counts entries of /proc/self/fd, the directory's own descriptor left out. */
static uint64_t count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	uint64_t count = 0;

	if (!directory)
		return 0;

	const struct dirent *entry;

	while ((entry = readdir(directory)))
		if (isdigit((unsigned char)entry->d_name[0]))
			count++;
	closedir(directory);
	return count > 0 ? count - 1 : 0;
}

uint64_t proc_own_descriptors(void)
{
	struct stat status;

	/* Since Linux 6.2 the size of the directory is their number. */
	if (stat("/proc/self/fd", &status) == 0 && status.st_size > 0)
		return (uint64_t)status.st_size;
	return count_descriptors();
}
