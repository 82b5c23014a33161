#include "term/term.h"

#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termcap.h>
#include <termios.h>
#include <unistd.h>

#include <sys/ioctl.h>

/* curses has a key_name() too, which is not called here */
#define key_name curses_key_name
#include <curses.h>
#undef key_name

#include "base/error.h"
#include "base/memory.h"
#include "base/minmax.h"

#include "term/font.h"
#include "term/input.h"
#include "term/key.h"
#include "term/keyboard.h"
#include "term/reports.h"
#include "term/rescue.h"
#include "term/screen.h"
#include "term/theme.h"

/*
 * curses for output, our own reading for input (keyboard.h). curses compares the lines it is given
 * with what the terminal shows and writes the difference; lines that are the same as in the last
 * paint are not even given to it.
 *
 * Signals belong to the program: the handlers curses installs are taken out again, and a new
 * size is asked from the kernel by term_resized().
 */

enum {
	WIDTH_MAX = 1024, /* a size is input like any other: memory follows it */
	HEIGHT_MAX = 512
};

struct term {
	SCREEN *curses;
	int color_count; /* 256, 16, 8 or 0 */
	const struct theme *theme;
	bool is_utf8;
	bool is_shown; /* `shown` is what was painted last */
	struct screen shown;
	struct keyboard keyboard;
	struct reports reports;
	struct font font;
};

/* clang-format off */
/* What terminfo calls the keys, for terminals that do not send the usual sequences. */
static const struct {
	const char *capability;
	uint32_t key;
} capabilities[] = {
	{"kcuu1", KEY_CODE_UP},
	{"kcud1", KEY_CODE_DOWN},
	{"kcub1", KEY_CODE_LEFT},
	{"kcuf1", KEY_CODE_RIGHT},
	{"kpp",   KEY_CODE_PAGE_UP},
	{"knp",   KEY_CODE_PAGE_DOWN},
	{"khome", KEY_CODE_HOME},
	{"kend",  KEY_CODE_END},
	{"kich1", KEY_CODE_INSERT},
	{"kdch1", KEY_CODE_DELETE},
	{"kbs",   KEY_CODE_BACKSPACE},
	{"kcbt",  KEY_CODE_BACK_TAB},
	{"kLFT",  KEY_CODE_SHIFT_LEFT},
	{"kRIT",  KEY_CODE_SHIFT_RIGHT},
	{"kent",  KEY_CODE_ENTER},
	{"kf1",   KEY_CODE_F1},
	{"kf2",   KEY_CODE_F2},
	{"kf3",   KEY_CODE_F3},
	{"kf4",   KEY_CODE_F4},
	{"kf5",   KEY_CODE_F5},
	{"kf6",   KEY_CODE_F6},
	{"kf7",   KEY_CODE_F7},
	{"kf8",   KEY_CODE_F8},
	{"kf9",   KEY_CODE_F9},
	{"kf10",  KEY_CODE_F10},
	{"kf11",  KEY_CODE_F11},
	{"kf12",  KEY_CODE_F12},
};
/* clang-format on */

/* Signals that curses takes for itself when it starts. */
static const int taken_signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

enum {
	TAKEN_COUNT = sizeof(taken_signals) / sizeof(taken_signals[0])
};

/* tigetstr() wants a char * and answers absence in two ways. */
static const char *capability(const char *name)
{
	char copy[16];

	snprintf(copy, sizeof(copy), "%s", name);
	const char *text = tigetstr(copy);
	return text == (const char *)-1 ? NULL : text;
}

bool term_is_usable(struct error *error)
{
	const char *type = getenv("TERM");

	if (!isatty(STDIN_FILENO))
		return error_set(error, ERROR_TERMINAL_MISSING, "standard input", NULL);
	if (!isatty(STDOUT_FILENO))
		return error_set(error, ERROR_TERMINAL_MISSING, "standard output", NULL);
	if (!type || type[0] == '\0')
		return error_set(error, ERROR_TERMINAL_UNSET, NULL, NULL);
	/* cm: cursor motion. setupterm() would do, but its header has a struct term of its own */
	if (tgetent(NULL, type) != 1 || !tgetstr("cm", NULL))
		return error_set(error, ERROR_TERMINAL_DUMB, type, NULL);
	return true;
}

/* newterm() without its signal handlers. */
static SCREEN *start_curses(void)
{
	struct sigaction actions[TAKEN_COUNT];

	for (size_t i = 0; i < TAKEN_COUNT; i++)
		sigaction(taken_signals[i], NULL, &actions[i]);
	/* the kernel knows the size, not LINES and COLUMNS of the environment */
	use_env(FALSE);
	use_tioctl(TRUE);
	SCREEN *curses = newterm(NULL, stdout, stdin);
	for (size_t i = 0; i < TAKEN_COUNT; i++)
		sigaction(taken_signals[i], &actions[i], NULL);
	return curses;
}

