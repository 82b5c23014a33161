/* A cache by a hash of the path; paths of the same hash are a chain. */
#include "view/containers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/container.h"

enum {
	KEPT_MAX = 8192
};

struct entry {
	struct entry *next; /* of the same hash */
	char *cgroup;       /* owned */
	char name[CONTAINER_NAME_MAX];
};

struct containers {
	struct map by_hash; /* to struct entry, owned */
	size_t count;
};

struct containers *containers_create(void)
{
	return xcalloc(1, sizeof(struct containers));
}

static void forget(struct containers *containers)
{
	size_t cursor = 0;
	uint64_t hash;
	void *value;

	while (map_next(&containers->by_hash, &cursor, &hash, &value)) {
		struct entry *entry = value;

		while (entry) {
			struct entry *next = entry->next;

			free(entry->cgroup);
			free(entry);
			entry = next;
		}
	}
	map_fini(&containers->by_hash);
	containers->count = 0;
}

void containers_destroy(struct containers *containers)
{
	if (!containers)
		return;
	forget(containers);
	free(containers);
}

void containers_tidy(struct containers *containers)
{
	if (containers->count > KEPT_MAX)
		forget(containers);
}

const char *containers_name(struct containers *containers, const char *cgroup)
{
	struct entry *entry;
	uint64_t hash;

	if (!containers || !cgroup)
		return "";
	hash = hash_text(1, cgroup);
	entry = map_get(&containers->by_hash, hash);
	while (entry && strcmp(entry->cgroup, cgroup) != 0)
		entry = entry->next;
	if (entry)
		return entry->name;
	entry = xcalloc(1, sizeof(*entry));
	entry->cgroup = xstrdup(cgroup);
	container_of(cgroup, entry->name, sizeof(entry->name));
	entry->next = map_put(&containers->by_hash, hash, entry);
	containers->count++;
	return entry->name;
}
