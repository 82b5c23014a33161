#ifndef PERFTOP_KERNEL_HOST_PARTS_H
#define PERFTOP_KERNEL_HOST_PARTS_H

/* What the files of host.h share: host.c finds most facts, host_virtual.c what is around. */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/host.h"

enum {
	HOST_PATH_BYTES = 512,
	HOST_SHORT_BYTES = 512, /* one number, one name, one list of CPUs */
	HOST_STATUS_BYTES = 8192
};

/* A file under `root`, as file_read(). */
long host_read_file(const char *root, const char *path, char *text, size_t size);

/* Cuts off the blanks at the end. */
void host_trim_end(char *text);

/* Cut to what there is room for. */
void host_set_text(char text[static HOST_TEXT_MAX], const char *value);

/* Whether the machine is virtual, its hypervisor, and the container that this runs in. */
void host_find_hypervisor(struct host *host, const char *root);
void host_find_container(struct host *host, const char *root);

#endif
