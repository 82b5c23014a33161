/*
 * What /proc shows about tasks. Texts are parsed with care for names, which are any bytes a program
 * has chosen: "stat" has them raw (tried on Linux 6.1 and 6.18), line ends and all, so that the
 * name ends at the last ')'.
 */

#include "kernel/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel/file.h"
#include "kernel/rights.h"
#include "kernel/sys.h"

enum {
	NAMESPACE_BYTES = 64,
	STAT_BYTES = 2048,   /* 52 numbers of 20 digits, and a name */
	STATUS_BYTES = 8192, /* the lists of CPUs and memory nodes are long on big machines */
	COMM_BYTES = 128,
	CALL_BYTES = 256,
	/* arguments of futex(2) */
	CALL_ADDRESS = 0,
	CALL_OPERATION = 1,
	CALL_VALUE = 2,
	CALL_TIMEOUT = 3,
	CALL_LOCK = 4, /* so many say what a lock is */
	IO_BYTES = 512,
	CGROUP_BYTES = 16384, /* a line for each of up to 14 hierarchies */
	ARGUMENT_BYTES = 4096,
	TASKS_AT_ONCE = 256, /* of a directory, before they are visited */
	/* fields of stat, numbered as in proc(5) */
	STAT_PARENT = 4,
	STAT_SESSION = 6,
	STAT_FLAGS = 9,
	STAT_MINOR_FAULTS = 10,
	STAT_MAJOR_FAULTS = 12,
	STAT_USER = 14,
	STAT_SYSTEM = 15,
	STAT_PRIORITY = 18,
	STAT_NICE = 19,
	STAT_THREADS = 20,
	STAT_START = 22,
	STAT_RESIDENT = 24,
	STAT_CPU = 39,
	STAT_FIELDS
};

/* PF_KTHREAD and PF_EXITING of the kernel's include/linux/sched.h, in the flags of stat. */
static const uint64_t FLAG_KERNEL_THREAD = 0x00200000, FLAG_EXITING = 0x00000004;

struct stat_text {
	char text[STAT_BYTES];
	const char *name; /* raw bytes */
	size_t name_length;
	char state;
	uint64_t fields[STAT_FIELDS]; /* negative ones wrapped */
};

static long read_as_we_are(int32_t pid, int32_t tid, const char *name, char *text, size_t size)
{
	if (tid > 0)
		return file_readf(text, size, "/proc/%" PRId32 "/task/%" PRId32 "/%s", pid, tid,
				  name);
	return file_readf(text, size, "/proc/%" PRId32 "/%s", pid, name);
}

/* A file of a process (tid 0), or of one thread of it; most are for everybody. */
static long read_task_file(int32_t pid, int32_t tid, const char *name, char *text, size_t size)
{
	long length = read_as_we_are(pid, tid, name, text, size);

	if (length < 0 && rights_raise(RIGHTS_TASKS)) {
		length = read_as_we_are(pid, tid, name, text, size);
		rights_lower();
	}
	return length;
}

