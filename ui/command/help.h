#ifndef PERFTOP_HELP_H
#define PERFTOP_HELP_H

/* The help page, made from the tables of keys, commands, columns, metrics and views. */

struct columns;
struct keys;
struct metric_set;
struct strbuf;

/* Replaces what is in it. keys: those that hold now; NULL: those of the table. */
void help_write(struct strbuf *out, struct columns *columns, const struct metric_set *set,
		const struct keys *keys);

/* How events are written, one form a line. */
void help_write_events(struct strbuf *out);

/* How filters are written. */
void help_write_filters(struct strbuf *out);

/* How metrics are written, and those there are: name, formula, unit, what they say. */
void help_write_metrics(struct strbuf *out, const struct metric_set *set);

#endif
