/*
 * Of a user's probe the kernel wants the file's path and the offset of an instruction in it; of its
 * own a function's name and the offset from there (perf_event_open(2): config1, config2). Whether
 * it is the return that counts is one bit of config, which the PMU's format names.
 *
 * /proc/kallsyms may hide addresses but shows names to everybody; where it cannot be read any name
 * is let through, and the kernel has its say when the event is opened.
 */
#include "event/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

#include "event/event.h"
#include "event/pmu.h"
#include "event/terms.h"
#include "symbol/probe_place.h"

enum {
	PATH_BYTES = 1024
};

/* Type, and the bit for returns, of the kernel's PMU for probes. False: there is none. */
static bool begin_spec(const char *root, const char *name, bool returns, struct event_spec *spec)
{
	const struct terms terms = {.terms = {{.name = "retprobe"}}, .count = returns};
	struct pmus pmus = {.root = root};
	struct pmu *pmu = pmus_find(&pmus, name, strlen(name));
	size_t position;
	bool good = pmu;

	*spec = (struct event_spec){.scale = 1};
	if (pmu) {
		pmu_load(&pmus, pmu);
		good = pmu_apply_terms(pmu, &terms, name, spec, &position, NULL) &&
		       (spec->config != 0) == returns;
	}
	pmus_fini(&pmus);
	return good;
}

static void name_probe(struct event_spec *spec, const char *what, uint64_t offset)
{
	size_t size = sizeof(spec->name);
	int length = snprintf(spec->name, size, "%s", what);

	if (offset > 0 && length >= 0 && (size_t)length < size) {
		snprintf(spec->name + length, size - (size_t)length, "+0x%llx",
			 (unsigned long long)offset);
	}
}

bool probe_find_user(const char *root, const struct probe_request *request, struct event_spec *spec,
		     struct error *error)
{
	const char *const file = request->file;
	const bool returns = request->at_entry;
	struct event_spec found;
	char path[PATH_MAX], name[EVENT_SPEC_NAME_MAX];

	if (!begin_spec(root, "uprobe", returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, file, "uprobe");
	if (!probe_place_find(request, &found.config2, error))
		return false;
	if (!realpath(file, path))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, errno);
	if (strlen(path) >= sizeof(found.target))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, ENAMETOOLONG);
	strcpy(found.target, path);
	snprintf(name, sizeof(name), "%s:%s:%s", returns ? "uretprobe" : "uprobe", file,
		 request->symbol);
	name_probe(&found, name, request->offset);
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
static bool is_kernel_function(const char *root, const char *symbol)
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
	}
	free(line);
	fclose(list);
	return found || seen == 0;
}

bool probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
		       struct event_spec *spec, struct error *error)
{
	struct event_spec found;
	char name[EVENT_SPEC_NAME_MAX];
	uint64_t address;

	if (!begin_spec(root, "kprobe", returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, symbol, "kprobe");
	if (returns && offset > 0) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "a return is seen from a function's beginning only");
	}
	if (text_begins(symbol, "0x") && units_parse_number(symbol, &address)) {
		found.config2 = address + offset;
	} else if (*symbol == '\0' || strlen(symbol) >= sizeof(found.target)) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "not the name of a function");
	} else if (!is_kernel_function(root, symbol)) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "the kernel has no such function");
	} else {
		strcpy(found.target, symbol);
		found.config2 = offset;
	}
	snprintf(name, sizeof(name), "%s:%s", returns ? "kretprobe" : "kprobe", symbol);
	name_probe(&found, name, offset);
	*spec = found;
	return true;
}
