# What stands for the kernel in fake_kernel.h.
set(KERNEL_WRAPS group_open group_close group_enable group_disable group_read
	timeline_open timeline_redirect ring_map sys_close sys_now_ns)

perftop_test(plan ROOMS source model kernel base WRAPS ${KERNEL_WRAPS})
perftop_test(lane ROOMS source model kernel base WRAPS ${KERNEL_WRAPS})
