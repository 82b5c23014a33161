/*
 * The kernel's text begins at the symbol _text, or _stext. They are at the beginning of
 * /proc/kallsyms or, where addresses of CPUs' data are small numbers, soon behind it; the file is
 * some MiB long, so only its first part is read. The end is not looked for: perf takes what lies
 * there for the kernel's until modules say otherwise.
 */

#include "perfdata/kernel_map.h"

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/encode.h"
#include "kernel/file.h"

enum {
	KALLSYMS_BYTES = 1024 * 1024,
	READ_AND_EXECUTE = 5, /* PROT_ */
	PRIVATE = 2           /* MAP_ */
};

/* The address in the line before the symbol's name, "ffffffff81000000 T _text"; 0: not shown. */
static uint64_t address_of(const char *text, const char *symbol)
{
	const char *found = strstr(text, symbol);

	while (found && found > text && found[-1] != '\n')
		found--;
	return found ? strtoull(found, NULL, 16) : 0;
}

static uint64_t find_start(const char *kallsyms, const char **name)
{
	char *text = xcalloc(KALLSYMS_BYTES, 1);
	uint64_t start = 0;

	if (file_read(kallsyms, text, KALLSYMS_BYTES) > 0) {
		*name = "[kernel.kallsyms]_text";
		start = address_of(text, " _text\n");
		if (start == 0) {
			*name = "[kernel.kallsyms]_stext";
			start = address_of(text, " _stext\n");
		}
	}
	free(text);
	return start;
}

bool kernel_map_append(const char *kallsyms, const struct decode_format *format, uint64_t id,
		       struct strbuf *buffer)
{
	const char *name;
	uint64_t start = find_start(kallsyms, &name), bytes[64];

	if (start == 0)
		return false;

	const struct decoded record = {
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_KERNEL,
		.id = {.id = id},
		.mmap =
			{
				.pid = -1, /* of no process */
				.address = start,
				.length = UINT64_MAX - start,
				.page_offset = start, /* of the symbol: perf moves others by it */
				.protection = READ_AND_EXECUTE,
				.flags = PRIVATE,
				.file = name,
				.file_length = strlen(name),
			},
	};

	strbuf_add_bytes(buffer, (const char *)bytes, encode_record(bytes, &record, format));
	return true;
}
