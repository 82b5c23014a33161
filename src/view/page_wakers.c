/*
 * What wakes the task most often, and what it wakes most often, over the history: by name, since a
 * shell is woken by each of its children once. They are found in one pass, their delays are looked
 * at in another, so that nothing is kept of the others but how often each was.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/map.h"
#include "model/history.h"
#include "model/timing.h"
#include "view/page.h"
#include "view/window.h"

enum {
	WORDS_WIDTH = 24,
	SHARE_WIDTH = 10,
	TIMES_WIDTH = 9,
	DELAY_WIDTH = 12,
	P99_WIDTH = 9
};

/* The tasks that wake it, or that it wakes. */
struct partners {
	struct map times; /* of each name */
	uint64_t all;     /* wake-ups */
	uint64_t most;    /* of one of them, to which the rest belongs */
	uint64_t name;
	const struct actor *actor; /* the last one that has it */
	bool are_many;             /* tasks with that name */
	struct distribution delays;
};

struct scan {
	const struct history *history;
	struct actor_filter actors;
	bool measures; /* it is the second pass */
	struct partners wakers, woken;
};

/* What is not called anything is by itself. */
static uint64_t name_of(const struct actor *actor, uint64_t number)
{
	return actor && actor->task_id > 0 && actor->name[0] != '\0' ? hash_text(0, actor->name)
								     : number;
}

static void count(struct partners *partners, uint64_t name)
{
	const uintptr_t times = (uintptr_t)map_get(&partners->times, name) + 1;

	map_put(&partners->times, name, (void *)times);
	partners->all++;
	if (times <= partners->most)
		return;
	partners->most = times;
	partners->name = name;
}

static void measure(struct partners *partners, const struct actor *actor, uint64_t delay_ns)
{
	const struct actor *before = partners->actor;

	partners->are_many =
		partners->are_many || (before && actor && before->task_id != actor->task_id);
	partners->actor = actor;
	distribution_add(&partners->delays, delay_ns);
}

static void note(const struct scan *scan, struct partners *partners, uint64_t number,
		 uint64_t delay_ns)
{
	const struct actor *actor = history_find_actor(scan->history, number);
	const uint64_t name = name_of(actor, number);

	if (!scan->measures)
		count(partners, name);
	else if (name == partners->name)
		measure(partners, actor, delay_ns);
}

static void look_through(struct scan *scan, const struct window *window)
{
	static const enum history_field fields[] = {HISTORY_CAME, HISTORY_QUEUED_BY,
						    HISTORY_WAIT_NS, HISTORY_CAME_PREEMPTED};
	struct window_chunk chunk;

	chunk.at = window->first;
	chunk.count = 0;
	while (window_next(&chunk, window->history, window->end, fields, 4)) {
		for (size_t i = 0; i < chunk.count; i++) {
			const uint64_t came = chunk.numbers[0][i], waker = chunk.numbers[1][i];
			const uint64_t delay_ns = chunk.numbers[2][i];

			if (chunk.numbers[3][i] || waker == ACTOR_UNKNOWN ||
			    delay_ns == SWITCH_NS_UNKNOWN)
				continue;
			if (actor_filter_has(&scan->actors, came))
				note(scan, &scan->wakers, waker, delay_ns);
			if (actor_filter_has(&scan->actors, waker))
				note(scan, &scan->woken, came, delay_ns);
		}
	}
}

/* With its number where there is one task of that name. */
static void add_name(struct page *page, const struct partners *partners)
{
	char words[48];

	if (partners->are_many)
		snprintf(words, sizeof(words), "%s", partners->actor->name);
	else
		waker_write_words(partners->actor, words, sizeof(words));
	page_add_words(page, WORDS_WIDTH, words);
}

static void write_partners(struct page *page, const char *label, const struct partners *partners)
{
	const struct distribution *delays = &partners->delays;

	strbuf_printf(&page->text, "  %-10s", label);
	if (delays->count == 0) {
		page_add_value(page, -WORDS_WIDTH, "-");
		page_add_value(page, SHARE_WIDTH, "-");
		page_add_value(page, TIMES_WIDTH, "-");
		page_add_value(page, DELAY_WIDTH, "-");
		page_add_value(page, P99_WIDTH, "-");
		strbuf_add_char(&page->text, '\n');
		return;
	}
	add_name(page, partners);
	page_add_metric(page, SHARE_WIDTH, NULL,
			100.0 * (double)delays->count / (double)partners->all, 1);
	strbuf_printf(&page->text, "%*" PRIu64, TIMES_WIDTH, delays->count);
	page_add_duration(page, DELAY_WIDTH, delays->sum / delays->count);
	page_add_duration(page, P99_WIDTH, distribution_quantile(delays, 0.99));
	strbuf_add_char(&page->text, '\n');
}

static void fini(struct partners *partners)
{
	map_fini(&partners->times);
	distribution_fini(&partners->delays);
}

void page_write_wakers(struct page *page)
{
	const struct window *window = &page->past.window;
	struct scan scan = {
		.history = window->history,
		.actors = {.history = window->history,
			   .wants = page_is_meant,
			   .context = &page->past},
	};

	look_through(&scan, window);
	scan.measures = true;
	look_through(&scan, window);
	strbuf_printf(&page->text, "# %-34s%*s%*s%*s%*s\n", "wake-ups in the history", SHARE_WIDTH,
		      "share %", TIMES_WIDTH, "times", DELAY_WIDTH, "mean delay", P99_WIDTH, "p99");
	write_partners(page, "woken by", &scan.wakers);
	write_partners(page, "it wakes", &scan.woken);
	fini(&scan.wakers);
	fini(&scan.woken);
}
