/* What a program whose file has capabilities has in effect, and when. */

#include <errno.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "kernel/proc.h"
#include "kernel/rights.h"
#include "kernel/sys.h"

#include "unit.h"

#define BIT(capability) (UINT64_C(1) << (capability))

enum {
	PERFMON = 38
};

/* What the kernel has of this process. */
static struct {
	bool is_secure, is_refused;
	uid_t user;
	uint64_t permitted, effective;
	uint64_t at_open; /* in effect while an event was opened */
	int sets;
} process;

static int set_up(void **state)
{
	process.is_secure = true;
	process.is_refused = false;
	process.user = 1000;
	process.permitted = process.effective = BIT(PERFMON) | BIT(CAP_SYS_PTRACE);
	process.at_open = 0;
	process.sets = 0;
	return 0;
}

static int tear_down(void **state)
{
	process.is_secure = false;
	return 0;
}

unsigned long __real_getauxval(unsigned long type);

unsigned long __wrap_getauxval(unsigned long type)
{
	return type == AT_SECURE ? process.is_secure : __real_getauxval(type);
}

uid_t __wrap_geteuid(void)
{
	return process.user;
}

static long get_sets(struct __user_cap_data_struct *sets)
{
	for (int i = 0; i < 2; i++)
		sets[i] = (struct __user_cap_data_struct){
			.permitted = (uint32_t)(process.permitted >> 32 * i),
			.effective = (uint32_t)(process.effective >> 32 * i),
			.inheritable = 5,
		};
	return 0;
}

static uint64_t join(uint32_t low, uint32_t high)
{
	return low | (uint64_t)high << 32;
}

static long set_sets(const struct __user_cap_data_struct *sets)
{
	if (process.is_refused) {
		errno = EPERM;
		return -1;
	}
	assert_int_equal(join(sets[0].permitted, sets[1].permitted) & ~process.permitted, 0);
	process.permitted = join(sets[0].permitted, sets[1].permitted);
	assert_int_equal(sets[0].inheritable, 5);
	process.effective = join(sets[0].effective, sets[1].effective);
	process.sets++;
	return 0;
}

long __wrap_syscall(long number, ...)
{
	va_list arguments;
	long result = -1;

	va_start(arguments, number);
	va_arg(arguments, void *);
	if (number == SYS_capget) {
		result = get_sets(va_arg(arguments, void *));
	} else if (number == SYS_capset) {
		result = set_sets(va_arg(arguments, void *));
	} else {
		process.at_open = process.effective;
		errno = EACCES;
	}
	va_end(arguments);
	return result;
}

UNIT_TEST(rights_begin_leaves_nothing_in_effect)
{
	assert_true(rights_begin());
	assert_int_equal(process.effective, 0);
	assert_true(rights_are_held_back());
}

UNIT_TEST(rights_begin_says_when_the_kernel_refuses)
{
	process.is_refused = true;
	assert_false(rights_begin());
	assert_int_equal(errno, EPERM);
}

UNIT_TEST(rights_of_root_and_of_users_with_their_own_stay)
{
	const uint64_t before = process.effective;

	process.user = 0;
	assert_true(rights_begin());
	assert_false(rights_raise(RIGHTS_TASKS));
	rights_lower();
	process.user = 1000;
	process.is_secure = false;
	assert_true(rights_begin());
	assert_false(rights_raise(RIGHTS_TASKS));
	rights_lower();
	assert_int_equal(process.effective, before);
	assert_int_equal(process.sets, 0);
}

UNIT_TEST(rights_raise_has_what_the_call_needs_and_no_more)
{
	process.permitted |= BIT(CAP_DAC_OVERRIDE) | BIT(CAP_SYSLOG);
	rights_begin();

	assert_true(rights_raise(RIGHTS_TASKS));
	assert_int_equal(process.effective, BIT(CAP_SYS_PTRACE));
	rights_lower();
	assert_int_equal(process.effective, 0);
	assert_true(rights_raise(RIGHTS_EVENTS));
	assert_int_equal(process.effective, BIT(PERFMON));
	rights_lower();
	assert_true(rights_raise(RIGHTS_KALLSYMS));
	assert_int_equal(process.effective, BIT(CAP_SYSLOG));
	rights_lower();
	assert_int_equal(process.effective, 0);
}