/* ^S is a key: it would stop any writer to the terminal, and no one would take records nor mind a
 * signal then. One that was stopped goes on by this, so nothing may wait for it before. */
static void refuse_flow_control(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) < 0)
		return;
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

static void set_modes(void)
{
	cbreak(); /* with signals: ^C and ^Z reach the program as such */
	noecho();
	nonl();
	/* otherwise curses holds back output while keys are waiting */
	typeahead(-1);
	keypad(stdscr, TRUE); /* the terminal then sends what terminfo says */
	leaveok(stdscr, FALSE);
	refuse_flow_control();
	def_prog_mode(); /* for when it comes back */
	curs_set(0);
}

/* The next paint writes everything. */
static void forget_shown(struct term *term)
{
	term->is_shown = false;
	clearok(curscr, TRUE);
}

static int usable_colors(void)
{
	if (!has_colors() || start_color() == ERR || COLOR_PAIRS <= STYLE_COUNT)
		return 0;
	return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

/* Each style has the colour pair of its number, plus one. */
void term_set_theme(struct term *term, const struct theme *theme)
{
	const bool has_default = term->color_count > 0 && use_default_colors() == OK;

	term->theme = theme;
	forget_shown(term);
	for (int i = 0; i < STYLE_COUNT && theme_has_colors(theme, term->color_count); i++) {
		struct theme_look look = theme_look(theme, (enum style)i, term->color_count);

		if (look.color == THEME_COLOR_DEFAULT && !has_default)
			look.color = COLOR_WHITE;
		if (look.ground == THEME_COLOR_DEFAULT && !has_default)
			look.ground = COLOR_BLACK;
		init_pair((short)(i + 1), look.color, look.ground);
	}
}

/* Called before newterm(), which is the first to change modes. */
static void arm_rescue(void)
{
	const char *sequences[] = {
		capability("kmous") ? reports_off : NULL,
		capability("sgr0"),
		capability("cnorm"),
		capability("rmkx"),
		capability("rmcup"),
	};

	rescue_arm(sequences, sizeof(sequences) / sizeof(sequences[0]));
}

struct term *term_open(struct error *error)
{
	if (!term_is_usable(error))
		return NULL;
	arm_rescue();
	SCREEN *curses = start_curses();
	if (!curses) {
		rescue_disarm();
		error_set(error, ERROR_TERMINAL_DUMB, getenv("TERM"), NULL);
		return NULL;
	}
	struct term *term = xcalloc(1, sizeof(*term));

	term->curses = curses;
	term->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	term->keyboard.input.is_utf8 = term->is_utf8;
	input_learn_characters(&term->keyboard.input);
	font_init(&term->font, getenv("TERM"), STDOUT_FILENO);
	term->reports.are_known = capability("kmous");
	screen_init(&term->shown, 0, 0);
	set_modes();
	term->color_count = usable_colors();
	term_set_theme(term, theme_usual());
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
		const char *sequence = capability(capabilities[i].capability);

		if (sequence)
			input_add_sequence(&term->keyboard.input, sequence, capabilities[i].key);
	}
	reports_begin(&term->reports);
	term_resized(term);
	return term;
}

bool term_set_mouse(struct term *term, bool is_on)
{
	if (!reports_set_mouse(&term->reports, is_on))
		return false;
	term->keyboard.input.has_mouse = is_on;
	return true;
}

void term_pointer(const struct term *term, int *x, int *y)
{
	*x = term->keyboard.input.pointer_x;
	*y = term->keyboard.input.pointer_y;
}

void term_close(struct term *term)
{
	if (!term)
		return;
	refuse_flow_control(); /* it may be lent, and stopped */
	reports_end(&term->reports);
	endwin();
	rescue_disarm();
	delscreen(term->curses);
	screen_fini(&term->shown);
	font_fini(&term->font);
	free(term);
}

void term_size(struct term *term, int *width, int *height)
{
	getmaxyx(stdscr, *height, *width);
}

void term_resized(struct term *term)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	const int width = smaller(size.ws_col, WIDTH_MAX);
	const int height = smaller(size.ws_row, HEIGHT_MAX);
	if (width == COLS && height == LINES)
		return;
	resizeterm(height, width);
	forget_shown(term);
}

bool term_is_utf8(const struct term *term)
{
	return term->is_utf8;
}

void term_suspend(struct term *term)
{
	reports_end(&term->reports);
	endwin();
}

