#include "kernel/counter_users.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/file.h"

enum {
	LINKS_MAX = 20000,      /* in all: some tens of ms */
	LINKS_OF_EACH_MAX = 64, /* a counting process opens its events early */
	NAMED_MAX = 3,
	PATH_BYTES = 320,
	NAME_BYTES = 32
};

static const char PERF_EVENT[] = "anon_inode:[perf_event]";

struct users_scan {
	const char *root;
	size_t links, found;
	char *text;
	size_t size;
};

static void add_words(struct users_scan *scan, const char *words)
{
	size_t used = strlen(scan->text);

	snprintf(scan->text + used, scan->size - used, "%s%s", used > 0 ? ", " : "", words);
}

static void look_for_watchdog(struct users_scan *scan)
{
	long long value;

	if (file_read_number(&value, "%s/proc/sys/kernel/nmi_watchdog", scan->root) && value != 0)
		add_words(scan, "the NMI watchdog");
}

static bool is_perf_event(const char *folder, const char *name)
{
	char path[PATH_BYTES], target[sizeof(PERF_EVENT) + 1];
	ssize_t length;

	snprintf(path, sizeof(path), "%.200s/%.32s", folder, name);
	length = readlink(path, target, sizeof(target));
	return length == (ssize_t)strlen(PERF_EVENT) &&
	       memcmp(target, PERF_EVENT, (size_t)length) == 0;
}

static bool holds_perf_events(struct users_scan *scan, int32_t pid)
{
	char folder[PATH_BYTES];
	const struct dirent *entry;
	bool found = false;
	DIR *directory;

	snprintf(folder, sizeof(folder), "%s/proc/%d/fd", scan->root, pid);
	directory = opendir(folder);
	if (!directory)
		return false;
	for (size_t i = 0; i < LINKS_OF_EACH_MAX && !found; i++) {
		entry = readdir(directory);
		if (!entry)
			break;
		if (entry->d_name[0] == '.')
			continue;
		scan->links++;
		found = is_perf_event(folder, entry->d_name);
	}
	closedir(directory);
	return found;
}

static void add_process(struct users_scan *scan, int32_t pid)
{
	char name[NAME_BYTES], words[NAME_BYTES + 32];

	if (++scan->found > NAMED_MAX)
		return;
	if (file_readf(name, sizeof(name), "%s/proc/%d/comm", scan->root, pid) <= 0)
		snprintf(name, sizeof(name), "a process");
	name[strcspn(name, "\n")] = '\0';
	snprintf(words, sizeof(words), "%s (pid %d)", name, pid);
	add_words(scan, words);
}

static void look_for_processes(struct users_scan *scan, int32_t self)
{
	char path[PATH_BYTES];
	const struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "%s/proc", scan->root);
	directory = opendir(path);
	if (!directory)
		return;
	while (scan->links < LINKS_MAX && (entry = readdir(directory))) {
		const int32_t pid = (int32_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && pid != self && holds_perf_events(scan, pid))
			add_process(scan, pid);
	}
	closedir(directory);
}

void counter_users_find(const char *root, int32_t self, char *text, size_t size)
{
	struct users_scan scan = {.root = root, .text = text, .size = size};

	text[0] = '\0';
	look_for_watchdog(&scan);
	look_for_processes(&scan, self);
	if (scan.found > NAMED_MAX)
		add_words(&scan, "others");
}
