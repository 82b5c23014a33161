/*
 * A request is a wish and an object in one packet; the reply is struct opener_reply, with the
 * descriptor attached. Requests are not trusted: a hostile file may have taken over the reader. A
 * file is first opened with O_PATH, which only names it; its type is checked, and then it is opened
 * through that descriptor, so that it cannot be replaced in between.
 */
#include "symbol/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/maps.h"
#include "kernel/proc.h"
#include "kernel/rights.h"
#include "kernel/sys.h"

#include "symbol/confine.h"

enum {
	REQUEST_BYTES_MAX = WIRE_TEXT_BYTES + 512
};

/* --- a file by its name */

/* Symbolic links cannot leave the root of the process; kernels before 5.6 cannot enforce that. */
static int name_in_root(int root, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned int)flags, .resolve = RESOLVE_IN_ROOT};
	long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(root, path + 1, flags);
	return (int)fd;
}

/* Closes `named`. */
static int open_named(int named, struct stat *status)
{
	char path[64];
	int fd = OPEN_ABSENT;

	if (named < 0)
		return OPEN_ABSENT;
	if (fstat(named, status) == 0 && !S_ISREG(status->st_mode)) {
		close(named);
		return OPEN_REFUSED;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", named);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(named);
	return fd >= 0 ? fd : OPEN_ABSENT;
}

static int open_root(int32_t pid)
{
	char path[64] = "/";

	if (pid > 0)
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/root", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Closes the root; below 0: there is none. flags: O_NOFOLLOW, or 0. */
static int open_in_root(int root, const char *path, int flags, struct stat *status)
{
	int named = -1;

	if (root < 0)
		return OPEN_ABSENT;
	if (path[0] == '/')
		named = name_in_root(root, path, O_PATH | O_CLOEXEC | flags);
	close(root);
	return open_named(named, status);
}

/* Only the root is opened with raised rights, not what is below it. */
static int open_in_process(int32_t pid, const char *path, int flags, struct stat *status)
{
	int root;

	rights_raise(RIGHTS_TASKS);
	root = open_root(pid);
	rights_lower();
	return open_in_root(root, path, flags, status);
}

static int open_elf(int fd)
{
	char magic[4];

	if (fd < 0 || (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		       memcmp(magic, "\177ELF", sizeof(magic)) == 0))
		return fd;
	close(fd);
	return OPEN_NOT_ELF;
}

/* Whether the object's name leads to another file than the mapped one. */
static bool is_deleted(const struct wire_object *object, const struct stat *mapped)
{
	struct stat named;
	int fd = open_in_process(object->pid, object->name, 0, &named);

	if (fd >= 0)
		close(fd);
	return fd < 0 || named.st_ino != mapped->st_ino || named.st_dev != mapped->st_dev;
}

/* Whether the kernel's name of what is mapped is the object's. */
static bool is_mapped_name(const struct wire_object *object, const char *name)
{
	const size_t length = strlen(object->name);

	return strncmp(name, object->name, length) == 0 &&
	       (name[length] == '\0' || strcmp(name + length, " (deleted)") == 0);
}

static int open_mapped(const struct wire_object *object, struct opener_reply *reply)
{
	char path[96], name[WIRE_TEXT_BYTES + 1];
	struct stat status;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/map_files/%" PRIx64 "-%" PRIx64,
		 object->pid, object->start, object->end);
	rights_raise(RIGHTS_MAPPED_FILES);
	length = readlink(path, name, sizeof(name) - 1);
	fd = open(path, O_PATH | O_CLOEXEC);
	rights_lower();
	name[length > 0 ? length : 0] = '\0';
	fd = open_elf(open_named(fd, &status));
	reply->is_deleted = fd >= 0 && is_deleted(object, &status);
	if (fd < 0 || status.st_ino == object->inode || is_mapped_name(object, name))
		return fd;
	close(fd);
	return OPEN_ABSENT;
}

/* --- what a process made at run time */

/*
 * The pid of a process in its own pid namespace, which it uses in the name of its map; its pid here
 * if the kernel does not tell.
 */
static int32_t inner_pid(int32_t pid)
{
	char status[4096], *rest;
	const char *numbers;
	int32_t inner = pid;
	long length;

	rights_raise(RIGHTS_TASKS);
	length = file_readf(status, sizeof(status), "/proc/%" PRId32 "/status", pid);
	rights_lower();
	numbers = length > 0 ? file_find_key(status, "NSpid") : NULL;
	for (; numbers && *numbers != '\0' && *numbers != '\n'; numbers = rest) {
		const long number = strtol(numbers, &rest, 10);

		if (rest == numbers)
			break;
		inner = (int32_t)number;
	}
	return inner;
}

bool opener_lacks_jit_map(int32_t pid)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/root/tmp", pid);
	if (access(path, F_OK) != 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%" PRId32 "/root/tmp/perf-%" PRId32 ".map", pid,
		 inner_pid(pid));
	return access(path, F_OK) != 0 && errno == ENOENT;
}

