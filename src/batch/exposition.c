/*
 * Where the two formats differ the older one is followed, Prometheus' text format 0.0.4, since
 * promtool and node_exporter's textfile collector read nothing else: HELP and TYPE of a counter
 * name it with its "_total" (in OpenMetrics without), there are no UNIT lines, no timestamps and
 * no types but counter, gauge and histogram. Prometheus itself takes this for either format; "#
 * EOF" is the end in the one and a comment in the other.
 *
 * Names in labels are made harmless first, as in all outputs: then only quotes and backslashes are
 * left to be escaped, as in JSON.
 */

#include "batch/exposition.h"

#include <math.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "batch/put.h"

static const char *const type_names[] = {
	[EXPOSITION_GAUGE] = "gauge",
	[EXPOSITION_COUNTER] = "counter",
	[EXPOSITION_HISTOGRAM] = "histogram",
};

void exposition_family(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help)
{
	snprintf(exposition->name, sizeof(exposition->name), "perftop_%s%s", name,
		 type == EXPOSITION_COUNTER ? "_total" : "");
	exposition->type = type;
	exposition->help = help;
	exposition->is_open = false;
}

static void open_family(struct exposition *exposition)
{
	if (exposition->is_open)
		return;
	exposition->is_open = true;
	strbuf_printf(exposition->out, "# HELP %s %s\n# TYPE %s %s\n", exposition->name,
		      exposition->help, exposition->name, type_names[exposition->type]);
}

void exposition_part(struct exposition *exposition, const char *suffix, const char *labels,
		     double value)
{
	struct strbuf *out = exposition->out;

	if (!isfinite(value))
		return;
	open_family(exposition);
	strbuf_add(out, exposition->name);
	strbuf_add(out, suffix);
	if (labels && labels[0] != '\0')
		strbuf_printf(out, "{%s}", labels);
	strbuf_add_char(out, ' ');
	put_real(out, value);
	strbuf_add_char(out, '\n');
}

void exposition_sample(struct exposition *exposition, const char *labels, double value)
{
	exposition_part(exposition, "", labels, value);
}

static void add_label_name(struct strbuf *labels, const char *name)
{
	if (labels->length > 0)
		strbuf_add_char(labels, ',');
	strbuf_add(labels, name);
	strbuf_add_char(labels, '=');
}

void exposition_add_label(struct strbuf *labels, const char *name, const char *value)
{
	add_label_name(labels, name);
	put_json_text(labels, value);
}

void exposition_add_number_label(struct strbuf *labels, const char *name, uint64_t value)
{
	add_label_name(labels, name);
	strbuf_add_char(labels, '"');
	put_number(labels, value);
	strbuf_add_char(labels, '"');
}
