#ifndef PERFTOP_SYMBOL_HELPER_H
#define PERFTOP_SYMBOL_HELPER_H

/* The helper process and the socket to it. Only helper_wait() waits. */

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

enum {
	HELPER_ENDING_MAX = 16
};

struct helper {
	pid_t pid; /* 0: none runs */
	/* Were killed, and are not gone yet: a disk may hang. 0: none */
	pid_t ending[HELPER_ENDING_MAX];
	int fd;    /* socket to it; -1 */
	int epoll; /* has fd in it, whichever that is; -1: could not be made */
};

void helper_init(struct helper *helper);
void helper_fini(struct helper *helper);

/* program: see struct symbols_options. False: it cannot be started. */
bool helper_start(struct helper *helper, const char *program);

/* Ends it, whatever it does; one that does not go at once is collected when another one works. */
void helper_stop(struct helper *helper);

/* A packet to it; false: it is gone. The one before must have been answered. */
bool helper_send(struct helper *helper, const void *packet, size_t size);

/* A packet from it: its size; 0: there is none now; -1: the helper is gone. */
ssize_t helper_receive(struct helper *helper, void *packet, size_t size);

/* Waits until there is something to receive. False: there was nothing for so many milliseconds. */
bool helper_wait(struct helper *helper, int patience_ms);

#endif
