#ifndef PERFTOP_KEYS_PROFILES_H
#define PERFTOP_KEYS_PROFILES_H

/* What the profiles of keys change of the table. */

#include <stddef.h>

struct key_binding;

/* Lines of a profile: label and views are not used; command NULL: the key does nothing. */
const struct key_binding *keys_profile_table(size_t profile, size_t *count);

#endif
