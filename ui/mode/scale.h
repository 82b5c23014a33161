#ifndef PERFTOP_SCALE_H
#define PERFTOP_SCALE_H

/* The scale by which a metric's values have their colours, in words. */

struct metric_info;
struct strbuf;
struct text_marks;

/*
 * Appends a line: `before` and "best < 5 < 10 < 25 < 50 worst"; to `marks` (NULL: not
 * wanted) which of it has which colour. Nothing where the metric has no scale.
 */
void scale_write(struct strbuf *out, struct text_marks *marks, const char *before,
		 const struct metric_info *metric);

#endif
