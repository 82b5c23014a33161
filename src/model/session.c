/* Names of scopes as the batch output writes them. */
#include "model/session.h"

const char *session_scope_name(enum session_scope scope)
{
	switch (scope) {
	case SCOPE_SYSTEM:
		return "system";
	case SCOPE_TASKS:
		return "tasks";
	}
	return "";
}

int64_t session_wall_offset(int64_t before_ns, int64_t now_ns)
{
	const int64_t trembling_ns = 1000000;

	return now_ns > before_ns - trembling_ns && now_ns < before_ns + trembling_ns ? before_ns
										      : now_ns;
}
