#include "term/reports.h"

#include <string.h>
#include <unistd.h>

/*
 * Buttons and wheel (1000), reported in digits (1006), which columns beyond 223 need. What a
 * terminal does not know it ignores.
 */
#define MOUSE_ON  "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

/* Pasted text is distinguished from keys (bracketed paste). */
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

const char reports_off[] = MOUSE_OFF PASTE_OFF;

static void tell(const char *bytes)
{
	if (write(STDOUT_FILENO, bytes, strlen(bytes)) < 0)
		return; /* the terminal has gone, which reading finds out */
}

static void report_mouse(const struct reports *reports, bool is_on)
{
	if (reports->has_mouse)
		tell(is_on ? MOUSE_ON : MOUSE_OFF);
}

static void report_paste(const struct reports *reports, bool is_on)
{
	if (reports->are_known)
		tell(is_on ? PASTE_ON : PASTE_OFF);
}

void reports_begin(const struct reports *reports)
{
	report_mouse(reports, true);
	report_paste(reports, true);
}

void reports_end(const struct reports *reports)
{
	report_mouse(reports, false);
	report_paste(reports, false);
}

bool reports_set_mouse(struct reports *reports, bool is_wanted)
{
	if (!reports->are_known)
		return false;
	report_mouse(reports, false);
	reports->has_mouse = is_wanted;
	report_mouse(reports, true);
	return true;
}
