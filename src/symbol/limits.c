#include "symbol/limits.h"

#include <sys/resource.h>

/* Debug information of large programs needs much. */
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
