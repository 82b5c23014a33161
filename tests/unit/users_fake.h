#ifndef PERFTOP_TESTS_USERS_FAKE_H
#define PERFTOP_TESTS_USERS_FAKE_H

/* Replaces the user database (WRAPS getpwuid_r): uid 0 is root, 1000 is ben; there is nobody else.
 */

#include <pwd.h>
#include <stddef.h>

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result);

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result)
{
	static char root[] = "root";
	static char ben[] = "ben";

	*result = NULL;
	if (uid != 0 && uid != 1000)
		return 0;
	*entry = (struct passwd){.pw_uid = uid, .pw_name = uid == 0 ? root : ben};
	*result = entry;
	return 0;
}

#endif