/* Anybody may write to /tmp: the file must belong to the user of the process, or to root. */
static int open_jit_map(int32_t pid)
{
	const int64_t owner = proc_owner(pid);
	struct stat status;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", inner_pid(pid));
	fd = open_in_process(pid, path, O_NOFOLLOW, &status);
	if (fd < 0 || status.st_uid == 0 || (owner >= 0 && status.st_uid == (uint64_t)owner))
		return fd;
	close(fd);
	return OPEN_REFUSED;
}

/* --- source */

/* Of root's files only what everybody may read: the name comes from a possibly hostile file. */
static bool is_no_secret(const struct stat *status, int32_t pid)
{
	const int64_t owner = pid > 0 ? proc_owner(pid) : (int64_t)geteuid();

	return (status->st_mode & S_IROTH) != 0 || (owner > 0 && status->st_uid == (uint64_t)owner);
}

/* Below the root of the process, or else below ours: containers may lack their source. */
static int open_below(int32_t pid, const char *path, struct stat *status)
{
	const int fd = open_in_root(open_root(pid), path, 0, status);

	return fd >= 0 || pid == 0 ? fd : open_in_root(open_root(0), path, 0, status);
}

/*
 * Opens with the rights of a user, who may be shut out of a folder; never with capabilities of the
 * program's file (kernel/rights.h), since the text is shown.
 */
static int open_as(int64_t user, int32_t pid, const char *path, struct stat *status)
{
	int fd = OPEN_REFUSED;

	if (geteuid() != 0 || user == 0)
		return open_below(pid, path, status);
	setfsgid(NOBODY_ID);
	setfsuid((uid_t)user);
	/* they report no error, but return what was set before; an invalid id changes nothing */
	if (getgroups(0, NULL) == 0 && setfsuid((uid_t)-1) == (int)user &&
	    setfsgid((gid_t)-1) == NOBODY_ID)
		fd = open_below(pid, path, status);
	setfsuid(0);
	setfsgid(getegid());
	return fd;
}

/* If the process has ended its user is unknown: only what `nobody` may open. */
static int open_source_file(int32_t pid, const char *path)
{
	const int64_t owner = pid > 0 ? proc_owner(pid) : 0;
	struct stat status;
	const int fd = open_as(owner >= 0 ? owner : NOBODY_ID, pid, path, &status);

	if (fd < 0 || (is_no_secret(&status, pid) && status.st_size > 0))
		return fd;
	close(fd);
	return OPEN_REFUSED;
}

/* --- what the kernel says */

static int open_with(enum rights rights, const char *path)
{
	int fd;

	rights_raise(rights);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	rights_lower();
	return fd >= 0 ? fd : OPEN_ABSENT;
}

