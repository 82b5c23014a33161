#ifndef PERFTOP_KERNEL_BUILD_ID_H
#define PERFTOP_KERNEL_BUILD_ID_H

/* The build id of a program, a library or the kernel: a GNU note written by the linker. */

#include <stddef.h>

enum {
	BUILD_ID_MAX = 20
};

/* The build id among ELF notes of this machine's byte order; its size, 0: there is none. */
size_t build_id_find(const void *notes, size_t size, unsigned char id[static BUILD_ID_MAX]);

/*
 * The running kernel's, from sysfs ("/sys/kernel/notes"). fd is consumed; below 0: the file could
 * not be opened.
 */
size_t build_id_of_kernel(int fd, unsigned char id[static BUILD_ID_MAX]);

/*
 * An ELF file's, of this machine's byte order, from its segments of notes (PT_NOTE). Reads at most
 * 64 segments of 16 KiB, whatever sizes the file claims. fd stays open; it may be anything that
 * pread(2) can read. 0: there is none.
 */
size_t build_id_of_file(int fd, unsigned char id[static BUILD_ID_MAX]);

#endif
