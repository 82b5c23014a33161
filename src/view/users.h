#ifndef PERFTOP_VIEW_USERS_H
#define PERFTOP_VIEW_USERS_H

/* Names of users, looked up once each (a lookup may ask a server). */

#include <stddef.h>
#include <stdint.h>

struct users; /* opaque */

struct users *users_create(void);
void users_destroy(struct users *users);

/* The user's login name, or the number as text; "" for -1. Harmless text; valid as long as users.
 */
const char *users_name(struct users *users, int64_t uid);

/* uid of a login name or of a number; -1: no such user. */
int64_t users_find(const char *name);

#endif
