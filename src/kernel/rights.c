#include "kernel/rights.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "base/text.h"

/* Younger than some headers this must build with. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40 /* Linux 5.9 */
#endif

enum {
	WORDS = _LINUX_CAPABILITY_U32S_3
};

#define BIT(capability) (UINT64_C(1) << (capability))

/* Older kernels check CAP_SYS_ADMIN instead of CAP_PERFMON and CAP_CHECKPOINT_RESTORE. */
static const uint64_t needed[] = {
	[RIGHTS_EVENTS] = BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN),
	[RIGHTS_EVENTS_OF_TASK] = BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN) | BIT(CAP_SYS_PTRACE),
	[RIGHTS_RINGS] = BIT(CAP_IPC_LOCK),
	[RIGHTS_TASKS] = BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_READ_SEARCH),
	[RIGHTS_MAPPED_FILES] = BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_READ_SEARCH) |
				BIT(CAP_CHECKPOINT_RESTORE) | BIT(CAP_SYS_ADMIN),
	[RIGHTS_KALLSYMS] = BIT(CAP_SYSLOG),
	[RIGHTS_CGROUP_IDS] = BIT(CAP_DAC_READ_SEARCH),
	[RIGHTS_REALTIME] = BIT(CAP_SYS_NICE),
};

#undef BIT

/* Beginnings of variables that curses, libpfm4 and libdw read and the C library does not drop. */
static const char *const steering[] = {
	"TERMINFO", "TERMCAP=", "TERMPATH=", "NCURSES_", "LIBPFM_", "DEBUGINFOD_"};

static uint32_t word_of(uint64_t capabilities, size_t index)
{
	return (uint32_t)(capabilities >> 32 * index);
}

/*
 * Puts these in effect as far as they are permitted, and no others; permitted remain at most
 * `stay`.
 */
static bool put_in_effect(uint64_t capabilities, uint64_t stay, bool *is_any)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[WORDS] = {0};
	bool is_change = false;

	*is_any = false;
	if (syscall(SYS_capget, &header, sets) != 0)
		return false;
	for (size_t i = 0; i < WORDS; i++) {
		const struct __user_cap_data_struct before = sets[i];

		sets[i].permitted &= word_of(stay, i);
		sets[i].effective = sets[i].permitted & word_of(capabilities, i);
		is_change = is_change || memcmp(&sets[i], &before, sizeof(before)) != 0;
		*is_any = *is_any || sets[i].effective != 0;
	}
	return !is_change || syscall(SYS_capset, &header, sets) == 0;
}

static bool is_steering(const char *variable)
{
	for (size_t i = 0; i < sizeof(steering) / sizeof(*steering); i++)
		if (text_begins(variable, steering[i]))
			return true;
	return false;
}

static void forget_steering(void)
{
	char **kept = environ;

	for (char **variable = environ; variable && *variable; variable++)
		if (!is_steering(*variable))
			*kept++ = *variable;
	if (kept)
		*kept = NULL;
}

bool rights_are_held_back(void)
{
	return getauxval(AT_SECURE) != 0 && geteuid() != 0;
}

bool rights_begin(void)
{
	bool is_any;

	if (getauxval(AT_SECURE) == 0)
		return true;
	forget_steering();
	return !rights_are_held_back() || put_in_effect(0, UINT64_MAX, &is_any);
}

bool rights_raise(enum rights rights)
{
	bool is_any;

	return rights_are_held_back() && put_in_effect(needed[rights], UINT64_MAX, &is_any) &&
	       is_any;
}

/* Continuing with raised rights would be worse than ending. */
void rights_lower(void)
{
	const int errno_value = errno;
	bool is_any;

	if (rights_are_held_back() && !put_in_effect(0, UINT64_MAX, &is_any))
		abort();
	errno = errno_value;
}

void rights_give_up(void)
{
	bool is_any;

	if (rights_are_held_back() && !put_in_effect(0, needed[RIGHTS_KALLSYMS], &is_any))
		abort();
}