static int open_maps(int32_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/maps", pid);
	fd = open_with(RIGHTS_TASKS, path);
	return fd < 0 && sys_task_exists(pid, pid) ? OPEN_REFUSED : fd;
}

static int open_kept_kallsyms(const char *build_id)
{
	const char *home = getenv("HOME");
	struct stat status;
	char path[PATH_MAX];

	if (!home || build_id[strspn(build_id, "0123456789abcdef/")] != '\0' ||
	    snprintf(path, sizeof(path), "%s/.debug/.build-id/%s/kallsyms", home, build_id) >=
		    (int)sizeof(path))
		return OPEN_ABSENT;
	return open_in_process(0, path, 0, &status);
}

/* --- the process that opens */

static int open_wish(enum opener_wish wish, const struct wire_object *object,
		     struct opener_reply *reply)
{
	struct stat status;

	switch (wish) {
	case OPENER_FILE:
		return open_elf(open_in_process(object->pid, object->name, 0, &status));
	case OPENER_MAPPED:
		return open_mapped(object, reply);
	case OPENER_JIT_MAP:
		return open_jit_map(object->pid);
	case OPENER_MAPS:
		return open_maps(object->pid);
	case OPENER_KALLSYMS:
		return object->name[0] != '\0' ? open_kept_kallsyms(object->name)
					       : open_with(RIGHTS_KALLSYMS, "/proc/kallsyms");
	case OPENER_KERNEL_NOTES:
		return open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	case OPENER_VDSO:
		return maps_copy_vdso();
	case OPENER_SOURCE:
		return open_source_file(object->pid, object->name);
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
	char packet[REQUEST_BYTES_MAX];
	struct opener_reply reply = {.result = OPEN_REFUSED};
	struct wire_object object = {0};
	const ssize_t size = sys_read(socket, packet, sizeof(packet));
	struct codec wire = codec_of(packet, size > 0 ? (size_t)size : 0);
	const uint64_t wish = codec_u64(&wire);
	bool is_sent;

	wire_object(&wire, &object);
	if (wire.has_failed) /* not a request of ours, or the socket is closed */
		return false;
	if (wish < OPENER_WISHES)
		reply.result = open_wish((enum opener_wish)wish, &object, &reply);
	reply.cpu_ns = proc_own_cpu_ns();
	reply.rss_bytes = proc_own_rss_bytes();
	is_sent = send_reply(socket, &reply);
	if (reply.result >= 0)
		close(reply.result);
	return is_sent;
}

/* In the child: keeps nothing open but the socket, as standard input. */
static _Noreturn void serve(int socket)
{
	dup2(socket, STDIN_FILENO);
	sys_close_from(STDERR_FILENO + 1);
	if (geteuid() == 0) /* root needs no groups, but open_source_file() drops root's identity */
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

static bool send_request(int socket, enum opener_wish wish, const struct wire_object *object)
{
	struct wire_object copy = *object;
	struct strbuf packet = {0};
	bool is_sent;

	codec_put_u64(&packet, wish);
	wire_object(&(struct codec){.to = &packet}, &copy);
	is_sent = write(socket, packet.text, packet.length) == (ssize_t)packet.length;
	strbuf_fini(&packet);
	return is_sent;
}

/* By number: on some machines recvmsg(3) uses socketcall(2), which could also make sockets. */
static bool receive_reply(int socket, struct opener_reply *reply)
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

int opener_open(struct opener *opener, enum opener_wish wish, const struct wire_object *object,
		struct opener_reply *reply)
{
	struct opener_reply own;

	if (!reply)
		reply = &own;
	if (opener->fd >= 0 && send_request(opener->fd, wish, object) &&
	    receive_reply(opener->fd, reply)) {
		opener->cpu_ns = reply->cpu_ns;
		opener->rss_bytes = reply->rss_bytes;
	} else {
		opener_stop(opener);
		*reply = (struct opener_reply){.result = OPEN_ABSENT};
	}
	return reply->result;
}
