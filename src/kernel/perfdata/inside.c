#include "kernel/perfdata/inside.h"

#include <stdio.h>

void perfdata_cut(struct perfdata *file, enum error_code code, const char *a, const char *b)
{
	struct error error = {0};

	if (file->counts.is_truncated)
		return;
	file->counts.is_truncated = true;
	error_set(&error, code, a, b);
	snprintf(file->counts.why, sizeof(file->counts.why), "%s", error.text);
}
