#ifndef PERFTOP_SYMBOL_OPEN_FILE_H
#define PERFTOP_SYMBOL_OPEN_FILE_H

/*
 * Files whose names other processes choose: only plain ones are opened, so that no device begins to
 * do something and no pipe waits for its other end. A name is that which the process sees, under
 * its own root.
 */

#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

enum {
	OPEN_ABSENT = -1,  /* there is none, or it may not be read */
	OPEN_REFUSED = -2, /* it is something else than a plain file, or another user's */
	OPEN_NOT_ELF = -3
};

enum open_links {
	OPEN_LINKS,  /* are followed, within the root of the process */
	OPEN_NO_LINK /* if the file itself is one it is refused */
};

/*
 * A descriptor for reading, and *status of it; or one of the values above. pid 0: under the root of
 * this process.
 */
int open_in_process(int32_t pid, const char *path, enum open_links links, struct stat *status);

/*
 * The file that is mapped there in a process, even where its name is gone: root may. *name is how
 * the kernel calls it, cut to size.
 */
int open_mapped(int32_t pid, uint64_t start, uint64_t end, struct stat *status, char *name,
		size_t size);

/* /tmp/perf-PID.map of a process, see jit_map.h. */
int open_jit_map(int32_t pid);

/* /proc/PID/maps; OPEN_REFUSED: the process is there, and may not be looked into. */
int open_maps(int32_t pid);

/* The symbols of a kernel, as perf keeps them for its recordings: by build id, "ab/cdef...". */
int open_kept_kallsyms(const char *build_id);

/*
 * A file of source that debug information names, which may name anything: where the process sees
 * it, or else on this machine, in both with the rights of its user. It is one that everybody may
 * read, or that user owns, and it has a size, which those of /proc have not.
 */
int open_source(int32_t pid, const char *path);

/*
 * A file of some megabytes, read whole: at most `limit` bytes; a NUL is put behind them. The caller
 * frees it; NULL: it cannot be read. fd stays open.
 */
char *read_text(int fd, size_t limit, size_t *size);

#endif
