#include "mode/filters.h"

#include <string.h>

#include "base/strbuf.h"

#include "mode/app.h"

/* Bytes of the lines before the last one, its newline included. */
static size_t bytes_before_last(const char *lines)
{
	const char *newline = strrchr(lines, '\n');

	return newline ? (size_t)(newline - lines) + 1 : 0;
}

const char *filters_last(const struct app *app)
{
	const char *lines = strbuf_text(&app->filter);

	return lines + bytes_before_last(lines);
}

/* Where the last line begins in the new lines. */
static size_t join(struct strbuf *out, const char *lines, const char *text, bool is_added)
{
	const size_t kept = is_added ? strlen(lines) : bytes_before_last(lines);
	size_t begin;

	strbuf_add_bytes(out, lines, kept);
	if (is_added && kept > 0)
		strbuf_add_char(out, '\n');
	begin = out->length;
	strbuf_add(out, text);
	return begin;
}

/* Without the newline that nothing follows. */
static void take_off_newline(struct strbuf *lines)
{
	if (lines->length > 0 && strbuf_text(lines)[lines->length - 1] == '\n') {
		struct strbuf shorter = {0};

		strbuf_add_bytes(&shorter, strbuf_text(lines), lines->length - 1);
		strbuf_fini(lines);
		*lines = shorter;
	}
}

void filters_report_unsupported(struct app *app)
{
	struct error unsupported = {0};

	if (!resolve_fits_view(engine_resolver(app->engine), strbuf_text(&app->filter),
			       app_current(app)->info, &unsupported))
		app_say(app, true, "%s; showing all rows", unsupported.text);
}

bool filters_set(struct app *app, const char *text, struct error *error)
{
	app->needs_build = true;
	if (!resolve_filter(engine_resolver(app->engine), text, &app->fault, error))
		return false;
	strbuf_clear(&app->filter);
	strbuf_add(&app->filter, text);
	if (engine_resolver(app->engine)->note.code != ERROR_NONE)
		app_say(app, true, "%s", engine_resolver(app->engine)->note.text);
	filters_report_unsupported(app);
	return true;
}

void filters_restore(struct app *app, const char *text)
{
	strbuf_clear(&app->filter);
	strbuf_add(&app->filter, text);
	app->needs_build = true;
}

static bool set(struct app *app, const char *text, bool is_added, struct error *error)
{
	struct strbuf lines = {0};
	const size_t begin = join(&lines, strbuf_text(&app->filter), text, is_added);
	bool good;

	take_off_newline(&lines);
	good = filters_set(app, strbuf_text(&lines), error);
	if (!good && app->fault != RESOLVE_NOWHERE)
		app->fault = app->fault > begin ? app->fault - begin : 0;
	strbuf_fini(&lines);
	return good;
}

bool filters_replace(struct app *app, const char *text, struct error *error)
{
	return set(app, text, false, error);
}

bool filters_add(struct app *app, const char *text, struct error *error)
{
	return set(app, text, true, error);
}

void filters_try(struct app *app, const char *before, const char *text, bool is_added)
{
	struct strbuf lines = {0};

	join(&lines, before, text, is_added);
	take_off_newline(&lines);
	filters_restore(app, strbuf_text(&lines));
	strbuf_fini(&lines);
}

void filters_write(const char *lines, struct strbuf *out, bool ascii)
{
	while (*lines != '\0') {
		const size_t length = strcspn(lines, "\n");

		strbuf_add_bytes(out, lines, length);
		lines += length;
		if (*lines != '\0')
			strbuf_add(out, ascii ? " & " : " · ");
		lines += *lines != '\0';
	}
}
