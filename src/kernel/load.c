#include "kernel/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/file.h"

enum {
	TEXT_BYTES = 4096,
	VMSTAT_BYTES = 16384 /* some 200 lines, more with each kernel */
};

/* Written in kB, of 1024 bytes. */
static bool find_bytes(const char *text, const char *key, uint64_t *bytes)
{
	const char *value = file_find_key(text, key);
	uint64_t kb;

	if (!value || sscanf(value, "%" SCNu64, &kb) != 1)
		return false;
	*bytes = kb * 1024;
	return true;
}

static bool read_meminfo(struct load *load, const char *root)
{
	char text[TEXT_BYTES];
	uint64_t available, swap_free;

	if (file_readf(text, sizeof(text), "%s/proc/meminfo", root) <= 0 ||
	    !find_bytes(text, "MemTotal", &load->memory_bytes) ||
	    !find_bytes(text, "MemAvailable", &available) ||
	    !find_bytes(text, "SwapTotal", &load->swap_bytes) ||
	    !find_bytes(text, "SwapFree", &swap_free) || available > load->memory_bytes ||
	    swap_free > load->swap_bytes)
		return false;
	load->memory_used_bytes = load->memory_bytes - available;
	load->swap_used_bytes = load->swap_bytes - swap_free;
	return true;
}

bool load_read(struct load *load, const char *root)
{
	char text[TEXT_BYTES];
	struct load found = {0};
	double *runnable = found.runnable;

	if (file_readf(text, sizeof(text), "%s/proc/loadavg", root) <= 0 ||
	    sscanf(text, "%lf %lf %lf", &runnable[0], &runnable[1], &runnable[2]) != 3 ||
	    !read_meminfo(&found, root) ||
	    file_readf(text, sizeof(text), "%s/proc/uptime", root) <= 0 ||
	    sscanf(text, "%" SCNu64, &found.uptime_s) != 1)
		return false;
	*load = found;
	return true;
}

bool load_read_swapped_in(uint64_t *bytes, const char *root)
{
	static const char words[] = "\npswpin ";
	char text[VMSTAT_BYTES];
	const char *line;
	uint64_t pages;

	if (file_readf(text, sizeof(text), "%s/proc/vmstat", root) <= 0 ||
	    !(line = strstr(text, words)) || sscanf(line + strlen(words), "%" SCNu64, &pages) != 1)
		return false;
	*bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return true;
}
