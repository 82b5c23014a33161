#include <stdio.h>

#include "base/error.h"

#include "print_parts.h"
#include "session/engine.h"

/* The recording is not whole: said once, and in the exit status. */
static void blame_recording(struct printer *printer, const struct error *error)
{
	fprintf(stderr, "perftop: %s\n", error->text);
	if (error->remedy[0] != '\0')
		fprintf(stderr, "%s\n", error->remedy);
}

void print_look_after_recording(struct printer *printer)
{
	struct error error;

	if (engine_recording_has_failed(printer->engine, &error))
		blame_recording(printer, &error);
}

void print_stop_recording(struct printer *printer)
{
	struct error error = {0};

	print_look_after_recording(printer);
	if (!engine_stop_recording(printer->engine, &error))
		blame_recording(printer, &error);
}
