#include "symbol/memory_limit.h"

#include <sys/resource.h>

/* Debug information of large programs needs much. */
#ifdef PERFTOP_SANITIZED
static const uint64_t BYTES_MAX = UINT64_MAX / 2;
#else
static const uint64_t BYTES_MAX = UINT64_C(2) << 30;
#endif

void memory_limit(uint64_t mapped_bytes)
{
	const uint64_t bytes = BYTES_MAX + mapped_bytes;
	struct rlimit limits;

	if (getrlimit(RLIMIT_DATA, &limits) != 0)
		return;
	limits.rlim_cur = limits.rlim_max < bytes ? limits.rlim_max : (rlim_t)bytes;
	setrlimit(RLIMIT_DATA, &limits);
}
