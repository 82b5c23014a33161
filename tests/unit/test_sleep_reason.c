/* Why tasks sleep, in words, out of chains as kernels have them. */

#include <string.h>

#include "model/profile.h"
#include "view/names.h"
#include "view/sleep_reason.h"

#include "unit.h"

enum {
	FRAMES_MAX = 8,
	ALIAS = 100 /* numbers from here on are those without it */
};

struct chain {
	const char
		*frames[FRAMES_MAX]; /* innermost first; "program:main" is none of the kernel's */
};

static const struct chain *now;

static struct function_name find(void *context, uint32_t number, uint64_t time_ns)
{
	const char *frame = now->frames[number % ALIAS - 1];
	const char *colon = strchr(frame, ':');

	return (struct function_name){
		.same_as = number % ALIAS,
		.function = colon ? colon + 1 : frame,
		.object = colon ? "program" : "[kernel]",
	};
}

static const struct function_names names = {.find = find};

/* The profile of one chain. */
struct world {
	struct profile profile;
	struct profile_node nodes[FRAMES_MAX + 1];
	struct profile_entry entry;
};

static void make(struct world *world, const struct chain *chain, enum sample_kind kind)
{
	uint32_t count = 0;

	now = chain;
	*world = (struct world){.profile = {.nodes = world->nodes}};
	while (count < FRAMES_MAX && chain->frames[count])
		count++;
	for (uint32_t i = 0; i < count; i++)
		world->nodes[i + 1] =
			(struct profile_node){.parent = i, .function = ALIAS + count - i};
	world->profile.node_count = count + 1;
	world->entry = (struct profile_entry){.node = count, .kind = kind};
}

/* clang-format off */
static const struct {
	struct chain chain;
	const char *words;
} cases[] = {
	{{{"__schedule", "schedule", "do_nanosleep", "hrtimer_nanosleep", "__x64_sys_nanosleep"}}, "sleep"},
	{{{"__schedule", "schedule", "futex_wait_queue_me", "futex_wait", "do_futex"}}, "futex"},
	{{{"__schedule", "schedule", "futex_do_wait", "__futex_wait"}}, "futex"},
	{{{"__schedule", "schedule", "pipe_read", "vfs_read", "__arm64_sys_read"}}, "pipe"},
	{{{"__schedule", "schedule", "anon_pipe_read", "vfs_read"}}, "pipe"},
	{{{"__schedule", "schedule", "pipe_wait_readable", "anon_pipe_write"}}, "pipe"},
	{{{"__schedule", "schedule", "schedule_hrtimeout_range_clock", "ep_poll", "do_epoll_wait"}}, "epoll"},
	{{{"__schedule", "schedule", "schedule_hrtimeout_range", "do_sys_poll"}}, "poll"},
	{{{"__schedule", "schedule", "schedule_hrtimeout_range", "do_select"}}, "select"},
	{{{"__schedule", "schedule", "do_wait", "kernel_wait4"}}, "wait for child"},
	{{{"__schedule", "schedule", "schedule_timeout", "__wait_for_common", "wait_for_completion_state", "kernel_clone", "__x64_sys_vfork"}}, "wait for child (vfork)"},
	{{{"__schedule", "schedule", "schedule_timeout", "unix_stream_read_generic"}}, "socket"},
	{{{"__schedule", "schedule", "schedule_timeout", "wait_woken", "sk_wait_data", "tcp_recvmsg_locked"}}, "socket"},
	{{{"__schedule", "schedule", "schedule_timeout", "inet_csk_accept"}}, "socket"},
	{{{"__schedule", "schedule", "io_schedule", "folio_wait_bit_common", "filemap_fault", "handle_mm_fault"}}, "page fault"},
	{{{"__schedule", "schedule", "io_schedule", "folio_wait_bit_common", "filemap_read", "ext4_file_read_iter"}}, "disk"},
	{{{"__schedule", "schedule", "schedule_preempt_disabled", "__mutex_lock.constprop.0", "pipe_read"}}, "kernel lock"},
	{{{"__schedule", "rt_mutex_schedule", "rt_mutex_slowlock_block.constprop.0", "futex_lock_pi"}}, "futex"},
	{{{"__schedule", "schedule", "worker_thread", "kthread"}}, "no work"},
	/* where the table says nothing: the system call, or where it was */
	{{{"__schedule", "schedule", "__x64_sys_pause", "do_syscall_64"}}, "pause"},
	{{{"__schedule", "schedule", "__s390x_sys_newcall"}}, "newcall"},
	{{{"__schedule", "schedule", "some_driver_wait", "vfs_ioctl"}}, "some_driver_wait"},
	{{{"__schedule", "schedule"}}, "schedule"},
	/* without the names of the kernel nothing is known, whatever the user's functions are called */
	{{{"program:futex_wait", "program:main"}}, "unknown"},
	{{{NULL}}, "unknown"},
};
/* clang-format on */

