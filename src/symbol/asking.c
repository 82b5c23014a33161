/*
 * For each list of addresses that is not empty there is one job in a queue. One job at a time is on
 * its way to the helper (flight): when the helper dies it is known of what, and that is not asked
 * again.
 */
#include <string.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/inside.h"

enum {
	FAILURES_MAX = 16, /* in a row, after which no helper is started any more */
	SLOW_MS = 200,     /* that a live run waits for a flight to end, once */
	LIVE_MS = 2000     /* and for an answer that is needed at once */
};

/* --- jobs */

static void add_job(struct job_queue *queue, const struct job *job)
{
	if (queue->first == queue->end)
		queue->first = queue->end = 0;
	if (queue->first > queue->end / 2) {
		queue->end -= queue->first;
		memmove(queue->jobs, queue->jobs + queue->first, queue->end * sizeof(*job));
		queue->first = 0;
	}
	array_reserve(&queue->jobs, &queue->capacity, queue->end + 1, sizeof(*queue->jobs));
	queue->jobs[queue->end++] = *job;
}

static bool take_job(struct job_queue *queue, struct job *job)
{
	if (queue->first == queue->end)
		return false;
	*job = queue->jobs[queue->first++];
	return true;
}

void ask_for_maps(struct symbols *symbols, struct process *process, const struct asked *asked)
{
	asked_add(&process->waiting, asked);
	if (process->waiting.is_queued)
		return;
	process->waiting.is_queued = true;
	add_job(&symbols->quick, &(struct job){
					 .kind = JOB_MAPS,
					 .pid = process->pid,
					 .program = process->program,
				 });
}

static struct asked_list *list_of(struct object *object, bool wants_line)
{
	return wants_line ? &object->lines : &object->functions;
}

static void queue_object(struct symbols *symbols, uint32_t id, bool wants_line)
{
	struct asked_list *list = list_of(objects_get(&symbols->objects, id), wants_line);

	if (list->is_queued)
		return;
	list->is_queued = true;
	add_job(wants_line ? &symbols->slow : &symbols->quick,
		&(struct job){
			.kind = wants_line ? JOB_LINES : JOB_FUNCTIONS,
			.object = id,
		});
}

void ask_for_symbol(struct symbols *symbols, uint32_t object, const struct asked *asked)
{
	asked_add(&objects_get(&symbols->objects, object)->functions, asked);
	queue_object(symbols, object, false);
}

void ask_for_line(struct symbols *symbols, uint32_t object, const struct asked *asked)
{
	asked_add(&objects_get(&symbols->objects, object)->lines, asked);
	queue_object(symbols, object, true);
}

void ask_for_listing(struct symbols *symbols, uint32_t object)
{
	add_job(&symbols->slow, &(struct job){
					.kind = JOB_LISTING,
					.program = symbols->listing.number,
					.object = object,
				});
}

/* --- requests */

static void write_maps(struct symbols *symbols, const struct job *job)
{
	strbuf_clear(&symbols->packet);
	wire_put(&symbols->packet, WIRE_MAPS);
	wire_put(&symbols->packet, (uint64_t)job->pid);
}

/* A request about an object begins with what it is. */
static void write_object(struct symbols *symbols, enum wire_request request, uint32_t id)
{
	const struct object *object = objects_get(&symbols->objects, id);
	struct wire_object wire = object->wire;

	wire.name = object->path;
	strbuf_clear(&symbols->packet);
	wire_put(&symbols->packet, request);
	wire_object(&(struct wire){.packet = &symbols->packet}, &wire);
}

static void write_list(struct symbols *symbols, const struct job *job)
{
	const struct entry *function = entries_get(&symbols->entries, symbols->listing.function);

	write_object(symbols, WIRE_LIST, job->object);
	wire_put(&symbols->packet, function->start);
	wire_put(&symbols->packet, function->end);
}

/* Takes as many addresses of the object as go into a request. */
static void write_find(struct symbols *symbols, const struct job *job)
{
	struct object *object = objects_get(&symbols->objects, job->object);
	struct asked_list *list = list_of(object, job->kind == JOB_LINES);
	struct flight *flight = &symbols->flight;

	write_object(symbols, WIRE_FIND, job->object);
	wire_put(&symbols->packet, job->kind == JOB_LINES);
	flight->count = list->count < WIRE_FIND_MAX ? list->count : WIRE_FIND_MAX;
	memcpy(flight->asked, list->items, flight->count * sizeof(*flight->asked));
	for (size_t i = 0; i < flight->count; i++)
		wire_put(&symbols->packet, flight->asked[i].address);
	list->count -= flight->count;
	memmove(list->items, list->items + flight->count, list->count * sizeof(*list->items));
	array_shrink(&list->items, &list->capacity, list->count, sizeof(*list->items));
	list->is_queued = false;
	if (list->count > 0)
		queue_object(symbols, job->object, job->kind == JOB_LINES);
}

struct process *ask_process_of(struct symbols *symbols, const struct job *job)
{
	struct process *process = mappings_find(&symbols->mappings, job->pid);

	return process && process->program == job->program ? process : NULL;
}

/* The next job that somebody still waits for. */
static bool next_job(struct symbols *symbols, struct job *job)
{
	while (take_job(&symbols->quick, job))
		if (job->kind != JOB_MAPS || ask_process_of(symbols, job))
			return true;
	while (take_job(&symbols->slow, job))
		if (job->kind != JOB_LISTING || job->program == symbols->listing.number)
			return true;
	return false;
}

static void take_packet(struct symbols *symbols, size_t size)
{
	struct wire wire = {.at = symbols->answer, .end = symbols->answer + size};

	wire_get_head(&wire, &symbols->head);
	answers_take(symbols, &wire);
	if (!symbols->head.is_last)
		return;
	symbols->failures = 0;
	answers_end(symbols, SYMBOL_REASON_NO_SYMBOL);
}