UNIT_TEST(rights_raise_without_any_of_them_is_false)
{
	rights_begin();
	process.sets = 0;
	assert_false(rights_raise(RIGHTS_RINGS));
	rights_lower();
	assert_int_equal(process.sets, 0);
}

UNIT_TEST(rights_raise_and_lower_keep_what_is_permitted)
{
	const uint64_t before = process.permitted;

	rights_begin();
	rights_raise(RIGHTS_TASKS);
	rights_lower();
	assert_int_equal(process.permitted, before);
}

UNIT_TEST(rights_give_up_leaves_kallsyms_alone)
{
	process.permitted |= BIT(CAP_SYSLOG);
	rights_begin();

	rights_give_up();

	assert_int_equal(process.permitted, BIT(CAP_SYSLOG));
	assert_false(rights_raise(RIGHTS_TASKS));
	assert_int_equal(process.effective, 0);
	assert_true(rights_raise(RIGHTS_KALLSYMS));
	rights_lower();
}

UNIT_TEST(rights_lower_keeps_errno)
{
	rights_begin();
	rights_raise(RIGHTS_TASKS);
	errno = ESRCH;
	rights_lower();
	assert_int_equal(errno, ESRCH);
}

UNIT_TEST(rights_begin_forgets_what_leads_libraries)
{
	static const char *const names[] = {"TERMINFO",      "TERMINFO_DIRS", "TERMCAP",
					    "NCURSES_TRACE", "LIBPFM_DEBUG",  "DEBUGINFOD_URLS"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		setenv(names[i], "x", true);
	setenv("TERM", "xterm", true);
	process.is_secure = false;
	rights_begin();
	assert_non_null(getenv(names[0]));
	process.is_secure = true;
	rights_begin();
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_null(getenv(names[i]));
	assert_string_equal(getenv("TERM"), "xterm");
	assert_non_null(getenv("PATH"));
}

/* The path of a uprobe is the user's: it must not be found with CAP_SYS_PTRACE. */
UNIT_TEST(sys_perf_event_open_has_rights_for_that_call_alone)
{
	static const struct {
		const char *what;
		struct perf_event_attr attr;
		pid_t pid;
		uint64_t has;
	} cases[] = {
		{"a CPU", {.type = PERF_TYPE_SOFTWARE}, -1, BIT(PERFMON)},
		{"a task", {.type = PERF_TYPE_SOFTWARE}, 7, BIT(PERFMON) | BIT(CAP_SYS_PTRACE)},
		{"a task, a PMU", {.type = PERF_TYPE_MAX}, 7, BIT(PERFMON) | BIT(CAP_SYS_PTRACE)},
		{"a uprobe", {.type = PERF_TYPE_MAX, .config1 = 1}, -1, BIT(PERFMON)},
		{"a task, a uprobe", {.type = PERF_TYPE_MAX, .config1 = 1}, 7, BIT(PERFMON)},
	};

	rights_begin();
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct perf_event_attr attr = cases[i].attr;

		begin_case(cases[i].what);
		assert_int_equal(sys_perf_event_open(&attr, cases[i].pid, 0, -1, 0), -EACCES);
		assert_int_equal(process.at_open, cases[i].has);
		assert_int_equal(process.effective, 0);
	}
}

UNIT_MAIN(set_up, tear_down)

static bool note_task(int32_t id, void *context)
{
	assert_int_equal(process.effective, 0);
	(*(size_t *)context)++;
	return true;
}

UNIT_TEST(proc_walk_raises_rights_for_many_tasks_at_once)
{
	size_t count = 0;

	rights_begin();
	process.sets = 0;
	assert_true(proc_walk(0, note_task, &count));
	assert_true(count > 0);
	assert_in_range(process.sets, 2, 6 + count / 50);
}