UNIT_TEST(sleep_reason_is_the_first_that_is_known)
{
	char words[SLEEP_REASON_MAX];
	struct world world;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].words);
		make(&world, &cases[i].chain, SAMPLE_BLOCKED);
		sleep_reason_write(words, &world.profile, &world.entry, &names, 0);
		assert_string_equal(words, cases[i].words);
	}
}

UNIT_TEST(sleep_reason_of_a_long_name_is_cut)
{
	static const struct chain chain = {
		{"schedule", "a_function_with_a_name_that_is_longer_than_all"}};
	char words[SLEEP_REASON_MAX];
	struct world world;

	make(&world, &chain, SAMPLE_BLOCKED);
	sleep_reason_write(words, &world.profile, &world.entry, &names, 0);
	assert_int_equal(strlen(words), SLEEP_REASON_MAX - 1);
}

UNIT_TEST(sleep_reason_of_what_is_pushed_out_is_that)
{
	static const struct chain chain = {{"__schedule", "schedule", "futex_wait"}};
	char words[SLEEP_REASON_MAX];
	struct world world;

	make(&world, &chain, SAMPLE_PREEMPTED);
	sleep_reason_write(words, &world.profile, &world.entry, &names, 0);
	assert_string_equal(words, "preempted");
}

/* What an interrupt came upon may have any name, also that of an interrupt in a program. */
UNIT_TEST(sleep_reason_is_interrupt_where_one_enters_the_kernel)
{
	static const struct {
		const char *function;
		bool is_interrupt;
	} functions[] = {
		{"asm_sysvec_apic_timer_interrupt", true},
		{"asm_common_interrupt", true},
		{"el1h_64_irq", true},
		{"sysvec_apic_timer_interrupt", false},
		{"asm_exc_page_fault", false},
		{"program:asm_common_interrupt", false},
	};

	for (size_t i = 0; i < COUNT_OF(functions); i++) {
		const struct chain chain = {{functions[i].function, "vfs_write"}};
		struct world world;

		begin_case(functions[i].function);
		make(&world, &chain, SAMPLE_WAKER);
		assert_int_equal(sleep_reason_is_interrupt(&world.profile, 2, &names, 0),
				 functions[i].is_interrupt);
	}
	assert_false(sleep_reason_is_interrupt(&(struct profile){0}, 0, &names, 0));
}

UNIT_TEST(sleep_reason_node_is_before_the_scheduler)
{
	static const struct chain chain = {{"__schedule", "schedule", "pipe_read", "vfs_read"}};
	static const struct chain waker = {{"try_to_wake_up", "autoremove_wake_function",
					    "__wake_up_sync_key", "pipe_write", "vfs_write"}};
	static const struct chain alone = {{"__schedule", "schedule"}};
	struct world world;

	make(&world, &chain, SAMPLE_BLOCKED);
	assert_int_equal(sleep_reason_node(&world.profile, &world.entry, &names, 0), 2);
	world.entry.kind = SAMPLE_ON_CPU;
	assert_int_equal(sleep_reason_node(&world.profile, &world.entry, &names, 0), 4);
	make(&world, &waker, SAMPLE_WAKER);
	assert_int_equal(sleep_reason_node(&world.profile, &world.entry, &names, 0), 2);
	make(&world, &alone, SAMPLE_BLOCKED);
	assert_int_equal(sleep_reason_node(&world.profile, &world.entry, &names, 0), 1);
}

UNIT_MAIN(NULL, NULL)
