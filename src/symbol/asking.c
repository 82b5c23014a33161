/*
 * For each list of addresses that is not empty there is one job in a queue. One job at a time is on
 * its way to the helper (flight): when the helper dies it is known of what, and that is not asked
 * again. A stack is unwound while its sample waits, since what is mapped then may be gone with the
 * next record.
 */
#include <string.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/inside.h"

enum {
	FAILURES_MAX = 16, /* in a row, after which no helper is started any more */
	SLOW_MS = 200,     /* that a live run waits for a flight to end, once */
	LIVE_MS = 2000,    /* and for an answer that is needed at once */
	STACK_BYTES_MAX = WIRE_PACKET_BYTES / 2 /* the rest is for mappings */
};

/* --- jobs */

struct process *symbols_process_of(const struct symbols *symbols, const struct job *job)
{
	struct process *process = mappings_find(&symbols->mappings, job->pid);

	return process && process->program == job->program ? process : NULL;
}

struct asked_list *symbols_list_of(const struct symbols *symbols, const struct job *job)
{
	struct process *process;

	switch (job->what) {
	case WIRE_MAPS:
		process = symbols_process_of(symbols, job);
		return process ? &process->waiting : NULL;
	case WIRE_FUNCTIONS:
		return &objects_get(&symbols->objects, job->object)->functions;
	case WIRE_LINES:
		return &objects_get(&symbols->objects, job->object)->lines;
	case WIRE_LISTING:
	case WIRE_UNWIND:
	case WIRE_REQUESTS:
		break;
	}
	return NULL;
}

static void add_job(struct symbols *symbols, const struct job *job)
{
	const bool is_quick = job->what == WIRE_MAPS || job->what == WIRE_FUNCTIONS;
	struct job_queue *queue = is_quick ? &symbols->quick : &symbols->slow;

	if (queue->first > queue->end / 2) {
		queue->end -= queue->first;
		memmove(queue->jobs, queue->jobs + queue->first, queue->end * sizeof(*job));
		queue->first = 0;
	}
	array_reserve(&queue->jobs, &queue->capacity, queue->end + 1, sizeof(*queue->jobs));
	queue->jobs[queue->end++] = *job;
}

void symbols_ask(struct symbols *symbols, const struct job *job, const struct asked *asked)
{
	struct asked_list *list = symbols_list_of(symbols, job);

	if (list)
		asked_add(list, asked);
	if (!list || !list->is_queued)
		add_job(symbols, job);
	if (list)
		list->is_queued = true;
}

static bool take_job(struct job_queue *queue, struct job *job)
{
	if (queue->first == queue->end)
		return false;
	*job = queue->jobs[queue->first++];
	return true;
}

/* The next job that somebody still waits for. */
static bool next_job(struct symbols *symbols, struct job *job)
{
	while (take_job(&symbols->quick, job))
		if (job->what != WIRE_MAPS || symbols_process_of(symbols, job))
			return true;
	while (take_job(&symbols->slow, job))
		if (job->what != WIRE_LISTING || job->program == symbols->listing.number)
			return true;
	return false;
}

/* --- requests */

static void write_object(struct symbols *symbols, uint32_t id)
{
	const struct object *object = objects_get(&symbols->objects, id);
	struct wire_object wire = object->wire;

	wire.name = object->path;
	wire_object(&(struct wire){.packet = &symbols->packet}, &wire);
}

/* As many addresses of the object as go into a request; they stay in the list until the answer. */
static void write_find(struct symbols *symbols, const struct job *job)
{
	const struct asked_list *list = symbols_list_of(symbols, job);
	struct flight *flight = &symbols->flight;

	flight->count = list->count < WIRE_FIND_MAX ? list->count : WIRE_FIND_MAX;
	for (size_t i = 0; i < flight->count; i++)
		wire_put(&symbols->packet, list->items[i].address);
}

