#ifndef PERFTOP_KERNEL_PROC_H
#define PERFTOP_KERNEL_PROC_H

/*
 * What /proc shows about tasks. Everything here races with tasks that end: a function that finds
 * its task gone returns false and leaves nothing half-filled.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

struct proc_task {
	int32_t pid; /* thread group */
	int32_t tid;
	int32_t parent_pid;
	int32_t session;  /* id; 0: none */
	int64_t uid;      /* effective */
	int cpu;          /* where it ran last */
	char state;       /* R S D Z T ... */
	bool has_exited;  /* or does it right now */
	bool is_survived; /* it has exited, and other threads of its process go on */
	bool is_kernel_thread;
	uint64_t start_ticks; /* field 22 of stat: with pid it identifies a process */
	char name[64];        /* raw bytes */
};

/* Facts of thread tid. False when it is gone. Handles names with ')' and line ends. */
bool proc_read_task(int32_t tid, struct proc_task *task);

/* What top shows of a task: proc(5), stat and io. */
struct proc_usage {
	char state; /* R S D Z T t I */
	int priority, nice;
	uint64_t user_ns, system_ns; /* CPU time since its birth; to a clock tick, mostly 10 ms */
	uint64_t start_s;            /* since boot; 0: part of it */
	uint64_t resident_bytes;
	uint64_t faults; /* of pages, with disk access and without, since its birth */
	bool has_io;     /* the next two may be read, and were wanted */
	uint64_t read_bytes, written_bytes; /* from and to storage, since its birth */
};

/*
 * Of a process (tid 0), all its threads together, or of one thread. False when it is gone or may
 * not be seen.
 */
bool proc_read_usage(int32_t pid, int32_t tid, bool wants_io, struct proc_usage *usage);

/*
 * Command line of a process: arguments joined by one blank, raw bytes, at most `limit` of them.
 * Empty for kernel threads and zombies. Replaces what `text` held. False when it is gone.
 */
bool proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text);

/*
 * The cgroups of a task, a line for each hierarchy (container.h), raw bytes. Replaces what `lines`
 * held. False when it is gone, or there are no cgroups.
 */
bool proc_read_cgroups(int32_t tid, struct strbuf *lines);

/*
 * Appends the namespaces of a task in which this process is not: "mnt 4026532445, net 4026532449".
 * Nothing where it has gone, or they may not be seen.
 */
void proc_add_namespaces(int32_t tid, struct strbuf *words);

/* Voluntary and involuntary context switches since birth, from /proc/TID/status. */
bool proc_read_switches(int32_t tid, uint64_t *voluntary, uint64_t *involuntary);

/*
 * Time on CPU since birth and time waiting in run queues, ns: of a thread (tid 0: the first one).
 * False: it is gone, or not of `pid`.
 */
bool proc_read_schedstat(int32_t pid, int32_t tid, uint64_t *run_ns, uint64_t *wait_ns);

/*
 * The waits of a few threads that are asked for again and again: their files stay open, since to
 * open one takes most of the time. What is empty is {0}.
 */
struct proc_waits {
	struct proc_wait_file {
		int32_t pid, tid;
		int fd;
	} files[4];  /* tid 0: none */
	size_t next; /* that gives way */
};

bool proc_waits_read(struct proc_waits *waits, int32_t pid, int32_t tid, uint64_t *wait_ns);
void proc_waits_fini(struct proc_waits *waits);

/* Whether the kernel accounts for these waits; if not, it shows zeros. */
bool proc_has_run_delay(void);

/*
 * The system call in which a thread sleeps, and its first `max` arguments (6 at most). False: it
 * runs, or may not be seen.
 */
bool proc_read_call(int32_t pid, int32_t tid, int64_t *number, uint64_t *arguments, size_t max);

/* What a thread sleeps for in futex(2). */
struct proc_lock {
	uint64_t address;
	int32_t holder; /* the thread of its process that has the lock; -1: not known now; 0: it is
			   none that says what has it, or the wait has a timeout, so that it ends */
};

/*
 * False: it does not, or may not be seen. The holder of a mutex is known where its number is in the
 * memory of the process: in the futex, if that inherits priorities or is robust, and behind it in
 * mutexes of glibc. It is read with the user's own rights.
 */
bool proc_read_lock(int32_t pid, int32_t tid, struct proc_lock *lock);

/* The kernel's function in which a thread sleeps. False: it does not sleep, or may not be seen. */
bool proc_read_wchan(int32_t pid, int32_t tid, char *function, size_t size);

/* Its calls in the kernel while it sleeps, "[<0>] FUNCTION+OFFSET/SIZE" in lines, innermost first.
 * False: it runs, or they may not be seen. */
bool proc_read_stack(int32_t pid, int32_t tid, char *text, size_t size);

/* The pid that was assigned last in this pid namespace; -1 unknown. Changes at each fork. */
int64_t proc_last_pid(void);

/* The process of a thread, or -1 when it is gone. */
int32_t proc_find_pid(int32_t tid);

/* Owner of a process (effective uid), or -1 when it is gone. One system call. */
int64_t proc_owner(int32_t pid);

/*
 * Whether the kernel protects a process even from its owner: it has more rights than its user, or
 * has made itself undumpable (prctl(2)). False when it is gone.
 */
bool proc_is_guarded(int32_t pid);

/*
 * Walks processes (pid = 0) or the threads of one process: calls visit() for each id until it
 * returns false. Returns false when the directory cannot be opened.
 */
bool proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context);

/*
 * Finds processes by name: exact match of the kernel's name, otherwise of the base name of the
 * first word of the command line. Writes at most `max` pids in ascending order; returns how many
 * match.
 */
size_t proc_find_by_name(const char *name, int32_t *pids, size_t max);

/* The same for a part of these names, without regard to case. */
size_t proc_find_by_part(const char *part, int32_t *pids, size_t max);

/* Resident memory of a process; 0: it is gone. */
uint64_t proc_rss_bytes(int32_t pid);

/* CPU time (user + system, children not included) of the calling process, ns; its resident memory;
 * its open descriptors. */
uint64_t proc_own_cpu_ns(void);
uint64_t proc_own_rss_bytes(void);
uint64_t proc_own_descriptors(void);

#endif
