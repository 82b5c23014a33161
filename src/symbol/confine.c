/*
 * The filter is a list of what libdw, libelf and the C library do with memory, time and open
 * descriptors. What is not in it fails with EPERM, as for a user without rights, so that a C
 * library that has begun to call something else costs no more than what it wanted that for.
 */
#include "symbol/confine.h"

#include <errno.h>
#include <grp.h>
#include <stddef.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

enum {
	NOT_IN_THE_LIST = 5 /* instructions of the filter, besides two for each call */
};

#ifdef ARCHITECTURE
static const unsigned int allowed[] = {
	SYS_read,
	SYS_pread64,
	SYS_write,
	SYS_recvmsg,
	SYS_lseek,
	SYS_close,
	SYS_fstat,
	SYS_statx,
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	SYS_brk,
	SYS_fcntl,
	SYS_futex,
	SYS_clock_gettime,
	SYS_getpid,
	SYS_getrandom,
	SYS_prlimit64,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack, /* used by sanitizers at exit */
	SYS_restart_syscall,
	SYS_sysinfo,
	SYS_exit,
	SYS_exit_group,
#ifdef SYS_mmap
	SYS_mmap,
#endif
#ifdef SYS_mmap2
	SYS_mmap2,
#endif
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_fstat64
	SYS_fstat64,
	SYS_fstatat64,
#endif
#ifdef SYS_fcntl64
	SYS_fcntl64,
#endif
#ifdef SYS__llseek
	SYS__llseek,
#endif
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64,
#endif
#ifdef SYS_futex_time64
	SYS_futex_time64,
#endif
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
};

enum {
	ALLOWED = sizeof(allowed) / sizeof(*allowed)
};

/* Wrong architecture: denied, since the numbers mean other calls there. */
static bool filter_calls(void)
{
	struct sock_filter filter[2 * ALLOWED + NOT_IN_THE_LIST] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = {.len = sizeof(filter) / sizeof(*filter), .filter = filter};
	struct sock_filter *next = filter + 4;

	for (size_t i = 0; i < ALLOWED; i++) {
		*next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		*next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	*next = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
#else
static bool filter_calls(void)
{
	return false;
}
#endif

/* As far as possible. */
static bool become_nobody(void)
{
	bool has_failed = setgroups(0, NULL) != 0;

	has_failed |= setresgid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0;
	has_failed |= setresuid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0;
	return !has_failed;
}

bool confine(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	/* some containers have no such user: root without capabilities remains, which may open
	 * root's files unless the kernel filters its calls */
	const bool is_ordinary = geteuid() != 0 || become_nobody();

	if (syscall(SYS_capset, &header, none) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	return filter_calls() || is_ordinary;
}

/* Debug information of large programs is large. */
#ifdef PERFTOP_SANITIZED
static const uint64_t BYTES_MAX = UINT64_MAX / 2;
#else
static const uint64_t BYTES_MAX = UINT64_C(2) << 30;
#endif

void limit_resource(unsigned int resource, uint64_t value)
{
	struct rlimit limits;

	if (getrlimit(resource, &limits) != 0)
		return;
	limits.rlim_cur = limits.rlim_max < value ? limits.rlim_max : (rlim_t)value;
	setrlimit(resource, &limits);
}

void limit_memory(uint64_t mapped_bytes)
{
	limit_resource(RLIMIT_DATA, BYTES_MAX + mapped_bytes);
}
