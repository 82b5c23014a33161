#include "mode/views.h"

#include <string.h>

#include "mode/app.h"
#include "mode/drawing.h"

#define VIEW(name, kinds) &view_##name,
#define DRAWN(name)       &view_##name,
static const struct view_info *const views[] = {
#include "view/views.def"
};

const struct view_list all_views = {views, sizeof(views) / sizeof(views[0])};

#define DRAWN(name)   {#name, &drawing_##name},
#define DRAWING(name) {#name, &drawing_##name},
static const struct {
	const char *name;
	const struct drawing *drawing;
} drawings[] = {
#include "view/views.def"
};

const struct drawing *app_drawing(const struct app *app)
{
	const char *name = app->views[app->view].info->drawing;

	for (size_t i = 0; name && i < sizeof(drawings) / sizeof(*drawings); i++)
		if (strcmp(drawings[i].name, name) == 0)
			return drawings[i].drawing;
	return NULL;
}
