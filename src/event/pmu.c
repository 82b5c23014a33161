/*
 * PMUs of sysfs: a folder each, with a file for each field (format/) and for each named event
 * (events/). What becomes of terms is pmu_terms.c's matter.
 */

#include "event/pmu.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "kernel/file.h"

enum {
	PATH_BYTES = 768,
	TEXT_BYTES = 4096 /* sysfs files are a page at most */
};

#define DEVICES "/sys/bus/event_source/devices"

/* Text of DEVICES/PMU/FILE without blanks at its end; false: there is no such file. */
static bool read_text(const char *root, const char *pmu, const char *file,
		      char text[static TEXT_BYTES])
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s" DEVICES "/%s/%s", root, pmu, file);

	long length = file_read(path, text, TEXT_BYTES);

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
	return length >= 0;
}

static bool read_pmu(const char *root, const char *name, struct pmu *pmu)
{
	char text[TEXT_BYTES];
	uint64_t type;

	if (!read_text(root, name, "type", text) || !terms_number(text, &type) || type > UINT32_MAX)
		return false;
	*pmu = (struct pmu){.type = (uint32_t)type, .is_core = pmu_is_core(root, name)};
	memcpy(pmu->name, name, sizeof(pmu->name));
	pmu->is_shared = !pmu->is_core && read_text(root, name, "cpumask", text);
	pmu->cpus = xstrdup(read_text(root, name, "cpus", text) ? text : "");
	return true;
}

void pmus_read(struct pmus *pmus)
{
	pmu_name *names;
	size_t count;

	if (pmus->is_read)
		return;
	pmus->is_read = true;
	count = pmu_list(pmus->root, &names);
	pmus->pmus = xcalloc(count, sizeof(*pmus->pmus));
	for (size_t i = 0; i < count; i++)
		if (read_pmu(pmus->root, names[i], &pmus->pmus[pmus->count]))
			pmus->count++;
	free(names);
}

void pmus_fini(struct pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++) {
		struct pmu *pmu = &pmus->pmus[i];

		for (size_t j = 0; j < pmu->event_count; j++)
			free(pmu->events[j].terms);
		free(pmu->events);
		free(pmu->fields);
		free(pmu->cpus);
	}
	free(pmus->pmus);
	*pmus = (struct pmus){0};
}

struct pmu *pmus_find(struct pmus *pmus, const char *name, size_t length)
{
	pmus_read(pmus);
	for (size_t i = 0; i < pmus->count; i++)
		if (strlen(pmus->pmus[i].name) == length &&
		    memcmp(pmus->pmus[i].name, name, length) == 0)
			return &pmus->pmus[i];
	return NULL;
}

static void add_field(const char *root, struct pmu *pmu, const char *name)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	struct pmu_field field = {0};

	snprintf(field.name, sizeof(field.name), "%s", name);
	snprintf(file, sizeof(file), "format/%s", name);
	if (!read_text(root, pmu->name, file, text))
		return;
	snprintf(field.text, sizeof(field.text), "%.*s", (int)strcspn(text, "\n"), text);
	if (format_parse(text, &field.format, &field.fault))
		field.fault = NULL;
	array_reserve(&pmu->fields, &pmu->field_capacity, pmu->field_count + 1,
		      sizeof(*pmu->fields));
	pmu->fields[pmu->field_count++] = field;
}

static double read_scale(const char *root, const struct pmu *pmu, const char *event)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	char *end = text;
	double scale = 0;

	snprintf(file, sizeof(file), "events/%s.scale", event);
	if (read_text(root, pmu->name, file, text))
		scale = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(scale) && scale > 0 ? scale : 1;
}

/* NAME.scale, NAME.unit, NAME.snapshot, NAME.per-pkg are no events but about one. */
static bool is_about_event(const char *name)
{
	static const char *const endings[] = {".scale", ".unit", ".snapshot", ".per-pkg"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static void add_event(const char *root, struct pmu *pmu, const char *name)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	struct pmu_event event = {.scale = 1};

	snprintf(file, sizeof(file), "events/%s", name);
	if (is_about_event(name) || !read_text(root, pmu->name, file, text))
		return;
	snprintf(event.name, sizeof(event.name), "%s", name);
	event.terms = xstrdup(text);
	event.scale = read_scale(root, pmu, name);
	snprintf(file, sizeof(file), "events/%s.unit", name);
	if (read_text(root, pmu->name, file, text))
		snprintf(event.unit, sizeof(event.unit), "%.*s", EVENT_SPEC_UNIT_MAX - 1, text);
	array_reserve(&pmu->events, &pmu->event_capacity, pmu->event_count + 1,
		      sizeof(*pmu->events));
	pmu->events[pmu->event_count++] = event;
}

static void read_folder(const char *root, struct pmu *pmu, const char *folder,
			void (*add)(const char *root, struct pmu *pmu, const char *name))
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s" DEVICES "/%s/%s", root, pmu->name, folder);

	DIR *directory = opendir(path);

	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));)
		if (entry->d_name[0] != '.' && strlen(entry->d_name) < TERM_NAME_MAX)
			add(root, pmu, entry->d_name);
	closedir(directory);
}

static int compare_fields(const void *a, const void *b)
{
	return strcmp(((const struct pmu_field *)a)->name, ((const struct pmu_field *)b)->name);
}

static int compare_events(const void *a, const void *b)
{
	return strcmp(((const struct pmu_event *)a)->name, ((const struct pmu_event *)b)->name);
}

void pmu_load(const struct pmus *pmus, struct pmu *pmu)
{
	if (pmu->is_loaded)
		return;
	pmu->is_loaded = true;
	read_folder(pmus->root, pmu, "format", add_field);
	read_folder(pmus->root, pmu, "events", add_event);
	if (pmu->field_count > 0)
		qsort(pmu->fields, pmu->field_count, sizeof(*pmu->fields), compare_fields);
	if (pmu->event_count > 0)
		qsort(pmu->events, pmu->event_count, sizeof(*pmu->events), compare_events);
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t length)
{
	for (size_t i = 0; i < pmu->event_count; i++)
		if (strlen(pmu->events[i].name) == length &&
		    strncasecmp(pmu->events[i].name, name, length) == 0)
			return &pmu->events[i];
	return NULL;
}

enum event_class pmu_class(const struct pmu *pmu)
{
	static const char *const free_ones[] = {"software", "tracepoint", "breakpoint",
						"kprobe",   "uprobe",     "msr"};

	for (size_t i = 0; i < sizeof(free_ones) / sizeof(free_ones[0]); i++)
		if (strcmp(pmu->name, free_ones[i]) == 0)
			return EVENT_CLASS_SOFTWARE;
	return pmu->is_shared ? EVENT_CLASS_SHARED : EVENT_CLASS_HARDWARE;
}
