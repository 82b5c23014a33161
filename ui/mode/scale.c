#include "mode/scale.h"

#include "base/strbuf.h"
#include "model/metric_set.h"
#include "view/text_marks.h"

/* A part of the sentence, for values as good as that. */
static void write_step(struct strbuf *out, struct text_marks *marks, const char *words,
		       const double *border, int goodness)
{
	const size_t begin = out->length;

	strbuf_add(out, words);
	if (border)
		strbuf_printf(out, "%g", *border);
	if (marks)
		text_marks_add_end(marks, out, begin, goodness);
}

void scale_write(struct strbuf *out, struct text_marks *marks, const char *before,
		 const struct metric_info *metric)
{
	const bool high = metric->direction == METRIC_HIGH_IS_GOOD;
	const int best = METRIC_STEPS - 1;

	if (metric_goodness(metric, metric->steps[0]) < 0)
		return;
	strbuf_add(out, before);
	for (int goodness = best; goodness > 0; goodness--) {
		const double *border =
			&metric->steps[high ? goodness - 1 : METRIC_STEPS - 1 - goodness];

		strbuf_add(out, goodness < best ? " " : "");
		write_step(out, marks,
			   goodness < best ? (high ? "> " : "< ") : (high ? "best > " : "best < "),
			   border, goodness);
	}
	strbuf_add_char(out, ' ');
	write_step(out, marks, "worst", NULL, 0);
	strbuf_add_char(out, '\n');
}
