/*
 * Names of kernel functions differ between versions, and the compiler splits functions and appends
 * suffixes like ".isra.0": so the table has beginnings of names. The innermost function in the
 * table gives the reason.
 */
#include "view/sleep_reason.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/profile.h"
#include "view/names.h"

/* clang-format off */
static const struct {
	const char *begin, *words;
} reasons[] = {
	{"futex_",             "futex"},
	{"__futex_",           "futex"},
	{"do_futex",           "futex"},
	{"do_nanosleep",       "sleep"},
	{"hrtimer_nanosleep",  "sleep"},
	{"common_nsleep",      "sleep"},
	{"pipe_",              "pipe"},
	{"anon_pipe_",         "pipe"},
	{"fifo_open",          "pipe"},
	{"wait_for_partner",   "pipe"},
	{"ep_poll",            "epoll"},
	{"do_epoll_",          "epoll"},
	{"poll_schedule_",     "poll"},
	{"do_poll",            "poll"},
	{"do_sys_poll",        "poll"},
	{"do_select",          "select"},
	{"core_sys_select",    "select"},
	{"do_wait",            "wait for child"},
	{"kernel_wait",        "wait for child"},
	{"wait_for_vfork_",    "wait for child (vfork)"},
	{"kernel_clone",       "wait for child (vfork)"},
	{"unix_",              "socket"},
	{"sk_wait_",           "socket"},
	{"sk_stream_wait_",    "socket"},
	{"__skb_wait_",        "socket"},
	{"__skb_recv_",        "socket"},
	{"inet_csk_accept",    "socket"},
	{"inet_csk_wait_",     "socket"},
	{"inet_wait_",         "socket"},
	{"tcp_",               "socket"},
	{"udp_",               "socket"},
	{"netlink_",           "socket"},
	{"vsock_",             "socket"},
	{"sock_",              "socket"},
	{"n_tty_",             "terminal"},
	{"tty_",               "terminal"},
	{"eventfd_",           "eventfd"},
	{"timerfd_",           "timer"},
	{"signalfd_",          "signal"},
	{"do_sigtimedwait",    "signal"},
	{"sigsuspend",         "signal"},
	{"inotify_",           "inotify"},
	{"fanotify_",          "fanotify"},
	{"io_cqring_wait",     "io_uring"},
	{"io_wq_",             "io_uring worker"},
	{"read_events",        "asynchronous I/O"},
	{"do_msgrcv",          "message queue"},
	{"do_msgsnd",          "message queue"},
	{"wq_sleep",           "message queue"},
	{"do_semtimedop",      "semaphore"},
	{"__do_semtimedop",    "semaphore"},
	{"locks_lock_",        "file lock"},
	{"posix_lock_",        "file lock"},
	{"flock_lock_",        "file lock"},
	{"fcntl_setlk",        "file lock"},
	{"request_wait_answer", "FUSE"},
	{"fuse_dev_",          "FUSE server"},
	{"rpc_wait_",          "NFS"},
	{"nfs",                "NFS"},
	{"cifs_",              "SMB"},
	{"kvm_vcpu_",          "idle guest CPU"},
	{"binder_",            "binder"},
	{"do_signal_stop",     "stopped"},
	{"do_group_exit",      "exit"},
	{"do_exit",            "exit"},
	{"ptrace_stop",        "traced"},
	{"do_freezer_",        "frozen"},
	{"__refrigerator",     "frozen"},
	{"throttle_cfs_",      "CPU limit"},
	{"mem_cgroup_handle_", "memory limit"},
	{"reclaim_throttle",   "disk"}, /* for what is written back */
	{"msleep",             "delay"},
	{"usleep_range",       "delay"},
	{"rcu_barrier",        "RCU"},
	{"synchronize_srcu",   "RCU"},
	{"flush_work",         "kernel work"},
	{"__flush_work",       "kernel work"},
	{"do_user_addr_fault", "kernel lock"},
	{"lock_mm_and_find_",  "kernel lock"},
	{"generic_file_write_iter", "kernel lock"},
	{"ext4_buffered_write_iter", "kernel lock"},
	{"xfs_ilock",          "kernel lock"},
	{"btrfs_inode_lock",   "kernel lock"},
	{"btrfs_tree_",        "kernel lock"},
	{"balance_dirty_",     "disk"},
	{"filemap_fault",      "page fault"},
	{"do_swap_page",       "page fault"},
	{"shmem_swapin",       "page fault"},
	{"handle_userfault",   "page fault"},
	{"migration_entry_",   "page fault"},
	{"filemap_",           "disk"},
	{"generic_file_",      "disk"},
	{"blkdev_",            "disk"},
	{"blk_",               "disk"},
	{"submit_bio_",        "disk"},
	{"wait_on_buffer",     "disk"},
	{"__wait_on_buffer",   "disk"},
	{"ext4_",              "disk"},
	{"xfs_",               "disk"},
	{"btrfs_",             "disk"},
	{"f2fs_",              "disk"},
	{"jbd2_",              "disk"},
	{"iomap_",             "disk"},
	{"bio_",               "disk"},
	{"rq_qos_wait",        "disk"},
	{"wbt_wait",           "disk"},
	{"wb_",                "disk"},
	{"nvme_",              "disk"},
	{"sync_",              "disk"},
	{"__sync_dirty_",      "disk"},
	{"fsync_buffers_",     "disk"},
	{"write_dirty_",       "disk"},
	{"__bread",            "disk"},
	{"xlog_",              "disk"},
	{"raid",               "disk"},
	{"scsi_",              "disk"},
	{"mmc_",               "disk"},
	{"p9_",                "9P"},
	{"v9fs_",              "9P"},
	{"ceph_",              "Ceph"},
	{"vfs_fsync_",         "disk"},
	{"ksys_sync",          "disk"},
	{"rwsem_",             "kernel lock"},
	{"__mutex_",           "kernel lock"},
	{"mutex_lock",         "kernel lock"},
	{"down_",              "kernel lock"},
	{"__down_",            "kernel lock"},
	{"synchronize_rcu",    "RCU"},
	{"worker_thread",      "no work"},
	{"rescuer_thread",     "no work"},
	{"smpboot_",           "no work"},
	{"kthread",            "no work"},
	{"asm_exc_page_fault", "page fault"},
};

