/* The user database in place of the system's: uid 0 is root, 1000 is ben; there is nobody else. */
#include <pwd.h>
#include <stddef.h>

struct passwd *__wrap_getpwuid(uid_t uid)
{
	static char names[2][8] = {"root", "ben"};
	static struct passwd entry;

	entry = (struct passwd){.pw_uid = uid, .pw_name = names[uid == 1000]};
	return uid == 0 || uid == 1000 ? &entry : NULL;
}
