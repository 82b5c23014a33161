#ifndef PERFTOP_TESTS_FAKE_SYSFS_H
#define PERFTOP_TESTS_FAKE_SYSFS_H

/*
 * A machine that is a folder: each test makes one under /tmp, puts files into it and has it
 * removed. For cmocka_unit_test_setup_teardown(test, sysfs_setup, sysfs_teardown).
 */

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>

static char sysfs_root[64];

static int sysfs_setup(void **state)
{
	(void)state;
	strcpy(sysfs_root, "/tmp/perftop-sysfs-XXXXXX");
	return mkdtemp(sysfs_root) == NULL ? -1 : 0;
}

static int sysfs_remove(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int sysfs_teardown(void **state)
{
	(void)state;
	return nftw(sysfs_root, sysfs_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Puts a file and the folders it needs. */
static void sysfs_put(const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", sysfs_root, path);
	for (char *slash = strchr(full + strlen(sysfs_root) + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Puts a file of a PMU: sysfs_pmu("cpu", "format/event", "config:0-7\n"). */
static void sysfs_pmu(const char *pmu, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, file);
	sysfs_put(path, text);
}

#endif
