/*
 * Requests and replies are the structures themselves, a packet each; the descriptor goes with the
 * reply. What the reader says is not believed: it may have been taken over.
 */
#include "symbol/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/syscall.h>

#include "kernel/maps.h"
#include "kernel/proc.h"
#include "kernel/rights.h"
#include "kernel/sys.h"

/* --- the process that opens */

static int open_elf(int fd)
{
	char magic[4];

	if (fd < 0 || (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		       memcmp(magic, "\177ELF", sizeof(magic)) == 0))
		return fd;
	close(fd);
	return OPEN_NOT_ELF;
}

/* Whether the name means another file than the one that is mapped. */
static bool is_deleted(const struct opener_request *request, const struct stat *mapped)
{
	struct stat named;
	int fd = open_in_process(request->pid, request->name, OPEN_LINKS, &named);

	if (fd >= 0)
		close(fd);
	return fd < 0 || named.st_ino != mapped->st_ino || named.st_dev != mapped->st_dev;
}

static int open_wish(const struct opener_request *request, struct opener_reply *reply)
{
	struct stat status;
	int fd = OPEN_ABSENT;

	switch (request->wish) {
	case OPENER_FILE:
		return open_elf(open_in_process(request->pid, request->name, OPEN_LINKS, &status));
	case OPENER_MAPPED:
		fd = open_elf(open_mapped(request->pid, request->start, request->end, &status,
					  reply->name, sizeof(reply->name)));
		reply->is_deleted = fd >= 0 && is_deleted(request, &status);
		return fd;
	case OPENER_JIT_MAP:
		return open_jit_map(request->pid);
	case OPENER_MAPS:
		return open_maps(request->pid);
	case OPENER_KALLSYMS:
		rights_raise(RIGHTS_KALLSYMS);
		fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
		rights_lower();
		return fd >= 0 ? fd : OPEN_ABSENT;
	case OPENER_KERNEL_NOTES:
		fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
		return fd >= 0 ? fd : OPEN_ABSENT;
	case OPENER_KEPT_KALLSYMS:
		return open_kept_kallsyms(request->name);
	case OPENER_VDSO:
		fd = maps_copy_vdso();
		return fd >= 0 ? fd : OPEN_ABSENT;
	case OPENER_SOURCE:
		return open_source(request->pid, request->name);
	case OPENER_WISHES:
		break;
	}
	return OPEN_REFUSED;
}

/* Room for one descriptor in a message. */
union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header;
};

static bool send_reply(int socket, struct opener_reply *reply)
{
	union control control = {0};
	struct iovec part = {.iov_base = reply, .iov_len = sizeof(*reply)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (reply->result >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &reply->result, sizeof(int));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(*reply);
}

static bool serve_one(int socket)
{
	struct opener_request request;
	struct opener_reply reply = {0};
	bool is_sent;

	if (sys_read(socket, &request, sizeof(request)) != (ssize_t)sizeof(request))
		return false;
	request.name[WIRE_TEXT_BYTES] = '\0';
	reply.result = open_wish(&request, &reply);
	reply.cpu_ns = proc_own_cpu_ns();
	reply.rss_bytes = proc_own_rss_bytes();
	is_sent = send_reply(socket, &reply);
	if (reply.result >= 0)
		close(reply.result);
	return is_sent;
}

/* In the child: the socket becomes its standard input, and all that it has. */
static _Noreturn void serve(int socket)
{
	dup2(socket, STDIN_FILENO);
	sys_close_from(STDERR_FILENO + 1);
	if (geteuid() == 0) /* which needs none: but see open_source() */
		(void)!setgroups(0, NULL);
	while (serve_one(STDIN_FILENO))
		;
	_exit(0);
}

/* --- the process that reads */

bool opener_start(struct opener *opener)
{
	int pair[2];
	pid_t pid;

	*opener = (struct opener){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	pid = fork();
	if (pid == 0)
		serve(pair[1]);
	close(pair[1]);
	if (pid > 0)
		opener->fd = pair[0];
	else
		close(pair[0]);
	return pid > 0;
}

void opener_stop(struct opener *opener)
{
	if (opener->fd >= 0)
		close(opener->fd);
	opener->fd = -1;
}

/* By number: some C libraries have another call for this, by which sockets could be made. */
static bool receive(int socket, struct opener_reply *reply)
{
	union control control = {0};
	struct iovec part = {.iov_base = reply, .iov_len = sizeof(*reply)};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	long size;

	do
		size = syscall(SYS_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
	while (size < 0 && errno == EINTR);
	if (size != (long)sizeof(*reply))
		return false;
	if (reply->result >= 0 && message.msg_controllen >= CMSG_LEN(sizeof(int)))
		memcpy(&reply->result, CMSG_DATA(&control.header), sizeof(int));
	else if (reply->result >= 0)
		reply->result = OPEN_ABSENT; /* no descriptor was left */
	return true;
}

int opener_open(struct opener *opener, const struct opener_request *request,
		struct opener_reply *reply)
{
	if (opener->fd < 0 ||
	    write(opener->fd, request, sizeof(*request)) != (ssize_t)sizeof(*request) ||
	    !receive(opener->fd, reply)) {
		opener_stop(opener);
		*reply = (struct opener_reply){.result = OPEN_ABSENT};
	} else {
		opener->cpu_ns = reply->cpu_ns;
		opener->rss_bytes = reply->rss_bytes;
	}
	return reply->result;
}

int opener_open_of(struct opener *opener, enum opener_wish wish, int32_t pid)
{
	const struct opener_request request = {.wish = wish, .pid = pid};
	struct opener_reply reply;

	return opener_open(opener, &request, &reply);
}
