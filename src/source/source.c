#include "source/source.h"

void source_destroy(struct source *source)
{
	if (source)
		source->ops->destroy(source);
}

bool source_begin(struct source *source, struct error *error)
{
	return source->ops->begin(source, error);
}

void source_drain(struct source *source)
{
	source->ops->drain(source);
}

void source_tick(struct source *source)
{
	source->ops->tick(source);
}

bool source_is_finished(const struct source *source)
{
	return source->ops->is_finished(source);
}

bool source_attach(struct source *source, int32_t pid, struct error *error)
{
	return source->ops->attach(source, pid, error);
}

bool source_prepare(struct source *source, const struct event_set *events, struct error *error)
{
	return !source->ops->prepare || source->ops->prepare(source, events, error);
}

bool source_change(struct source *source, const struct event_set *events, struct error *error)
{
	return source->ops->change(source, events, error);
}

void source_limit(struct source *source, double share)
{
	if (source->ops->limit)
		source->ops->limit(source, share);
}

bool source_sample(struct source *source, const struct source_samples *samples, struct error *error)
{
	return !source->ops->sample || source->ops->sample(source, samples, error);
}

void source_report_cgroups(struct source *source)
{
	if (source->ops->report_cgroups)
		source->ops->report_cgroups(source);
}

const struct event_spec *source_spec(const struct source *source, size_t group, size_t member)
{
	return source->ops->spec ? source->ops->spec(source, group, member) : NULL;
}
