/*
 * The sentence is made when a walk is over, but why a task was refused is found out at once:
 * later it may have gone, and with it the reason.
 */
#include "source/tasks/shortfall.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernel/explain.h"
#include "model/session.h"

enum {
	REASON_MAX = SHORTFALL_TEXT_MAX - 48 /* so much room stays for how many they are */
};

bool shortfall_is_shortage(int errno_value)
{
	return errno_value == EMFILE || errno_value == ENFILE;
}

void shortfall_begin(struct shortfall *shortfall)
{
	shortfall->refused = 0;
	shortfall->unopened = 0;
}

void shortfall_add(struct shortfall *shortfall, int32_t tid, int errno_value,
		   const struct host *host)
{
	const bool is_shortage = shortfall_is_shortage(errno_value);
	size_t *count = is_shortage ? &shortfall->unopened : &shortfall->refused;
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = "",
		.pid = tid,
		.cpu = -1,
		.host = host,
	};

	if ((*count)++ == 0)
		explain_perf_error(is_shortage ? &shortfall->shortage : &shortfall->refusal,
				   errno_value, &context);
}

/* Returns the remedy. */
static const char *describe(const struct shortfall *shortfall, char *text, size_t size)
{
	const bool is_shortage = shortfall->unopened > 0;
	const size_t count = is_shortage ? shortfall->unopened : shortfall->refused;
	const struct error *error = is_shortage ? &shortfall->shortage : &shortfall->refusal;

	text[0] = '\0';
	if (count > 0) {
		snprintf(text, size, "%zu %s not watched%.*s", count,
			 count == 1 ? "thread is" : "threads are", REASON_MAX, error->text);
		return error->remedy;
	}
	if (shortfall->missed == 0)
		return "";
	snprintf(text, size, "%llu %s ended before %s counters were open and %s not in the rows",
		 (unsigned long long)shortfall->missed, shortfall->missed == 1 ? "task" : "tasks",
		 shortfall->missed == 1 ? "its" : "their", shortfall->missed == 1 ? "is" : "are");
	return "watching the whole machine misses none";
}

/* How much of the session's reason is not ours. */
static size_t foreign_length(const struct shortfall *shortfall, const char *reason)
{
	size_t length = strlen(reason), own = strlen(shortfall->said);

	if (own == 0 || own > length || strcmp(reason + length - own, shortfall->said) != 0)
		return length;
	length -= own;
	return length >= 2 && memcmp(reason + length - 2, "; ", 2) == 0 ? length - 2 : length;
}

void shortfall_say(struct shortfall *shortfall, struct session *session)
{
	char text[SHORTFALL_TEXT_MAX];
	const char *remedy = describe(shortfall, text, sizeof(text));
	const size_t foreign = foreign_length(shortfall, session->scope_reason);

	snprintf(session->scope_reason + foreign, sizeof(session->scope_reason) - foreign, "%s%s",
		 foreign > 0 && text[0] != '\0' ? "; " : "", text);
	if (foreign == 0)
		snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", remedy);
	memcpy(shortfall->said, text, sizeof(text));
}
