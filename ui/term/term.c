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

#include <sys/auxv.h>
#include <sys/ioctl.h>

/* curses has a key_name() too, which is not called here */
#define key_name curses_key_name
#include <curses.h>
#undef key_name

#include "base/error.h"
#include "base/memory.h"
#include "base/minmax.h"

#include "term/input.h"
#include "term/key.h"
#include "term/screen.h"
#include "term/theme.h"

/*
 * curses for output, our own reading for input (input.h). curses compares the lines it is given
 * with what the terminal shows and writes the difference; lines that are the same as in the last
 * paint are not even given to it.
 *
 * Signals belong to the program: the handlers curses installs are taken out again, and a new
 * size is asked from the kernel by term_resized().
 *
 * A terminal reports the mouse, and which text was pasted, when it is asked to. curses knows of
 * neither, so this is written past it, when it holds nothing back. What a terminal does not know it
 * ignores: the mouse's buttons and wheel (1000) in digits (1006), which columns beyond 223 need,
 * and pasted text (2004).
 */
#define MOUSE_ON  "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

enum {
	WIDTH_MAX = 1024, /* a size is input like any other: memory follows it */
	HEIGHT_MAX = 512
};

struct term {
	SCREEN *curses;
	int color_count; /* 256, 16, 8 or 0 */
	enum theme theme;
	bool is_utf8;  /* shows more than ASCII */
	bool is_shown; /* `shown` is what was painted last */
	struct screen shown;
	struct input input;
	bool has_reports; /* the terminal has a mouse; one that has it knows pasting, too */
	bool has_mouse;   /* the mouse is wanted */
};

/*
 * What puts the terminal back when the program dies of a fatal signal or for want of memory: laid
 * down beforehand, so that nothing but write(2) and tcsetattr(3) is done then. The one place with
 * state that is not passed along: a signal handler gets nothing to hold on to. It is written while
 * nothing is armed.
 */
static struct {
	volatile sig_atomic_t is_armed;
	bool has_modes;
	struct termios modes; /* of standard input, as they were */
	char bytes[256];      /* sequences for the terminal */
	size_t length;
} rescue;

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

/*
 * While curses looks for a description: where the program has rights that its user has not, it
 * reads none of $HOME/.terminfo. NULL: there is nothing to hide.
 */
static char *hide_home(void)
{
	const char *home = getauxval(AT_SECURE) != 0 ? getenv("HOME") : NULL;
	char *kept = home ? xstrdup(home) : NULL;

	if (kept)
		unsetenv("HOME");
	return kept;
}

static void show_home(char *home)
{
	if (home)
		setenv("HOME", home, true);
	free(home);
}

/* Descriptions of terminals that the program brings along, for systems without terminfo. */
static const struct {
	const char *type; /* of TERM */
	const char *description;
} descriptions[] = {
#include "terminfo_table.h"
};

static const char *find_description(const char *type)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]); i++)
		if (strcmp(descriptions[i].type, type) == 0)
			return descriptions[i].description;
	return NULL;
}

/* By the system, or else by what the program brings along, which newterm() finds, too. */
static bool is_described(const char *type)
{
	const char *description = find_description(type);
	char *home = hide_home();
	const bool is_found = tgetent(NULL, type) == 1 ||
			      (description && setenv("TERMINFO", description, true) == 0 &&
			       tgetent(NULL, type) == 1);

	show_home(home);
	return is_found;
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
	if (!is_described(type))
		return error_set(error, ERROR_TERMINAL_UNKNOWN, type, NULL);
	/* cm: cursor motion. setupterm() would do, but its header has a struct term of its own. */
	if (!tgetstr("cm", NULL))
		return error_set(error, ERROR_TERMINAL_DUMB, type, NULL);
	return true;
}

/*
 * newterm() without its signal handlers. ncurses writes after each move of the cursor until it has
 * been left and resumed once (6.4, _nc_mvcur()): some hundred writes for each screen, which the
 * next refresh() makes one.
 */
