#include "simulated.h"

#include <assert.h>
#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/sys.h"

#include "term/input.h"
#include "term/screen.h"
#include "term/term.h"
#include "term/theme.h"

static const uint64_t NS_PER_S = 1000000000;
static const uint64_t STEP_NS = 100000000; /* from one step to the next */

struct term {
	struct input input;
};

static struct {
	int width, height;
	int keys_fd;         /* the other end of standard input */
	struct strbuf shown; /* what was painted last */
	simulated_step *step;
	void *context;
	uint64_t now_ns, step_ns;
	bool shows_styles;
	int timer_fd;                 /* that of the loop */
	uint64_t timer_ns, period_ns; /* when it goes off; 0: it does not */
} simulated;

bool __wrap_term_is_usable(struct error *error);
struct term *__wrap_term_open(struct error *error);
void __wrap_term_close(struct term *term);
void __wrap_term_size(struct term *term, int *width, int *height);
void __wrap_term_resized(struct term *term);
bool __wrap_term_is_utf8(const struct term *term);
void __wrap_term_set_theme(struct term *term, enum theme theme);
uint32_t __wrap_term_read_key(struct term *term);
bool __wrap_term_set_mouse(struct term *term, bool is_on);
void __wrap_term_repaint(struct term *term);
bool __wrap_term_has_keys(const struct term *term);
void __wrap_term_paint(struct term *term, const struct screen *screen);

bool __wrap_term_is_usable(struct error *error)
{
	return true;
}

struct term *__wrap_term_open(struct error *error)
{
	struct term *term = xcalloc(1, sizeof(*term));

	term->input.is_utf8 = true;
	return term;
}

void __wrap_term_close(struct term *term)
{
	free(term);
}

void __wrap_term_size(struct term *term, int *width, int *height)
{
	*width = simulated.width;
	*height = simulated.height;
}

void __wrap_term_resized(struct term *term)
{
}

bool __wrap_term_is_utf8(const struct term *term)
{
	return true;
}

void __wrap_term_set_theme(struct term *term, enum theme theme)
{
}

uint32_t __wrap_term_read_key(struct term *term)
{
	return input_read(&term->input);
}

bool __wrap_term_set_mouse(struct term *term, bool is_on)
{
	return true;
}

void __wrap_term_repaint(struct term *term)
{
}

bool __wrap_term_has_keys(const struct term *term)
{
	return input_is_pending(&term->input);
}

/* Of each style, in the order of enum style; that of a cell that the cursor is on. */
static const char signs[] = " -btSaAkmwep=012345678sxBCDEFGHIUVWXYM";
static const char selected = '#';
static_assert(sizeof(signs) - 1 == STYLE_COUNT, "a sign for each style");

static void dump_styles(const struct screen *screen, struct strbuf *out)
{
	for (int y = 0; y < screen->height; y++) {
		const struct screen_cell *line = &screen->cells[y * screen->width];
		int end = screen->width;

		while (end > 0 && line[end - 1].style == STYLE_NORMAL && !line[end - 1].is_selected)
			end--;
		for (int x = 0; x < end; x++)
			strbuf_add_char(out, line[x].is_selected ? selected : signs[line[x].style]);
		strbuf_add_char(out, '\n');
	}
}

void __wrap_term_paint(struct term *term, const struct screen *screen)
{
	strbuf_clear(&simulated.shown);
	screen_dump(screen, &simulated.shown);
	if (!simulated.shows_styles)
		return;
	dump_styles(screen, &simulated.shown);
}

uint64_t __wrap_sys_now_ns(void);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *timer,
			   struct itimerspec *before);
int __real_timerfd_settime(int fd, int flags, const struct itimerspec *timer,
			   struct itimerspec *before);
int __wrap_epoll_wait(int fd, struct epoll_event *events, int count, int wait_ms);
int __real_epoll_wait(int fd, struct epoll_event *events, int count, int wait_ms);

uint64_t __wrap_sys_now_ns(void)
{
	return simulated.now_ns;
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *timer,
			   struct itimerspec *before)
{
	const uint64_t wait_ns = ns_of(&timer->it_value);

	simulated.timer_fd = fd;
	simulated.timer_ns = wait_ns > 0 ? simulated.now_ns + wait_ns : 0;
	simulated.period_ns = ns_of(&timer->it_interval);
	return 0;
}

static void expire_timer(void)
{
	const struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};

	simulated.now_ns = simulated.timer_ns;
	simulated.timer_ns = simulated.period_ns > 0 ? simulated.now_ns + simulated.period_ns : 0;
	__real_timerfd_settime(simulated.timer_fd, 0, &at_once, NULL);
}

/* Where nothing has to be done, time goes on to what comes next: the timer or a step. */
int __wrap_epoll_wait(int fd, struct epoll_event *events, int count, int wait_ms)
{
	int ready;

	while ((ready = __real_epoll_wait(fd, events, count, 0)) == 0) {
		if (simulated.timer_ns > 0 && simulated.timer_ns <= simulated.step_ns) {
			expire_timer();
			return __real_epoll_wait(fd, events, count, -1);
		}
		simulated.now_ns = simulated.step_ns;
		simulated.step_ns += STEP_NS;
		simulated.step(simulated.context);
	}
	return ready;
}

static void open_keyboard(void)
{
	int ends[2];

	if (pipe(ends) < 0 || dup2(ends[0], STDIN_FILENO) < 0)
		err(1, "pipe");
	close(ends[0]);
	simulated.keys_fd = ends[1];
}

void simulated_show_styles(bool shows)
{
	simulated.shows_styles = shows;
}

void simulated_begin(int width, int height, simulated_step *step, void *context)
{
	simulated.width = width;
	simulated.height = height;
	simulated.step = step;
	simulated.context = context;
	simulated.now_ns = NS_PER_S;
	simulated.step_ns = simulated.now_ns + STEP_NS;
	simulated.timer_ns = 0;
	open_keyboard();
}

void simulated_type(const char *bytes)
{
	if (write(simulated.keys_fd, bytes, strlen(bytes)) < 0)
		err(1, "write");
}

void simulated_end_keys(void)
{
	close(simulated.keys_fd);
}

void simulated_resize(int width, int height)
{
	simulated.width = width;
	simulated.height = height;
	raise(SIGWINCH);
}

void simulated_wait(uint64_t wait_ns)
{
	simulated.step_ns += wait_ns;
}

const char *simulated_screen(void)
{
	return strbuf_text(&simulated.shown);
}

void simulated_fini(void)
{
	strbuf_fini(&simulated.shown);
}
