#include "screen/welcome.h"

#include "app.h"
#include "kernel/sys.h"
#include "ui/frame.h"

static const uint64_t LASTS_NS = 20000000000;

static const char *const lines[] = {
	"Up, Down: choose a task; Enter: its page; a: attach; /: search; k: signal",
	"P I M: sort by CPU, IPC, misses, or click a title; ?: what it means",
	"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
};

void welcome_begin(struct app *app)
{
	app->welcome.until_ns = sys_now_ns() + LASTS_NS;
}

void welcome_end(struct app *app)
{
	app->needs_drawing = app->needs_drawing || app->welcome.until_ns != 0;
	app->welcome.until_ns = 0;
}

void welcome_show(struct app *app, struct frame *frame)
{
	if (app->welcome.until_ns == 0)
		return;
	if (sys_now_ns() >= app->welcome.until_ns) {
		app->welcome.until_ns = 0;
		return;
	}
	frame->hints = lines;
	frame->hint_count = sizeof(lines) / sizeof(*lines);
}