static void write_mappings(struct symbols *symbols, const struct process *process)
{
	struct strbuf *packet = &symbols->packet;

	for (size_t i = 0; i < process->count; i++) {
		const struct mapping *mapping = &process->mappings[i];
		struct object *object = objects_get(&symbols->objects, mapping->object);
		const size_t before = packet->length;

		if (object->wire.kind != SYMBOL_OBJECT_FILE &&
		    object->wire.kind != SYMBOL_OBJECT_VDSO)
			continue;
		object_note_mapping(object, process, mapping);
		wire_put(packet, mapping->start);
		wire_put(packet, mapping->at);
		write_object(symbols, mapping->object);
		if (packet->length <= WIRE_PACKET_BYTES)
			continue;
		packet->length = before;
		break;
	}
}

static void write_stack(struct symbols *symbols, const struct job *job,
			const struct symbol_stack *stack)
{
	const struct process *process = symbols_process_of(symbols, job);
	struct wire_stack wire = {
		.program = process->program,
		.version = process->version,
		.mask = stack->mask,
		.registers = stack->registers,
		.register_count = stack->register_count,
		.bytes = stack->bytes,
		.size = stack->size < STACK_BYTES_MAX ? stack->size : STACK_BYTES_MAX,
	};

	wire_stack(&(struct wire){.packet = &symbols->packet}, &wire);
	write_mappings(symbols, process);
}

static void write_request(struct symbols *symbols, const struct job *job,
			  const struct symbol_stack *stack)
{
	const struct entry *listed = entries_get(&symbols->entries, symbols->listing.function);
	struct wire_object process = {.pid = job->pid};

	strbuf_clear(&symbols->packet);
	wire_put(&symbols->packet, job->what);
	if (job->what == WIRE_MAPS || job->what == WIRE_UNWIND)
		wire_object(&(struct wire){.packet = &symbols->packet}, &process);
	else
		write_object(symbols, job->object);
	if (job->what == WIRE_FUNCTIONS || job->what == WIRE_LINES)
		write_find(symbols, job);
	if (job->what == WIRE_UNWIND)
		write_stack(symbols, job, stack);
	if (job->what == WIRE_LISTING) {
		wire_put(&symbols->packet, listed->start);
		wire_put(&symbols->packet, listed->end);
	}
}

/* --- the helper */

static void end_flight(struct symbols *symbols, enum symbol_reason reason)
{
	const struct job job = symbols->flight.job;
	struct asked_list *list;

	answers_end(symbols, reason);
	symbols->flight.is_on = false;
	if (job.what != WIRE_FUNCTIONS && job.what != WIRE_LINES)
		return;
	list = symbols_list_of(symbols, &job);
	asked_drop(list, symbols->flight.answered);
	list->is_queued = list->count > 0;
	if (list->is_queued)
		add_job(symbols, &job);
}

/* Lines that kill the helper are done without: the functions are asked for instead. */
static void retry_as_functions(struct symbols *symbols)
{
	struct flight *flight = &symbols->flight;
	struct object *object = objects_get(&symbols->objects, flight->job.object);

	object->has_no_lines = true;
	while (flight->answered < flight->count)
		symbols_ask(symbols,
			    &(struct job){.what = WIRE_FUNCTIONS, .object = flight->job.object},
			    &object->lines.items[flight->answered++]);
}

static void bury_helper(struct symbols *symbols)
{
	const struct job *job = &symbols->flight.job;

	helper_stop(&symbols->helper);
	symbols->past_cpu_ns += symbols->head.cpu_ns;
	symbols->head = (struct wire_head){0};
	symbols->failures++;
	if (!symbols->flight.is_on)
		return;
	if (job->what == WIRE_LINES)
		retry_as_functions(symbols);
	if (job->what == WIRE_FUNCTIONS)
		objects_get(&symbols->objects, job->object)->is_refused = true;
	end_flight(symbols, SYMBOL_REASON_TOO_COSTLY);
}

static bool has_helper(struct symbols *symbols)
{
	return symbols->helper.fd >= 0 ||
	       (symbols->failures < FAILURES_MAX &&
		helper_start(&symbols->helper, symbols->options.program));
}

