#include "mode/drawing.h"

#include <string.h>

#include "mode/app.h"

#define DRAWING(name) extern const struct drawing drawing_##name;
#include "mode/drawings.def"
#undef DRAWING

#define DRAWING(name) &drawing_##name,
static const struct drawing *const drawings[] = {
#include "mode/drawings.def"
};
#undef DRAWING

const struct drawing *app_drawing(const struct app *app)
{
	const char *name = app->views[app->view].info->drawing;

	for (size_t i = 0; name && i < sizeof(drawings) / sizeof(*drawings); i++)
		if (strcmp(drawings[i]->name, name) == 0)
			return drawings[i];
	return NULL;
}
