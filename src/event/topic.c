/*
 * The first row that a name fits is its topic. Topics of which there are hundreds of events come
 * last. The processor's own events are one of these: names of its maker's would hide the generic
 * ones if they were beside them.
 */
#include "event/topic.h"

#include <stdbool.h>
#include <string.h>

/* clang-format off */
static const struct topic TOPICS[] = {
	{"cycles", "what the cores do, and how fast", "cpu-cycles instructions ref-cycles bus-cycles stalled- slots cpu-clock task-clock msr/"},
	{"caches", "what is looked up in the caches, and what is not found there", "cache- L1- LLC- node- mem-"},
	{"TLB", "translations of addresses; what is not found is looked up in the page tables", "dTLB- iTLB- tlb:"},
	{"branches", "jumps, and those that were predicted wrong", "branch-"},
	{"faults", "accesses that the kernel had to serve", "page-faults minor-faults major-faults alignment-faults emulation-faults exceptions:"},
	{"scheduler", "which tasks run, wait, and wake others", "context-switches cpu-migrations cgroup-switches sched: task: lock: signal: rseq: ipi: cgroup: workqueue:"},
	{"memory", "pages that are allocated, moved and reclaimed", "kmem: vmscan: oom: memcg: compaction: migrate: huge_memory: hugetlbfs: thp: ksm: cma: damon: mmap: mmap_lock: vmalloc: percpu: pagemap: page_isolation: page_pool: swiotlb: maple_tree:"},
	{"block", "requests to disks", "block: nvme: scsi: libata: mmc: ufs: bcache: iocost: kyber: wbt: virtio_blk:"},
	{"network", "packets and sockets", "net: sock: tcp: udp: icmp: mptcp: sctp: skb: napi: qdisc: fib: fib6: neigh: bridge: xdp: netlink: vsock: sunrpc: cfg80211: mac80211: devlink:"},
	{"interrupts", "interrupts, timers and what they start", "irq: irq_vectors: irq_matrix: nmi: timer: timer_migration: alarmtimer: csd:"},
	{"power", "energy, frequencies and sleep of the processor", "power cstate_ thermal: amd_cpu: cpuhp: rpm: clk: regulator:"},
	{"uncore", "memory controllers, buses and other units outside of the cores", "uncore_ amd_ arm_cmn arm_dsu hisi_ i915/ nvidia_"},
	{"virtual machines", "guests that run here", "kvm: kvmmmu: xen: hyperv: vfio:"},
	{"probes", "functions, instructions and addresses of your choice", "mem: uprobe: uretprobe: kprobe: kretprobe: probe sdt_"},
	{"files", "file systems and the page cache", "filemap: writeback: readahead: filelock: iomap: fs_dax: io_uring: ext4: jbd2: xfs: btrfs: f2fs: erofs: fuse: nfs: nfs4: nfsd: cifs: smb3: 9p: netfs: fscache:"},
	{"system calls", "calls of the kernel by programs, and returns from them", "raw_syscalls: syscalls:"},
	{"processor", "events of this processor by its maker's names and numbers", "rNNN"},
	{"other", "what else the kernel reports", ""},
};

static const struct {
	const char *name, *text;
} TRACEPOINTS[] = {
	{"block:block_rq_complete", "requests that a disk has finished"},
	{"block:block_rq_insert", "requests that are queued for a disk"},
	{"block:block_rq_issue", "requests that are given to a disk"},
	{"exceptions:page_fault_kernel", "page faults of the kernel"},
	{"exceptions:page_fault_user", "page faults of programs"},
	{"filemap:mm_filemap_add_to_page_cache", "pages of files that enter the page cache"},
	{"filemap:mm_filemap_delete_from_page_cache", "pages of files that leave the page cache"},
	{"irq:irq_handler_entry", "interrupts of devices"},
	{"irq:softirq_entry", "soft interrupts: work that an interrupt has put off"},
	{"kmem:kmalloc", "allocations of memory by the kernel"},
	{"kmem:mm_page_alloc", "pages that are allocated"},
	{"kmem:mm_page_free", "pages that are freed"},
	{"kvm:kvm_entry", "entries into a guest"},
	{"kvm:kvm_exit", "exits from a guest to the host"},
	{"lock:contention_begin", "waits for a lock of the kernel that begin"},
	{"lock:contention_end", "waits for a lock of the kernel that end"},
	{"net:net_dev_queue", "packets that are queued for sending"},
	{"net:netif_receive_skb", "packets that were received"},
	{"oom:mark_victim", "processes that are killed for want of memory"},
	{"power:cpu_frequency", "changes of a CPU's frequency"},
	{"power:cpu_idle", "CPUs that enter or leave an idle state"},
	{"raw_syscalls:sys_enter", "system calls of any kind"},
	{"raw_syscalls:sys_exit", "returns from system calls of any kind"},
	{"sched:sched_migrate_task", "moves of a task to another CPU"},
	{"sched:sched_process_exec", "programs that are started by exec"},
	{"sched:sched_process_exit", "tasks that end"},
	{"sched:sched_process_fork", "tasks that are created"},
	{"sched:sched_switch", "switches from one task to another"},
	{"sched:sched_wakeup", "wake-ups of tasks that slept"},
	{"sched:sched_wakeup_new", "first wake-ups of new tasks"},
	{"signal:signal_deliver", "signals that a task handles"},
	{"signal:signal_generate", "signals that are sent"},
	{"skb:kfree_skb", "packets that were dropped"},
	{"sock:inet_sock_set_state", "TCP connections that change their state"},
	{"tcp:tcp_retransmit_skb", "TCP segments that are sent again"},
	{"timer:timer_expire_entry", "timers of the kernel that expire"},
	{"vmscan:mm_vmscan_direct_reclaim_begin", "tasks that must free memory before they get some"},
	{"workqueue:workqueue_execute_start", "work that a kernel worker begins"},
	{"writeback:writeback_written", "rounds of writing back to a disk"},
};
/* clang-format on */

/* *place: which of the words it is. */
static bool begins_with_one_of(const char *name, const char *words, size_t *place)
{
	size_t length;

	for (*place = 0; *words != '\0'; words += length + strspn(words + length, " "), ++*place) {
		length = strcspn(words, " ");
		if (strncmp(name, words, length) == 0)
			return true;
	}
	return false;
}

const struct topic *topic_of(const char *event_name, size_t *place)
{
	const struct topic *topic = TOPICS;

	while (!begins_with_one_of(event_name, topic->begins, place) && *topic->begins != '\0')
		topic++;
	return topic;
}

const struct topic *topic_of_processor(void)
{
	size_t place;

	return topic_of("rNNN", &place);
}

const char *topic_describe_tracepoint(const char *name)
{
	for (size_t i = 0; i < sizeof(TRACEPOINTS) / sizeof(*TRACEPOINTS); i++)
		if (strcmp(TRACEPOINTS[i].name, name) == 0)
			return TRACEPOINTS[i].text;
	return "";
}
