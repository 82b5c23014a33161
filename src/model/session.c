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
