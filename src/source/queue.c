#include "source/queue.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/proc.h"
#include "model/layout.h"
#include "model/session.h"

static void set_queue(struct session *session, enum session_queue queue)
{
	const uint32_t sums = UINT32_C(1) << QUANTITY_QUEUED_NS;
	const uint32_t single = UINT32_C(1) << QUANTITY_WAKEUP_NS | UINT32_C(1) << QUANTITY_WAKEUPS;

	session->queue = queue;
	session->unknown &= ~(sums | single);
	switch (queue) {
	case QUEUE_UNKNOWN:
		session->unknown |= sums | single;
		break;
	case QUEUE_RUN_DELAY:
		session->unknown |= single;
		break;
	case QUEUE_WAKEUPS:
		break;
	}
}

static void say_queue(struct session *session, const char *what, const struct error *refusal)
{
	struct strbuf words = {0};

	strbuf_add(&words, what);
	if (refusal && refusal->text[0] != '\0')
		strbuf_printf(&words, ": %s", refusal->text);
	if (refusal && refusal->remedy[0] != '\0')
		strbuf_printf(&words, "; %s", refusal->remedy);
	snprintf(session->queue_words, sizeof(session->queue_words), "%.*s", SESSION_TEXT_MAX - 1,
		 strbuf_text(&words));
	strbuf_fini(&words);
}

void queue_report_without(struct session *session, bool is_wanted, const struct error *refusal)
{
	struct error absent = {0};

	if (!is_wanted) {
		set_queue(session, QUEUE_UNKNOWN);
		session->queue_words[0] = '\0';
		return;
	}
	if (proc_has_run_delay()) {
		set_queue(session, QUEUE_RUN_DELAY);
		say_queue(session,
			  "run-queue waits from /proc/PID/schedstat: sums, not single waits",
			  refusal);
		return;
	}
	error_set(&absent, ERROR_SCHEDSTAT_ABSENT, "/proc/PID/schedstat", NULL);
	set_queue(session, QUEUE_UNKNOWN);
	say_queue(session, "run-queue waits are not known", refusal ? refusal : &absent);
}

void queue_report_wakeups(struct session *session, const char *event)
{
	set_queue(session, QUEUE_WAKEUPS);
	snprintf(session->queue_words, sizeof(session->queue_words), "run-queue waits from %s",
		 event + strlen("sched:"));
}
