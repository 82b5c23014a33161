#ifndef PERFTOP_TESTS_MADE_KERNEL_H
#define PERFTOP_TESTS_MADE_KERNEL_H

/* Functions of the kernel in recordings that make_off_cpu writes: a page each, in this order. */

#include <stdint.h>

enum {
	MADE_KERNEL_PAGE = 0x1000
};

static const uint64_t made_kernel_begin = UINT64_C(0xffffffffff000000);

static const char *const made_kernel_functions[] = {
	"__schedule",        "schedule",
	"futex_wait_queue",  "futex_wait",
	"do_futex",          "__x64_sys_futex",
	"do_syscall_64",     "entry_SYSCALL_64_after_hwframe",
	"pipe_read",         "vfs_read",
	"ksys_read",         "exit_to_user_mode_prepare",
	"preempt_schedule",  "try_to_wake_up",
	"wake_up_q",         "futex_wake",
	"hrtimer_wakeup",    "hrtimer_interrupt",
	"sysvec_apic_timer",
};

enum {
	MADE_KERNEL_FUNCTIONS = sizeof(made_kernel_functions) / sizeof(*made_kernel_functions)
};

#endif