void term_resume(struct term *term)
{
	refuse_flow_control();
	reset_prog_mode();
	reports_begin(&term->reports);
	forget_shown(term);
	term_resized(term);
}

static attr_t curses_attributes(unsigned int attributes)
{
	return ((attributes & THEME_BOLD) != 0 ? A_BOLD : 0) |
	       ((attributes & THEME_DIM) != 0 ? A_DIM : 0) |
	       ((attributes & THEME_REVERSE) != 0 ? A_REVERSE : 0) |
	       ((attributes & THEME_UNDERLINE) != 0 ? A_UNDERLINE : 0);
}

static void style_look(const struct term *term, const struct screen_cell *cell, attr_t *attributes,
		       short *pair)
{
	const struct theme_look look =
		theme_look(term->theme, (enum style)cell->style, term->color_count);
	const bool has_colors = theme_has_colors(term->theme, term->color_count);

	*attributes = curses_attributes(look.attributes);
	*pair = has_colors ? (short)(cell->style + 1) : 0;
	if (cell->is_selected) {
		/* one bar; in it only how good a value is has its colour */
		const bool is_rated = cell->style >= STYLE_GOOD_0 && cell->style <= STYLE_GOOD_4;

		*attributes = A_REVERSE | (is_rated ? *attributes & A_UNDERLINE : 0);
		*pair = is_rated ? *pair : has_colors ? STYLE_NORMAL + 1 : 0;
	}
}

static_assert(FONT_CELL_MAX <= CCHARW_MAX, "curses takes a whole cell");

static void paint_line(const struct term *term, const struct screen *screen, int y, int width)
{
	const struct screen_cell *cells = &screen->cells[(size_t)y * (size_t)screen->width];
	cchar_t line[WIDTH_MAX];
	int count = 0;

	for (int x = 0; x < width; x++) {
		wchar_t characters[FONT_CELL_MAX + 1];
		attr_t attributes;
		short pair;

		if (cells[x].width == 0)
			continue;
		font_cell(&term->font, term->is_utf8, &cells[x], characters);
		style_look(term, &cells[x], &attributes, &pair);
		setcchar(&line[count++], characters, attributes, pair, NULL);
		/* a '?' for something wide */
		if (cells[x].width == 2 && characters[0] == L'?')
			setcchar(&line[count++], L" ", attributes, pair, NULL);
	}
	mvadd_wchnstr(y, 0, line, count);
}

static bool is_line_shown(const struct term *term, const struct screen *screen, int y)
{
	const size_t width = (size_t)screen->width;
	const size_t begin = (size_t)y * width;

	return term->is_shown && memcmp(&screen->cells[begin], &term->shown.cells[begin],
					width * sizeof(*screen->cells)) == 0;
}

static void remember(struct term *term, const struct screen *screen)
{
	const size_t count = (size_t)screen->width * (size_t)screen->height;

	if (term->shown.width != screen->width || term->shown.height != screen->height)
		screen_resize(&term->shown, screen->width, screen->height);
	memcpy(term->shown.cells, screen->cells, count * sizeof(*screen->cells));
	term->is_shown = true;
}

/*
 * Readers of the screen for the blind follow the cursor, seen or not, and some terminals cannot
 * hide it: it rests where the first selected cell is, or else at the end of the last line.
 */
static void rest_cursor(const struct screen *screen)
{
	const int count = screen->width * screen->height;
	int i = 0;

	while (i < count - 1 && !screen->cells[i].is_selected)
		i++;
	if (count > 0)
		move(smaller(i / screen->width, LINES - 1), smaller(i % screen->width, COLS - 1));
	curs_set(0);
}

static void place_cursor(const struct screen *screen)
{
	if (screen->cursor_x < 0 || screen->cursor_y < 0) {
		rest_cursor(screen);
		return;
	}
	move(smaller(screen->cursor_y, LINES - 1), smaller(screen->cursor_x, COLS - 1));
	curs_set(1);
}

uint32_t term_read_key(struct term *term)
{
	return keyboard_read(&term->keyboard);
}

bool term_has_keys(const struct term *term)
{
	return input_is_pending(&term->keyboard.input);
}

void term_repaint(struct term *term)
{
	forget_shown(term);
}

void term_paint(struct term *term, const struct screen *screen)
{
	const int width = smaller(screen->width, COLS);
	const int height = smaller(screen->height, LINES);

	/* between SIGWINCH and the next drawing the two may differ */
	if (term->shown.width != screen->width || term->shown.height != screen->height)
		term->is_shown = false;
	if (!term->is_shown)
		erase();
	for (int y = 0; y < height; y++)
		if (!is_line_shown(term, screen, y))
			paint_line(term, screen, y, width);
	place_cursor(screen);
	refresh();
	remember(term, screen);
}
