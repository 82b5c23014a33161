#include "mode/mode.h"

#include "mode/app.h"
#include "widget/frame.h"

const struct mode *mode_top(const struct app *app)
{
	const struct mode *const *modes = app->modes;
	size_t i = 0;

	while (!modes[i]->is_open(app))
		i++;
	return modes[i];
}

size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const struct mode *const *modes = app->modes;
	size_t i = 0;

	while (!modes[i]->keys || !modes[i]->is_open(app))
		i++;
	return modes[i]->keys(app, keys, max);
}

void mode_show(struct app *app, struct frame *frame)
{
	const struct mode *const *modes = app->modes;
	size_t i = 0;

	while (modes[i])
		i++;
	while (i-- > 0)
		if (modes[i]->show && modes[i]->is_open(app))
			modes[i]->show(app, frame);
}

void mode_draw(struct app *app, struct frame *frame)
{
	const struct mode *const *modes = app->modes;
	size_t i = 0;

	while (!modes[i]->draw || !modes[i]->is_open(app))
		i++;
	modes[i]->draw(app, frame);
	for (; i-- > 0;)
		if (modes[i]->draw_over && modes[i]->is_open(app))
			modes[i]->draw_over(app);
}