/* Moves *text past the number it is at; false when there is none. */
static bool next_number(const char **text, uint64_t *value)
{
	char *end;

	*value = strtoull(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

static bool read_stat(int32_t pid, int32_t tid, struct stat_text *stat)
{
	const char *open, *at;

	if (read_task_file(pid, tid, "stat", stat->text, sizeof(stat->text)) <= 0)
		return false;
	open = strchr(stat->text, '(');
	at = strrchr(stat->text, ')');
	if (!open || !at || at < open || at[1] != ' ' || at[2] == '\0')
		return false;
	stat->name = open + 1;
	stat->name_length = (size_t)(at - open - 1);
	stat->state = at[2];
	at += 3;
	for (int field = STAT_PARENT; field < STAT_FIELDS; field++)
		if (!next_number(&at, &stat->fields[field]))
			return false;
	return true;
}

/*
 * Most tasks asked for are the first thread of their process, which tgkill() with signal 0 shows
 * without opening a file: it sends nothing, and fails with ESRCH if the task is not in that group.
 */
int32_t proc_find_pid(int32_t tid)
{
	char text[STATUS_BYTES];
	const char *value;

	if (syscall(SYS_tgkill, tid, tid, 0) == 0 || errno != ESRCH)
		return tid;
	if (read_task_file(tid, 0, "status", text, sizeof(text)) <= 0)
		return -1;
	value = file_find_key(text, "Tgid");
	return value && atoi(value) > 0 ? atoi(value) : -1;
}

bool proc_read_task(int32_t tid, struct proc_task *task)
{
	struct stat_text stat;
	struct proc_task found = {.tid = tid};

	if (!read_stat(tid, 0, &stat))
		return false;
	found.pid = proc_find_pid(tid);
	found.uid = proc_owner(tid);
	if (found.pid < 0 || found.uid < 0)
		return false;
	snprintf(found.name, sizeof(found.name), "%.*s", (int)stat.name_length, stat.name);
	found.state = stat.state;
	found.parent_pid = (int32_t)stat.fields[STAT_PARENT];
	found.session = (int32_t)stat.fields[STAT_SESSION];
	found.is_kernel_thread = (stat.fields[STAT_FLAGS] & FLAG_KERNEL_THREAD) != 0;
	found.has_exited = stat.state == 'Z' || stat.state == 'X' ||
			   (stat.fields[STAT_FLAGS] & FLAG_EXITING) != 0;
	found.is_survived = found.has_exited && stat.fields[STAT_THREADS] > 1;
	found.start_ticks = stat.fields[STAT_START];
	found.cpu = (int)stat.fields[STAT_CPU];
	*task = found;
	return true;
}

static void read_io(int32_t pid, int32_t tid, struct proc_usage *usage)
{
	char text[IO_BYTES];
	const char *read, *written;

	if (read_task_file(pid, tid, "io", text, sizeof(text)) <= 0)
		return;
	read = file_find_key(text, "read_bytes");
	written = file_find_key(text, "write_bytes");
	usage->has_io = read && written && next_number(&read, &usage->read_bytes) &&
			next_number(&written, &usage->written_bytes);
}

bool proc_read_usage(int32_t pid, int32_t tid, bool wants_io, struct proc_usage *usage)
{
	const uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
	struct stat_text stat;

	if (!read_stat(pid, tid, &stat))
		return false;
	*usage = (struct proc_usage){
		.state = stat.state,
		.priority = (int)stat.fields[STAT_PRIORITY],
		.nice = (int)stat.fields[STAT_NICE],
		.user_ns = stat.fields[STAT_USER] * (NS_PER_S / ticks),
		.system_ns = stat.fields[STAT_SYSTEM] * (NS_PER_S / ticks),
		.start_s = stat.fields[STAT_START] / ticks,
		.resident_bytes = stat.fields[STAT_RESIDENT] * (uint64_t)sysconf(_SC_PAGESIZE),
		.faults = stat.fields[STAT_MINOR_FAULTS] + stat.fields[STAT_MAJOR_FAULTS],
	};
	if (wants_io)
		read_io(pid, tid, usage);
	return true;
}

bool proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text)
{
	char *bytes = xcalloc(limit + 1, 1);
	long count = read_task_file(pid, 0, "cmdline", bytes, limit + 1);

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
	const long count = read_task_file(tid, 0, "cgroup", text, sizeof(text));

	if (count <= 0)
		return false;
	strbuf_clear(lines);
	strbuf_add_bytes(lines, text, (size_t)count);
	return true;
}

/* As "mnt:[4026531841]". */
static bool read_namespace(const char *task, const char *name, char text[static NAMESPACE_BYTES])
{
	char path[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%s/ns/%s", task, name);
	rights_raise(RIGHTS_TASKS);
	length = readlink(path, text, NAMESPACE_BYTES - 1);
	rights_lower();
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

void proc_add_namespaces(int32_t tid, struct strbuf *words)
{
	static const char *const names[] = {"cgroup", "ipc",  "mnt",  "net",
					    "pid",    "time", "user", "uts"};
	char task[16], own[NAMESPACE_BYTES], other[NAMESPACE_BYTES];

	snprintf(task, sizeof(task), "%" PRId32, tid);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *number = other + strlen(names[i]) + sizeof(":[") - 1;

		if (!read_namespace(task, names[i], other) ||
		    !read_namespace("self", names[i], own) || strcmp(own, other) == 0)
			continue;
		strbuf_printf(words, "%s%s %.*s", words->length > 0 ? ", " : "", names[i],
			      (int)strcspn(number, "]"), number);
	}
}

bool proc_read_switches(int32_t tid, uint64_t *voluntary, uint64_t *involuntary)
{
	char text[STATUS_BYTES];

	if (read_task_file(tid, 0, "status", text, sizeof(text)) <= 0)
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

bool proc_read_schedstat(int32_t pid, int32_t tid, uint64_t *run_ns, uint64_t *wait_ns)
{
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t run, wait;

	if (read_task_file(pid, tid, "schedstat", text, sizeof(text)) <= 0 ||
	    !next_number(&at, &run) || !next_number(&at, &wait))
		return false;
	*run_ns = run;
	*wait_ns = wait;
	return true;
}

static void close_wait_file(struct proc_wait_file *file)
{
	if (file->tid != 0)
		sys_close(file->fd);
	*file = (struct proc_wait_file){0};
}

/* NULL: it cannot be opened. */
static struct proc_wait_file *need_wait_file(struct proc_waits *waits, int32_t pid, int32_t tid)
{
	const size_t count = sizeof(waits->files) / sizeof(*waits->files);
	struct proc_wait_file *file;
	char path[64];
	int fd;

	for (size_t i = 0; i < count; i++)
		if (waits->files[i].tid == tid && waits->files[i].pid == pid)
			return &waits->files[i];
	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task/%" PRId32 "/schedstat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && rights_raise(RIGHTS_TASKS)) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		rights_lower();
	}
	if (fd < 0)
		return NULL;
	file = &waits->files[waits->next++ % count];
	close_wait_file(file);
	*file = (struct proc_wait_file){.pid = pid, .tid = tid, .fd = fd};
	return file;
}

bool proc_waits_read(struct proc_waits *waits, int32_t pid, int32_t tid, uint64_t *wait_ns)
{
	struct proc_wait_file *file = need_wait_file(waits, pid, tid);
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t run, wait;
	ssize_t length;

	if (!file)
		return false;
	length = pread(file->fd, text, sizeof(text) - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	if (!next_number(&at, &run) || !next_number(&at, &wait)) {
		close_wait_file(file); /* it has ended */
		return false;
	}
	*wait_ns = wait;
	return true;
}

void proc_waits_fini(struct proc_waits *waits)
{
	for (size_t i = 0; i < sizeof(waits->files) / sizeof(*waits->files); i++)
		close_wait_file(&waits->files[i]);
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

bool proc_read_call(int32_t pid, int32_t tid, int64_t *number, uint64_t *arguments, size_t max)
{
	char text[CALL_BYTES];
	char *end;

	/* "202 0x7f2c 0x80 ...", "running", or "-1 ..." in a fault */
	if (read_task_file(pid, tid, "syscall", text, sizeof(text)) <= 0 || text[0] < '0' ||
	    text[0] > '9')
		return false;
	*number = strtoll(text, &end, 10);
	for (size_t i = 0; i < max; i++) {
		const char *begin = end;

		arguments[i] = strtoull(begin, &end, 16);
		if (end == begin)
			return false;
	}
	return true;
}

/* musl has EBUSY in a plain mutex. */
static int32_t word_owner(uint32_t word)
{
	const uint32_t tid = word & FUTEX_TID_MASK;

	return tid != 0 && tid != EBUSY ? (int32_t)tid : -1;
}

/* By the arguments of the call and the words at the futex; 0: such a lock does not say it, or the
 * wait has a timeout and so may end without the owner. Between two owners, and in mutexes of musl,
 * there is a number of none. */
static int32_t find_owner(const uint64_t call[static CALL_LOCK], const int32_t words[static 3])
{
	enum {
		LOCK_PI2 = 13, /* FUTEX_LOCK_PI2, since Linux 5.14 */
		CONTENDED = 2  /* so glibc marks a mutex for which threads wait */
	};
	const uint32_t word = (uint32_t)words[0];
	const int operation = (int)call[CALL_OPERATION] & FUTEX_CMD_MASK;
	const bool is_wait = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;

	if (call[CALL_TIMEOUT] != 0)
		return 0;
	if (operation == FUTEX_LOCK_PI || operation == LOCK_PI2 ||
	    (is_wait && word & FUTEX_WAITERS))
		return word_owner(word);
	if (is_wait && call[CALL_VALUE] == CONTENDED && word == CONTENDED)
		return words[2] != 0 ? words[2]
				     : -1; /* the lock, how often it was taken, the owner */
	return 0;
}

/* The number is that of the thread in its own pid namespace, too. */
static bool is_thread(int32_t pid, int32_t tid)
{
	char text[STATUS_BYTES];
	const char *numbers, *last;

	if (tid <= 0 || !sys_task_exists(pid, tid) ||
	    read_task_file(pid, tid, "status", text, sizeof(text)) <= 0)
		return false;
	numbers = file_find_key(text, "NSpid");
	if (!numbers)
		return false;
	text[(size_t)(numbers - text) + strcspn(numbers, "\n")] = '\0';
	last = strrchr(numbers, '\t');
	return atoi(last ? last : numbers) == tid;
}

bool proc_read_lock(int32_t pid, int32_t tid, struct proc_lock *lock)
{
	uint64_t call[CALL_LOCK];
	int32_t words[3], owner;
	int64_t number;
	struct iovec to = {words, sizeof(words)}, from;

	if (!proc_read_call(pid, tid, &number, call, CALL_LOCK) || number != SYS_futex)
		return false;
	*lock = (struct proc_lock){.address = call[CALL_ADDRESS]};
	from = (struct iovec){(void *)(uintptr_t)lock->address, sizeof(words)};
	if (process_vm_readv(tid, &to, 1, &from, 1, 0) != (ssize_t)sizeof(words))
		return true;
	owner = find_owner(call, words);
	lock->holder = owner == 0 || is_thread(pid, owner) ? owner : -1;
	return true;
}

bool proc_read_wchan(int32_t pid, int32_t tid, char *function, size_t size)
{
	/* "0": it runs, or the kernel keeps the name for itself */
	return read_task_file(pid, tid, "wchan", function, size) > 0 && strcmp(function, "0") != 0;
}

bool proc_read_stack(int32_t pid, int32_t tid, char *text, size_t size)
{
	return read_task_file(pid, tid, "stack", text, size) > 0;
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
	char path[64];
	struct stat status;
	int result;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "%s", pid, name);
	result = stat(path, &status);
	if (result != 0 && rights_raise(RIGHTS_TASKS)) {
		result = stat(path, &status);
		rights_lower();
	}
	return result == 0 ? (int64_t)status.st_uid : -1;
}

int64_t proc_owner(int32_t pid)
{
	/* The folder's owner is the effective uid, even if the files in it belong to root. */
	return read_file_owner(pid, "");
}

bool proc_is_guarded(int32_t pid)
{
	int64_t owner = read_file_owner(pid, "");
	int64_t file_owner = read_file_owner(pid, "/stat");

	return owner >= 0 && file_owner >= 0 && owner != file_owner;
}

/* The task of a directory entry; 0: it is none. */
static int32_t parse_task_name(const char *name)
{
	char *end;

	if (!isdigit((unsigned char)name[0]))
		return 0;

	long value = strtol(name, &end, 10);

	return *end == '\0' && value > 0 && value <= INT32_MAX ? (int32_t)value : 0;
}

/* The next ones, at most `max`. */
static size_t read_tasks(DIR *directory, int32_t *ids, size_t max)
{
	const struct dirent *entry;
	size_t count = 0;

	rights_raise(RIGHTS_TASKS);
	while (count < max && (entry = readdir(directory))) {
		ids[count] = parse_task_name(entry->d_name);
		count += ids[count] > 0;
	}
	rights_lower();
	return count;
}

bool proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	char path[64] = "/proc";

	if (pid != 0)
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/task", pid);

	/* with hidepid the tasks of others are hidden both from open and from read */
	rights_raise(RIGHTS_TASKS);

	DIR *directory = opendir(path);

	rights_lower();
	if (!directory)
		return false;

	int32_t ids[TASKS_AT_ONCE];
	size_t count;
	bool go_on = true;

	while (go_on && (count = read_tasks(directory, ids, TASKS_AT_ONCE)) > 0)
		for (size_t i = 0; go_on && i < count; i++)
			go_on = visit(ids[i], context);
	closedir(directory);
	return true;
}

typedef bool name_matches_fn(const char *text, const char *name);

static bool is_whole_name(const char *text, const char *name)
{
	return strcmp(text, name) == 0;
}

static bool has_comm(int32_t pid, const char *name, name_matches_fn *matches)
{
	char comm[COMM_BYTES];
	long length = read_task_file(pid, 0, "comm", comm, sizeof(comm));

	if (length > 0 && comm[length - 1] == '\n')
		comm[length - 1] = '\0';
	return length > 0 && matches(comm, name);
}

static bool runs_program(int32_t pid, const char *name, name_matches_fn *matches)
{
	char program[ARGUMENT_BYTES]; /* up to the first NUL: the first word */

	if (read_task_file(pid, 0, "cmdline", program, sizeof(program)) <= 0)
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
	    runs_program(pid, search->name, search->matches)) {
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
	return find_names((struct name_search){
		.name = name, .matches = is_whole_name, .pids = pids, .max = max});
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
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

uint64_t proc_rss_bytes(int32_t pid)
{
	char text[COMM_BYTES];
	const char *at = text;
	uint64_t size, resident;
	long page_bytes = sysconf(_SC_PAGESIZE);

	if (file_readf(text, sizeof(text), "/proc/%" PRId32 "/statm", pid) <= 0 ||
	    !next_number(&at, &size) || !next_number(&at, &resident) || page_bytes <= 0)
		return 0;
	return resident * (uint64_t)page_bytes;
}

uint64_t proc_own_rss_bytes(void)
{
	return proc_rss_bytes(getpid());
}

/* Counts the entries of /proc/self/fd, except the descriptor of that folder. */
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
