#ifndef PERFTOP_TESTS_BATCH_KIT_H
#define PERFTOP_TESTS_BATCH_KIT_H

/* What tests of writers have in common: a scene (scene_kit.h) is written. */

#include "batch/batch.h"

#include "scene_kit.h"

/* An interval of the scene; whoever wants more of it fills it in. */
static inline struct batch_input scene_input(struct scene *scene, const char *view)
{
	scene->request.state.info = find_list(view);
	return (struct batch_input){
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
		.session = &scene->world.session,
		.metrics = scene->world.metrics,
		.table = scene->table,
	};
}

/* What a format makes of it; good until the next. */
static inline const char *scene_write(struct scene *scene, const char *format,
				      const struct batch_input *input)
{
	strbuf_clear(&scene->out);
	batch_find(format)->write(&scene->out, input);
	return strbuf_text(&scene->out);
}

#endif
