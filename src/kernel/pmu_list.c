#include "kernel/pmu_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum {
	PATH_BYTES = 768
};

#define DEVICES "/sys/bus/event_source/devices"

static bool has_file(const char *root, const char *pmu, const char *file)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s" DEVICES "/%s/%s", root, pmu, file);
	return access(path, F_OK) == 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t pmu_list(const char *root, pmu_name **names)
{
	char path[PATH_BYTES];
	size_t count = 0, capacity = 0;

	*names = NULL;
	snprintf(path, sizeof(path), "%s" DEVICES, root);

	DIR *directory = opendir(path);

	if (!directory)
		return 0;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] != '.' && length < sizeof(pmu_name)) {
			array_reserve(names, &capacity, count + 1, sizeof(pmu_name));
			memcpy((*names)[count++], entry->d_name, length + 1);
		}
	}
	closedir(directory);
	if (count > 0)
		qsort(*names, count, sizeof(pmu_name), compare_names);
	return count;
}

bool pmu_is_core(const char *root, const char *name)
{
	return strcmp(name, "cpu") == 0 || strcmp(name, "cpu_core") == 0 ||
	       strcmp(name, "cpu_atom") == 0 || strcmp(name, "cpum_cf") == 0 ||
	       strncmp(name, "armv", strlen("armv")) == 0 || has_file(root, name, "cpus");
}
