#ifndef PERFTOP_PERFDATA_KERNEL_MAP_H
#define PERFTOP_PERFDATA_KERNEL_MAP_H

/*
 * Where the kernel lies in memory, as the record that perf wants to see in a file before it looks
 * for the kernel's symbols: a mapping of "[kernel.kallsyms]_text".
 */

#include <stdbool.h>
#include <stdint.h>

struct decode_format;
struct strbuf;

/*
 * kallsyms: "/proc/kallsyms". False, and nothing is appended: it does not show addresses to this
 * user.
 */
bool kernel_map_append(const char *kallsyms, const struct decode_format *format, uint64_t id,
		       struct strbuf *buffer);

#endif
