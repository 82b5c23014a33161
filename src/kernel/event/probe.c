/*
 * Of a user's probe the kernel wants the file's path and the offset of an instruction in it; of its
 * own a function's name and the offset from there (perf_event_open(2): config1, config2). Whether
 * it is the return that counts is one bit of config, which the PMU's format names.
 *
 * /proc/kallsyms may hide addresses but shows names to everybody; where it cannot be read any name
 * is let through, and the kernel has its say when the event is opened.
 */

#include "kernel/event/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "kernel/event/event.h"
#include "kernel/event/symbol.h"
#include "kernel/file.h"

enum {
	PATH_BYTES = 1024,
	SHORT_BYTES = 64,
	DETAIL_BYTES = 256
};

static long read_attribute(const char *root, const char *pmu, const char *attribute,
			   char text[static SHORT_BYTES])
{
	char path[PATH_BYTES];
	int length = snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/%s", root,
			      pmu, attribute);

	if (length < 0 || (size_t)length >= sizeof(path))
		return -ENAMETOOLONG;

	long got = file_read(path, text, SHORT_BYTES);

	text[strcspn(text, "\n")] = '\0';
	return got;
}

/* Type and the bit for returns ("config:0") of the PMU. */
static bool read_pmu(const char *root, const char *pmu, bool returns, struct event_spec *spec)
{
	static const char in_config[] = "config:";
	char text[SHORT_BYTES];
	uint64_t number;

	if (read_attribute(root, pmu, "type", text) <= 0 ||
	    !units_parse_u64(text, 0, UINT32_MAX, &number))
		return false;
	spec->type = (uint32_t)number;
	if (!returns)
		return true;
	if (read_attribute(root, pmu, "format/retprobe", text) <= 0 ||
	    strncmp(text, in_config, strlen(in_config)) != 0 ||
	    !units_parse_u64(text + strlen(in_config), 0, 63, &number))
		return false;
	spec->config = UINT64_C(1) << number;
	return true;
}

static struct event_spec init_spec(const char *pmu)
{
	struct event_spec spec = {.class = EVENT_CLASS_SOFTWARE, .scale = 1};

	snprintf(spec.pmu, sizeof(spec.pmu), "%s", pmu);
	return spec;
}

static void set_name(struct event_spec *spec, const char *what, uint64_t offset)
{
	size_t size = sizeof(spec->name);
	int length = snprintf(spec->name, size, "%s", what);

	if (offset > 0 && length >= 0 && (size_t)length < size) {
		snprintf(spec->name + length, size - (size_t)length, "+0x%llx",
			 (unsigned long long)offset);
	}
}

bool probe_find_user(const char *root, const char *file, const char *symbol, uint64_t offset,
		     bool returns, struct event_spec *spec, struct error *error)
{
	const struct symbol_request request = {
		.file = file, .symbol = symbol, .offset = offset, .at_entry = returns};
	struct event_spec found = init_spec("uprobe");
	char path[PATH_MAX], name[EVENT_SPEC_NAME_MAX];

	if (!read_pmu(root, found.pmu, returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, file, found.pmu);
	if (!symbol_find_in_file(&request, &found.config2, error))
		return false;
	if (!realpath(file, path))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, errno);
	if (strlen(path) >= sizeof(found.target))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, ENAMETOOLONG);
	strcpy(found.target, path);
	snprintf(name, sizeof(name), "%s:%s:%s", returns ? "uretprobe" : "uprobe", file, symbol);
	set_name(&found, name, offset);
	*spec = found;
	return true;
}

/* A line of kallsyms: "ffffffff81000000 T name" and, of a module, a tab and "[module]". */
static bool parse_kernel_symbol(char *line, const char **name)
{
	char *kind = strchr(line, ' ');

	if (!kind || kind[1] == '\0' || !strchr("tTwW", kind[1]) || kind[2] != ' ')
		return false;
	*name = kind + 3;
	kind[3 + strcspn(kind + 3, "\t\n")] = '\0';
	return true;
}

/* Calls it found when the list cannot be read, or shows nothing. */
static bool is_kernel_function(const char *root, const char *symbol, struct nearest *nearest)
{
	char path[PATH_BYTES], *line = NULL;
	const char *name;
	size_t size = 0, seen = 0;
	bool found = false;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);

	FILE *list = fopen(path, "re");

	if (!list)
		return true;
	while (!found && getline(&line, &size, list) > 0) {
		if (!parse_kernel_symbol(line, &name))
			continue;
		seen++;
		found = strcmp(name, symbol) == 0;
		if (nearest)
			nearest_offer(nearest, name);
	}
	free(line);
	fclose(list);
	return found || seen == 0;
}

static bool check_kernel_function(const char *root, const char *symbol, struct error *error)
{
	static const char before[] = "; the nearest: ";
	char why[DETAIL_BYTES], names[DETAIL_BYTES / 2];
	struct nearest nearest;

	if (is_kernel_function(root, symbol, NULL))
		return true;
	nearest_init(&nearest, symbol);
	is_kernel_function(root, symbol, &nearest);
	nearest_format(&nearest, names, sizeof(names));
	snprintf(why, sizeof(why), "the kernel has no such function%s%s",
		 *names != '\0' ? before : "", names);
	return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol, why);
}

/* "0x..." is an address in the kernel. */
static bool parse_address(const char *text, uint64_t *address)
{
	char *end;

	if (strncmp(text, "0x", 2) != 0 || text[2] == '\0' ||
	    text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] != '\0')
		return false;
	errno = 0;
	*address = strtoull(text + 2, &end, 16);
	return errno == 0;
}

bool probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
		       struct event_spec *spec, struct error *error)
{
	struct event_spec found = init_spec("kprobe");
	char name[EVENT_SPEC_NAME_MAX];
	uint64_t address;

	if (!read_pmu(root, found.pmu, returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, symbol, found.pmu);
	if (returns && offset > 0) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "a return is seen from a function's beginning only");
	}
	if (parse_address(symbol, &address)) {
		found.config2 = address + offset;
	} else if (*symbol == '\0' || strlen(symbol) >= sizeof(found.target)) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "not the name of a function");
	} else if (!check_kernel_function(root, symbol, error)) {
		return false;
	} else {
		strcpy(found.target, symbol);
		found.config2 = offset;
	}
	snprintf(name, sizeof(name), "%s:%s", returns ? "kretprobe" : "kprobe", symbol);
	set_name(&found, name, offset);
	*spec = found;
	return true;
}