/* These wait for pages of a disk, for what is said further out. */
static const char *const pages[] = {"folio_wait_", "__folio_lock", "wait_on_page_"};

/* Functions that show that the task left, but not why. */
static const char *const scheduler[] = {
	"__schedule", "schedule", "io_schedule", "preempt_schedule", "__cond_resched",
	"__perf_event_task_sched_out", "perf_event_task_sched_out", "finish_task_switch",
	"__schedule_", "wait_woken", "raw_irqentry_exit_cond_resched", "irqentry_exit_cond_resched",
};

/* The same for wake-ups. */
static const char *const wakes[] = {
	"try_to_wake_up", "ttwu_", "wake_up_", "__wake_up", "wake_q_", "swake_up_", "autoremove_wake_function",
	"default_wake_function", "woken_wake_function",
};

/* Entry points of interrupts: on x86, also before 5.8, arm64 and s390x. */
static const char *const interrupts[] = {
	"asm_sysvec_", "asm_common_interrupt", "asm_exc_nmi", "apic_timer_interrupt",
	"reschedule_interrupt", "call_function_interrupt", "call_function_single_interrupt",
	"irq_work_interrupt", "ret_from_intr", "el0t_64_irq", "el0t_32_irq", "el1h_64_irq", "el1t_64_irq",
	"el0_irq", "el1_irq", "ext_int_handler", "io_int_handler",
};

/* System calls begin with one of these, by architecture. */
static const char *const calls[] = {
	"__x64_sys_", "__ia32_sys_", "__ia32_compat_sys_", "__arm64_sys_", "__arm64_compat_sys_",
	"__s390x_sys_", "__s390_sys_", "__riscv_sys_", "__se_sys_", "__do_sys_", "sys_",
};
/* clang-format on */

/* Those of the reasons above that are not SLEEP_OTHER, or have system calls of their own. */
/* clang-format off */
static const struct {
	const char *words;
	enum sleep_kind kind;
	bool is_of_call;
} kinds[] = {
	{"futex",            SLEEP_FUTEX,   true},
	{"kernel lock",      SLEEP_LOCK,    false},
	{"file lock",        SLEEP_LOCK,    false},
	{"semaphore",        SLEEP_LOCK,    true},
	{"disk",             SLEEP_DISK,    false},
	{"page fault",       SLEEP_DISK,    false},
	{"asynchronous I/O", SLEEP_DISK,    true},
	{"NFS",              SLEEP_DISK,    false},
	{"SMB",              SLEEP_DISK,    false},
	{"9P",               SLEEP_DISK,    false},
	{"Ceph",             SLEEP_DISK,    false},
	{"FUSE",             SLEEP_DISK,    false},
	{"epoll",            SLEEP_NET,     true},
	{"poll",             SLEEP_NET,     true},
	{"select",           SLEEP_NET,     true},
	{"socket",           SLEEP_NET,     false},
	{"sleep",            SLEEP_OTHER,   true},
	{"wait for child",   SLEEP_OTHER,   true},
	{"wait for child (vfork)", SLEEP_OTHER, true},
	{"stopped",          SLEEP_STOPPED, false},
	{"traced",           SLEEP_STOPPED, false},
	{"no work",          SLEEP_UNLISTED, false},
};
/* clang-format on */