/* The job becomes the flight; a stack goes with one of its kind. */
static void start_flight(struct symbols *symbols, const struct job *job,
			 const struct symbol_stack *stack)
{
	symbols->flight = (struct flight){.is_on = true, .job = *job, .heard_ns = sys_now_ns()};
	write_request(symbols, job, stack);
	if (!has_helper(symbols))
		end_flight(symbols, SYMBOL_REASON_NO_HELPER);
	else if (!helper_send(&symbols->helper, symbols->packet.text, symbols->packet.length))
		bury_helper(symbols);
}

static void take_packet(struct symbols *symbols, size_t size)
{
	struct wire wire = {.at = symbols->answer, .end = symbols->answer + size};

	symbols->flight.heard_ns = sys_now_ns();
	wire_head(&wire, &symbols->head);
	answers_take(symbols, &wire);
	if (!symbols->head.is_last)
		return;
	symbols->failures = 0;
	end_flight(symbols, SYMBOL_REASON_NO_SYMBOL);
}

static void take_packets(struct symbols *symbols)
{
	while (symbols->helper.fd >= 0) {
		ssize_t size = helper_receive(&symbols->helper, symbols->answer, WIRE_PACKET_BYTES);

		if (size == 0)
			break;
		if (size < 0 || !symbols->flight.is_on)
			bury_helper(symbols);
		else
			take_packet(symbols, (size_t)size);
	}
}

/* Waits until no request is on its way. False: nothing came for so long. */
static bool wait_for_flight(struct symbols *symbols, int patience_ms)
{
	while (symbols->flight.is_on) {
		if (!helper_wait(&symbols->helper, patience_ms))
			return false;
		take_packets(symbols);
	}
	return true;
}

/* A screen that waits does so for a moment only, and once. False: a request is on its way still. */
static bool finish_flight(struct symbols *symbols)
{
	if (!symbols->options.is_live) {
		if (!wait_for_flight(symbols, symbols->options.patience_ms))
			bury_helper(symbols);
		return true;
	}
	if (symbols->flight.is_on && !symbols->flight.is_slow)
		symbols->flight.is_slow = !wait_for_flight(symbols, SLOW_MS);
	return !symbols->flight.is_on;
}

/* One that hangs at a disk or a network would let all names wait for ever. */
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
		start_flight(symbols, &job, NULL);
	has_changed = symbols->has_changed;
	symbols->has_changed = false;
	return has_changed;
}

void symbols_finish(struct symbols *symbols)
{
	bool has_changed = symbols_work(symbols);

	while (symbols->flight.is_on) {
		if (!helper_wait(&symbols->helper, symbols->options.patience_ms))
			bury_helper(symbols);
		has_changed |= symbols_work(symbols);
	}
	symbols->has_changed = has_changed;
}

size_t symbols_unwind(struct symbols *symbols, int32_t pid, const struct symbol_stack *stack,
		      uint64_t *frames, size_t max)
{
	struct process *process = mappings_find(&symbols->mappings, pid);
	int patience_ms = symbols->options.patience_ms;

	if (pid <= 0 || !process || process->count == 0 ||
	    stack->register_count > WIRE_REGISTERS_MAX)
		return 0;
	if (process->is_not_unwound || !finish_flight(symbols)) {
		symbols->not_unwound++;
		return 0;
	}
	if (symbols->options.is_live && patience_ms > LIVE_MS)
		patience_ms = LIVE_MS;
	start_flight(symbols,
		     &(struct job){.what = WIRE_UNWIND, .pid = pid, .program = process->program},
		     stack);
	symbols->flight.frames = frames;
	symbols->flight.frame_max = max;
	if (!wait_for_flight(symbols, patience_ms))
		bury_helper(symbols);
	symbols->not_unwound += process->is_not_unwound;
	return symbols->flight.frame_count;
}

uint32_t symbols_not_unwound(const struct symbols *symbols)
{
	return symbols->not_unwound;
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
