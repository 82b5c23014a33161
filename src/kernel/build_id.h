#ifndef PERFTOP_KERNEL_BUILD_ID_H
#define PERFTOP_KERNEL_BUILD_ID_H

/* Which build of a program, a library or the kernel something is: a GNU note of the linker. */

#include <stddef.h>

enum {
	BUILD_ID_MAX = 20
};

/* The build id among ELF notes of this machine's byte order; its size, 0: there is none. */
size_t build_id_find(const void *notes, size_t size, unsigned char id[static BUILD_ID_MAX]);

/*
 * Of the kernel that runs, from what sysfs says of it ("/sys/kernel/notes"). fd is consumed; below
 * 0: that could not be opened.
 */
size_t build_id_of_kernel(int fd, unsigned char id[static BUILD_ID_MAX]);

/*
 * Of an ELF file of this machine's byte order, from its segments of notes (PT_NOTE). At most 64
 * segments of 16 KiB are read, whatever the file says of their sizes. fd stays open and may be that
 * of anything that pread(2) can read. 0: there is none.
 */
size_t build_id_of_file(int fd, unsigned char id[static BUILD_ID_MAX]);

#endif
