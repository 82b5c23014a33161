#include "base/cache_level.h"

const char *cache_level_name(enum cache_level level)
{
	switch (level) {
	case CACHE_LEVEL_UNKNOWN:
		break;
	case CACHE_LEVEL_L1D:
		return "L1D";
	case CACHE_LEVEL_L2:
		return "L2";
	case CACHE_LEVEL_LLC:
		return "LLC";
	case CACHE_LEVEL_MEMORY:
		return "MEM";
	}
	return "";
}