/* --- the helper */

/* Lines that kill it are done without: the functions are asked for instead. */
static void retry_as_functions(struct symbols *symbols)
{
	struct flight *flight = &symbols->flight;
	struct object *object = objects_get(&symbols->objects, flight->job.object);

	object->has_no_lines = true;
	flight->is_on = false;
	while (flight->answered < flight->count)
		ask_for_symbol(symbols, flight->job.object, &flight->asked[flight->answered++]);
}

static void bury_helper(struct symbols *symbols)
{
	helper_stop(&symbols->helper);
	symbols->past_cpu_ns += symbols->head.cpu_ns;
	symbols->head = (struct wire_head){0};
	symbols->failures++;
	if (!symbols->flight.is_on)
		return;
	if (symbols->flight.job.kind == JOB_LINES) {
		retry_as_functions(symbols);
		return;
	}
	if (symbols->flight.job.kind == JOB_FUNCTIONS)
		objects_get(&symbols->objects, symbols->flight.job.object)->is_refused = true;
	answers_end(symbols, SYMBOL_REASON_TOO_COSTLY);
}

static bool has_helper(struct symbols *symbols)
{
	return symbols->helper.fd >= 0 ||
	       (symbols->failures < FAILURES_MAX &&
		helper_start(&symbols->helper, symbols->options.program));
}

/* The job becomes the flight. */
static void start_flight(struct symbols *symbols, const struct job *job)
{
	struct flight *flight = &symbols->flight;

	flight->is_on = true;
	flight->is_slow = false;
	flight->has_name = false;
	flight->heard_ns = sys_now_ns();
	flight->job = *job;
	flight->count = flight->answered = 0;
	if (job->kind == JOB_MAPS)
		write_maps(symbols, job);
	else if (job->kind == JOB_LISTING)
		write_list(symbols, job);
	else
		write_find(symbols, job);
	if (!has_helper(symbols))
		answers_end(symbols, SYMBOL_REASON_NO_HELPER);
	else if (!helper_send(&symbols->helper, symbols->packet.text, symbols->packet.length))
		bury_helper(symbols);
}

static void take_packets(struct symbols *symbols)
{
	while (symbols->helper.fd >= 0) {
		ssize_t size = helper_receive(&symbols->helper, symbols->answer, WIRE_PACKET_BYTES);

		if (size == 0)
			break;
		symbols->flight.heard_ns = sys_now_ns();
		if (size < 0 || !symbols->flight.is_on)
			bury_helper(symbols);
		else
			take_packet(symbols, (size_t)size);
	}
}

/* One that hangs is done without, as if it had died. */
static void wait_for_helper(struct symbols *symbols)
{
	if (!helper_wait(&symbols->helper, symbols->options.patience_ms))
		bury_helper(symbols);
}

bool ask_flight_to_end(struct symbols *symbols)
{
	while (symbols->flight.is_on) {
		if (!symbols->options.is_live)
			wait_for_helper(symbols);
		else if (symbols->flight.is_slow || !helper_wait(&symbols->helper, SLOW_MS))
			symbols->flight.is_slow = true;
		take_packets(symbols);
		if (symbols->flight.is_slow)
			break;
	}
	return !symbols->flight.is_on;
}

/* Nobody looks at a screen that waits. */
static int patience_at_once(const struct symbols *symbols)
{
	const int patience_ms = symbols->options.patience_ms;

	return symbols->options.is_live && patience_ms > LIVE_MS ? LIVE_MS : patience_ms;
}

bool ask_at_once(struct symbols *symbols, struct wire *reply)
{
	ssize_t size = 0;

	if (!has_helper(symbols))
		return false;
	if (helper_send(&symbols->helper, symbols->packet.text, symbols->packet.length))
		while (size == 0) {
			if (!helper_wait(&symbols->helper, patience_at_once(symbols)))
				break;
			size = helper_receive(&symbols->helper, symbols->answer, WIRE_PACKET_BYTES);
		}
	if (size <= 0)
		bury_helper(symbols);
	else
		symbols->failures = 0;
	*reply = (struct wire){.at = symbols->answer,
			       .end = symbols->answer + (size > 0 ? size : 0)};
	return size > 0;
}

/* A disk or a network that hangs would let all names wait for ever. */
static void give_up_silent(struct symbols *symbols)
{
	const uint64_t patience_ns = (uint64_t)symbols->options.patience_ms * 1000000;

	if (symbols->flight.is_on && sys_now_ns() - symbols->flight.heard_ns > patience_ns)
		bury_helper(symbols);
}

bool symbols_work(struct symbols *symbols)
{
	bool has_changed;
	struct job job;

	take_packets(symbols);
	give_up_silent(symbols);
	while (!symbols->flight.is_on && next_job(symbols, &job))
		start_flight(symbols, &job);
	has_changed = symbols->has_changed;
	symbols->has_changed = false;
	return has_changed;
}

void symbols_finish(struct symbols *symbols)
{
	bool has_changed = symbols_work(symbols);

	while (symbols->flight.is_on) {
		wait_for_helper(symbols);
		has_changed |= symbols_work(symbols);
	}
	symbols->has_changed = has_changed;
}

int symbols_fd(const struct symbols *symbols)
{
	return symbols->helper.epoll;
}

uint64_t symbols_cpu_ns(const struct symbols *symbols)
{
	return symbols->past_cpu_ns + symbols->head.cpu_ns;
}

uint64_t symbols_memory_bytes(const struct symbols *symbols)
{
	return symbols->helper.pid > 0
		       ? proc_rss_bytes(symbols->helper.pid) + symbols->head.opener_bytes
		       : 0;
}
