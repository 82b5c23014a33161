/*
 * asuser UID[:CAPABILITY] COMMAND [ARG...]: runs a command as somebody without privileges: that
 * user and group, no other groups, no capabilities but the one of this number.
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Through a change of user and an exec only what is ambient comes. */
static int keep(unsigned int capability)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	data[capability / 32].permitted = data[capability / 32].effective =
		data[capability / 32].inheritable = 1u << capability % 32;
	return syscall(SYS_capset, &header, data) ||
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: asuser UID[:CAPABILITY] COMMAND [ARG...]\n");
		return 2;
	}
	char *end;
	unsigned int id = (unsigned int)strtoul(argv[1], &end, 10);
	if (setgroups(0, NULL) || setgid(id) || prctl(PR_SET_KEEPCAPS, *end == ':') || setuid(id) ||
	    (*end == ':' && keep((unsigned int)atoi(end + 1)))) {
		perror("asuser");
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
