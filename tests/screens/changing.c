/*
 * changing threads NAME [left]      the first thread, NAME, sleeps (or exits), another spins
 * changing user NAME UID            has that user and a session of its own from SIGUSR1 on
 * changing orphan NAME              a child that spins loses its parent at SIGUSR1
 * changing exec NAME NEW            another thread executes "changing spin NEW" at SIGUSR1
 * changing spin NAME                spins
 *
 * What a task is changes without a record of the kernel's. Each spins under the name NAME, but for
 * a thread called "worker".
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>

static volatile sig_atomic_t is_due;

static void note_signal(int number)
{
	is_due = 1;
}

static void *spin(void *until_due)
{
	/* is_due is read each time: a loop without effects may be left out */
	while (!is_due || !until_due)
		continue;
	return NULL;
}

static void *work(void *unused)
{
	prctl(PR_SET_NAME, "worker");
	return spin(unused);
}

static void *execute(void *argv)
{
	spin(argv);
	execl("/proc/self/exe", "changing", "spin", ((char **)argv)[3], (char *)NULL);
	perror("execl");
	exit(1);
}

static int run_threads(char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	if (argv[3])
		pthread_exit(NULL);
	return pthread_join(thread, NULL);
}

static int run_user(char **argv)
{
	const uid_t uid = (uid_t)strtoul(argv[3] ? argv[3] : "65534", NULL, 10);

	if (fork() > 0)
		for (;;)
			pause();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "worker");
	spin(argv);
	if (setsid() < 0 || setresuid(uid, uid, uid) != 0)
		return 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	spin(NULL);
	return 0;
}

static int run_orphan(char **argv)
{
	if (fork() > 0)
		spin(argv);
	else
		spin(NULL);
	return 0;
}

static int run_exec(char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, execute, argv) != 0)
		return 1;
	return pthread_join(thread, NULL);
}

static int run_spin(char **argv)
{
	spin(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(char **argv);
	} modes[] = {
		{"threads", run_threads}, {"user", run_user}, {"orphan", run_orphan},
		{"exec", run_exec},       {"spin", run_spin},
	};

	signal(SIGUSR1, note_signal);
	for (size_t i = 0; argc > 2 && i < sizeof(modes) / sizeof(*modes); i++) {
		if (strcmp(argv[1], modes[i].name) != 0)
			continue;
		prctl(PR_SET_NAME, argv[2]);
		return modes[i].run(argv);
	}
	fprintf(stderr, "usage: changing threads|user|orphan|exec|spin NAME\n");
	return 2;
}