static SCREEN *start_curses(void)
{
	struct sigaction actions[TAKEN_COUNT];

	for (size_t i = 0; i < TAKEN_COUNT; i++)
		sigaction(taken_signals[i], NULL, &actions[i]);
	/* the kernel knows the size, not LINES and COLUMNS of the environment */
	use_env(FALSE);
	use_tioctl(TRUE);
	char *home = hide_home();
	SCREEN *curses = newterm(NULL, stdout, stdin);
	show_home(home);
	if (curses)
		endwin();
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
void term_set_theme(struct term *term, enum theme theme)
{
	const bool has_default = term->color_count > 0 && use_default_colors() == OK;

	term->theme = theme;
	forget_shown(term);
	for (int i = 0; i < STYLE_COUNT && theme_has_colors(theme, term->color_count); i++) {
		struct theme_look style_attr = theme_look(theme, (enum style)i, term->color_count);

		if (style_attr.color == THEME_COLOR_DEFAULT && !has_default)
			style_attr.color = COLOR_WHITE;
		if (style_attr.ground == THEME_COLOR_DEFAULT && !has_default)
			style_attr.ground = COLOR_BLACK;
		init_pair((short)(i + 1), style_attr.color, style_attr.ground);
	}
}

static void put_back(void)
{
	const char *bytes = rescue.bytes;
	size_t left = rescue.length;

	if (!rescue.is_armed)
		return;
	rescue.is_armed = 0;
	while (left > 0) {
		ssize_t count = write(STDOUT_FILENO, bytes, left);

		if (count <= 0)
			break;
		bytes += count;
		left -= (size_t)count;
	}
	if (rescue.has_modes)
		tcsetattr(STDIN_FILENO, TCSANOW, &rescue.modes);
}

/* The handler was good for one time: the signal then does what it would have done. */
static void die_tidily(int number)
{
	put_back();
	raise(number);
}

static void catch_fatal(int number)
{
	const struct sigaction action = {.sa_handler = die_tidily,
					 .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
	struct sigaction before;

	/* a sanitizer's own handler reports more */
	if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(number, &action, NULL);
}

/* All that end a process by default; those that ask it to end are taken elsewhere. */
static void catch_fatal_signals(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS,    SIGFPE,  SIGILL,  SIGABRT, SIGSYS,
				      SIGTRAP, SIGUSR1,   SIGUSR2, SIGALRM, SIGIO,   SIGVTALRM,
				      SIGPROF, SIGSTKFLT, SIGPWR,  SIGXCPU};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		catch_fatal(numbers[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		catch_fatal(number);
}

/* Called before newterm(), which is the first to change modes. */
static void arm_rescue(void)
{
	const char *const sequences[] = {
		capability("kmous") ? MOUSE_OFF PASTE_OFF : NULL,
		capability("sgr0"),
		capability("cnorm"),
		capability("rmkx"),
		capability("rmcup"),
	};

	rescue.length = 0;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		const char *bytes = sequences[i] ? sequences[i] : "";
		const size_t length = strlen(bytes);

		if (rescue.length + length > sizeof(rescue.bytes))
			break;
		memcpy(rescue.bytes + rescue.length, bytes, length);
		rescue.length += length;
	}
	rescue.has_modes = tcgetattr(STDIN_FILENO, &rescue.modes) == 0;
	catch_fatal_signals();
	memory_on_exhaustion(put_back);
	rescue.is_armed = 1;
}

static void disarm_rescue(void)
{
	rescue.is_armed = 0;
	memory_on_exhaustion(NULL);
}

static void request(bool is_supported, const char *bytes)
{
	if (is_supported && write(STDOUT_FILENO, bytes, strlen(bytes)) < 0)
		return; /* the terminal has gone, which reading finds out */
}

static void begin_reports(const struct term *term)
{
	request(term->has_mouse, MOUSE_ON);
	request(term->has_reports, PASTE_ON);
}

static void end_reports(const struct term *term)
{
	request(term->has_mouse, MOUSE_OFF);
	request(term->has_reports, PASTE_OFF);
}

static void learn_keys(struct input *input)
{
	char name[8];

	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
		input_add_sequence(input, capability(capabilities[i].capability),
				   capabilities[i].key);
	for (uint32_t key = KEY_CODE_F1; key <= KEY_CODE_F12; key++) {
		snprintf(name, sizeof(name), "kf%u", key - KEY_CODE_F1 + 1);
		input_add_sequence(input, capability(name), key);
	}
}

/* "linux" and its variants, such as "linux-16color" */
static bool is_console(const char *type)
{
	return type &&
	       (strcmp(type, "linux") == 0 || strncmp(type, "linux-", strlen("linux-")) == 0);
}

struct term *term_open(struct error *error)
{
	if (!term_is_usable(error))
		return NULL;
	arm_rescue();
	SCREEN *curses = start_curses();
	if (!curses) {
		disarm_rescue();
		error_set(error, ERROR_TERMINAL_DUMB, getenv("TERM"), NULL);
		return NULL;
	}
	struct term *term = xcalloc(1, sizeof(*term));

	term->curses = curses;
	term->input.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* a console has a font of 256 or 512 characters, and a column for each combining one */
	term->is_utf8 = term->input.is_utf8 && !is_console(getenv("TERM"));
	input_learn_characters(&term->input);
	learn_keys(&term->input);
	term->has_reports = capability("kmous");
	screen_init(&term->shown, 0, 0);
	set_modes();
	term->color_count = usable_colors();
	term_set_theme(term, THEME_DEFAULT);
	begin_reports(term);
	term_resized(term);
	return term;
}

bool term_set_mouse(struct term *term, bool is_on)
{
	if (!term->has_reports)
		return false;
	request(term->has_mouse, MOUSE_OFF);
	term->has_mouse = term->input.has_mouse = is_on;
	request(is_on, MOUSE_ON);
	return true;
}

void term_pointer(const struct term *term, int *x, int *y)
{
	*x = term->input.pointer_x;
	*y = term->input.pointer_y;
}

void term_close(struct term *term)
{
	if (!term)
		return;
	refuse_flow_control(); /* it may be lent, and stopped */
	end_reports(term);
	endwin();
	disarm_rescue();
	delscreen(term->curses);
	screen_fini(&term->shown);
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
	end_reports(term);
	endwin();
}

void term_resume(struct term *term)
{
	refuse_flow_control();
	reset_prog_mode();
	begin_reports(term);
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

/* How a cell looks. */
struct look {
	attr_t attributes;
	short pair, ground;
};

/* Of all cells: by style, not selected and selected. */
struct looks {
	struct look of[2][STYLE_COUNT];
};

static struct look find_look(const struct term *term, enum style style, bool is_selected)
{
	const struct theme_look seen = theme_look(term->theme, style, term->color_count);
	const bool has_colors = theme_has_colors(term->theme, term->color_count);
	struct look look = {
		.attributes = curses_attributes(seen.attributes),
		.pair = has_colors ? (short)(style + 1) : 0,
		.ground = seen.ground,
	};

	if (is_selected) {
		/* one bar; in it only how good a value is has its colour */
		const bool is_rated = style >= STYLE_GOOD_0 && style <= STYLE_GOOD_4;

		look.attributes = A_REVERSE | (is_rated ? look.attributes & A_UNDERLINE : 0);
		look.pair = is_rated ? look.pair : has_colors ? STYLE_NORMAL + 1 : 0;
	}
	return look;
}

static void find_looks(const struct term *term, struct looks *looks)
{
	for (int style = 0; style < STYLE_COUNT; style++)
		for (int selected = 0; selected < 2; selected++)
			looks->of[selected][style] =
				find_look(term, (enum style)style, selected != 0);
}

static const struct look *look_of(const struct looks *looks, const struct screen_cell *cell)
{
	return &looks->of[cell->is_selected][cell->style];
}

static bool is_blank(const struct screen_cell *cell)
{
	return cell->bytes[0] == ' ' && cell->bytes[1] == '\0';
}

/* A blank that looks like one of that look: of either only the ground is seen. */
static bool can_take(const struct look *blank, const struct look *look)
{
	return ((blank->attributes | look->attributes) & (A_REVERSE | A_UNDERLINE)) == 0 &&
	       blank->ground == look->ground;
}

/*
 * Of blanks between two cells with the same look, at x, where they take it: each change of it is an
 * escape sequence, which costs more than the blanks. NULL: they keep theirs.
 */
static const struct look *join_blanks(const struct looks *looks, const struct screen_cell *cells,
				      int x, int end, const struct look *before)
{
	while (x < end && is_blank(&cells[x]) && can_take(look_of(looks, &cells[x]), before))
		x++;
	return x < end && look_of(looks, &cells[x]) == before ? before : NULL;
}

/* Cells of a line, from the first one on up to the one before the end. */
struct stretch {
	int first, end;
};

static bool is_same_cell(const struct screen_cell *a, const struct screen_cell *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/*
 * What of a line has changed since it was shown; empty: nothing has. Something wide is painted
 * whole, and so is what takes its place.
 */
static struct stretch find_line_change(const struct term *term, const struct screen *screen, int y,
				       int width)
{
	const size_t begin = (size_t)y * (size_t)screen->width;
	const struct screen_cell *now = &screen->cells[begin];
	const struct screen_cell *before = &term->shown.cells[begin];
	struct stretch change = {0, width};

	if (memcmp(now, before, (size_t)width * sizeof(*now)) == 0) /* as most of them are */
		return (struct stretch){0, 0};
	while (change.first < width && is_same_cell(&now[change.first], &before[change.first]))
		change.first++;
	while (change.end > change.first &&
	       is_same_cell(&now[change.end - 1], &before[change.end - 1]))
		change.end--;
	if (change.first == change.end)
		return change;
	while (change.first > 0 &&
	       (now[change.first].width == 0 || before[change.first].width == 0))
		change.first--;
	while (change.end < width && (now[change.end].width == 0 || before[change.end].width == 0))
		change.end++;
	return change;
}

static_assert(SCREEN_CELL_CHARACTERS <= CCHARW_MAX, "curses takes a whole cell");

static void paint_line(const struct term *term, const struct screen *screen, int y,
		       struct stretch change, const struct looks *looks)
{
	const struct screen_cell *cells = &screen->cells[(size_t)y * (size_t)screen->width];
	const struct look *before = NULL, *joined = NULL;
	cchar_t line[WIDTH_MAX];
	int count = 0;

	for (int x = change.first; x < change.end; x++) {
		wchar_t characters[SCREEN_CELL_CHARACTERS + 1];
		const struct look *look = look_of(looks, &cells[x]);

		if (cells[x].width == 0)
			continue;
		if (!is_blank(&cells[x]))
			joined = NULL;
		else if (!joined && before && look != before)
			joined = join_blanks(looks, cells, x, change.end, before);
		before = joined ? joined : look;
		screen_cell_characters(&cells[x], term->is_utf8, characters);
		setcchar(&line[count++], characters, before->attributes, before->pair, NULL);
		/* a '?' for something wide */
		if (cells[x].width == 2 && characters[0] == L'?')
			setcchar(&line[count++], L" ", before->attributes, before->pair, NULL);
	}
	mvadd_wchnstr(y, change.first, line, count);
}

/* Nothing but blanks is shown, so that they need not be painted. */
static void begin_blank(struct term *term, const struct screen *screen, const struct looks *looks)
{
	const struct look *look = &looks->of[false][STYLE_NORMAL];
	cchar_t blank;

	setcchar(&blank, L" ", look->attributes, look->pair, NULL);
	bkgrndset(&blank);
	erase();
	screen_resize(&term->shown, screen->width, screen->height);
}

static void remember_line(struct term *term, const struct screen *screen, int y,
			  struct stretch change)
{
	const size_t first = (size_t)y * (size_t)screen->width + (size_t)change.first;

	memcpy(&term->shown.cells[first], &screen->cells[first],
	       (size_t)(change.end - change.first) * sizeof(*screen->cells));
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
	return input_read(&term->input);
}

bool term_has_keys(const struct term *term)
{
	return input_is_pending(&term->input);
}

void term_repaint(struct term *term)
{
	forget_shown(term);
}

void term_paint(struct term *term, const struct screen *screen)
{
	const int width = smaller(screen->width, COLS);
	const int height = smaller(screen->height, LINES);
	struct looks looks;

	find_looks(term, &looks);
	/* between SIGWINCH and the next drawing the sizes may differ */
	if (!term->is_shown || term->shown.width != screen->width ||
	    term->shown.height != screen->height)
		begin_blank(term, screen, &looks);
	for (int y = 0; y < height; y++) {
		const struct stretch change = find_line_change(term, screen, y, width);

		if (change.first == change.end)
			continue;
		paint_line(term, screen, y, change, &looks);
		remember_line(term, screen, y, change);
	}
	place_cursor(screen);
	refresh();
	term->is_shown = true;
}