static const char *find_reason(const char *function)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (text_begins(function, reasons[i].begin))
			return reasons[i].words;
	return NULL;
}

static bool begins_as_one(const char *function, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_begins(function, words[i]))
			return true;
	return false;
}

enum sleep_kind sleep_reason_kind(const char *function, bool *is_of_call)
{
	const char *words = find_reason(function);

	*is_of_call = false;
	for (size_t i = 0; words && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(words, kinds[i].words) != 0)
			continue;
		*is_of_call = kinds[i].is_of_call;
		return kinds[i].kind;
	}
	if (words)
		return SLEEP_OTHER;
	return begins_as_one(function, pages, sizeof(pages) / sizeof(*pages)) ? SLEEP_DISK
									      : SLEEP_UNKNOWN;
}

static bool is_scheduler(enum sample_kind kind, const char *function)
{
	return kind == SAMPLE_WAKER
		       ? begins_as_one(function, wakes, sizeof(wakes) / sizeof(*wakes))
		       : begins_as_one(function, scheduler, sizeof(scheduler) / sizeof(*scheduler));
}

/* "read" of __x64_sys_read; NULL: it is none. */
static const char *system_call_of(const char *function)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (text_begins(function, calls[i]))
			return function + strlen(calls[i]);
	return NULL;
}

const char *sleep_reason_word(const char *function)
{
	const char *words = find_reason(function);

	return words ? words : system_call_of(function);
}

/* The tables apply to kernel functions only. */
static bool find_kernel_name(const struct profile *profile, const struct function_names *names,
			     uint32_t node, uint64_t time_ns, struct function_name *name)
{
	if (node == 0)
		return false;
	*name = function_names_find(names, profile->nodes[node].function, time_ns);
	return name->object && name->object[0] == '[' && name->function;
}

uint32_t sleep_reason_node(const struct profile *profile, const struct profile_entry *entry,
			   const struct function_names *names, uint64_t time_ns)
{
	uint32_t node = entry->node;
	struct function_name name;

	if (entry->kind == SAMPLE_ON_CPU)
		return node;
	while (find_kernel_name(profile, names, node, time_ns, &name) &&
	       is_scheduler(entry->kind, name.function) && profile->nodes[node].parent != 0)
		node = profile->nodes[node].parent;
	return node;
}

bool sleep_reason_is_interrupt(const struct profile *profile, uint32_t node,
			       const struct function_names *names, uint64_t time_ns)
{
	struct function_name name;

	return find_kernel_name(profile, names, node, time_ns, &name) &&
	       begins_as_one(name.function, interrupts, sizeof(interrupts) / sizeof(*interrupts));
}

static void copy_reason(char words[static SLEEP_REASON_MAX], const char *text)
{
	snprintf(words, SLEEP_REASON_MAX, "%.*s", SLEEP_REASON_MAX - 1, text);
}

void sleep_reason_write(char words[static SLEEP_REASON_MAX], const struct profile *profile,
			const struct profile_entry *entry, const struct function_names *names,
			uint64_t time_ns)
{
	uint32_t node = sleep_reason_node(profile, entry, names, time_ns);
	struct function_name name;

	copy_reason(words, entry->kind == SAMPLE_PREEMPTED ? "preempted"
			   : entry->kind == SAMPLE_QUEUED  ? "woken, waits for a CPU"
							   : "unknown");
	if (entry->kind != SAMPLE_BLOCKED)
		return;
	for (bool is_first = true; find_kernel_name(profile, names, node, time_ns, &name);
	     is_first = false, node = profile->nodes[node].parent) {
		const char *call = sleep_reason_word(name.function);

		if (call || is_first)
			copy_reason(words, call ? call : name.function);
		if (call)
			return;
	}
}
