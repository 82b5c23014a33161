#ifndef PERFTOP_TESTS_FAKE_ROOT_H
#define PERFTOP_TESTS_FAKE_ROOT_H

/*
 * A machine that is a folder: /sys and /proc of a test's own, made before it and removed behind it
 * (fake_root_setup and fake_root_teardown of cmocka_unit_test_setup_teardown()).
 */

#include <ftw.h>

#include <sys/stat.h>

#include "unit.h"

enum {
	FAKE_NAME_BYTES = 512, /* under the root */
	FAKE_PATH_BYTES = FAKE_NAME_BYTES + 32
};

static char fake_root[32];

static inline int fake_root_setup(void **state)
{
	strcpy(fake_root, "/tmp/perftop-root-XXXXXX");
	return mkdtemp(fake_root) == NULL ? -1 : 0;
}

static inline int fake_root_remove(const char *path, const struct stat *status, int kind,
				   struct FTW *where)
{
	return remove(path);
}

static inline int fake_root_teardown(void **state)
{
	return nftw(fake_root, fake_root_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void fake_root_path(char path[static FAKE_PATH_BYTES], const char *name)
{
	assert_true(snprintf(path, FAKE_PATH_BYTES, "%s%s", fake_root, name) < FAKE_PATH_BYTES);
}

/* A folder and those above it. */
static inline void fake_root_folder(const char *name)
{
	char path[FAKE_PATH_BYTES];

	fake_root_path(path, name);
	for (char *slash = strchr(path + strlen(fake_root), '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	mkdir(path, 0755);
}

static inline void fake_root_bytes(const char *name, const char *bytes, size_t size)
{
	char path[FAKE_PATH_BYTES], folder[FAKE_NAME_BYTES];
	FILE *file;

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(name, '/') - name), name);
	fake_root_folder(folder);
	fake_root_path(path, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static inline void fake_root_file(const char *name, const char *text)
{
	fake_root_bytes(name, text, strlen(text));
}

/* An empty machine again. */
static inline void fake_root_renew(void)
{
	assert_int_equal(fake_root_teardown(NULL), 0);
	assert_int_equal(fake_root_setup(NULL), 0);
}

#endif
