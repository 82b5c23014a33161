/*
 * Which task wakes the task most often, and which one it wakes most often, over the history. They
 * are found in one pass, their delays are looked at in another, so that nothing is kept of the
 * others but how often each was.
 */

#include <inttypes.h>
#include <stdio.h>

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
	struct map times; /* of each, by identity */
	uint64_t all;     /* wake-ups */
	uint64_t most;    /* of one of them, to which the rest belongs */
	uint64_t identity;
	uint64_t actor; /* its last name */
	struct distribution delays;
};

struct scan {
	const struct history *history;
	struct actor_filter actors;
	bool measures; /* it is the second pass */
	struct partners wakers, woken;
};

/* A task may have had several names. */
static uint64_t identity_of(const struct history *history, uint64_t number)
{
	const uint64_t no_task = UINT64_C(1) << 63;
	const struct actor *actor = history_find_actor(history, number);

	return actor && actor->task_id > 0 ? actor->task_id : no_task + number;
}

static void count(struct partners *partners, uint64_t identity)
{
	const uintptr_t times = (uintptr_t)map_get(&partners->times, identity) + 1;

	map_put(&partners->times, identity, (void *)times);
	partners->all++;
	if (times <= partners->most)
		return;
	partners->most = times;
	partners->identity = identity;
}

static void note(const struct scan *scan, struct partners *partners, uint64_t number,
		 uint64_t delay_ns)
{
	const uint64_t identity = identity_of(scan->history, number);

	if (!scan->measures) {
		count(partners, identity);
	} else if (identity == partners->identity) {
		partners->actor = number;
		distribution_add(&partners->delays, delay_ns);
	}
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

static void write_partner(struct page *page, const struct history *history, const char *label,
			  const struct partners *partners)
{
	const struct distribution *delays = &partners->delays;
	char words[48];

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
	waker_write_words(history_find_actor(history, partners->actor), words, sizeof(words));
	page_add_words(page, WORDS_WIDTH, words);
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
	write_partner(page, window->history, "woken by", &scan.wakers);
	write_partner(page, window->history, "it wakes", &scan.woken);
	fini(&scan.wakers);
	fini(&scan.woken);
}
