#ifndef PERFTOP_VIEW_CONTAINERS_H
#define PERFTOP_VIEW_CONTAINERS_H

/* Names of the containers that cgroups belong to, found once each. */

struct containers; /* opaque */

struct containers *containers_create(void);
void containers_destroy(struct containers *containers); /* NULL is allowed */

/* Before rows are made: when there are very many, all names that were given are forgotten. */
void containers_tidy(struct containers *containers);

/* "" none, or not known (cgroup may be NULL). Raw bytes, good until the next tidying. */
const char *containers_name(struct containers *containers, const char *cgroup);

#endif
