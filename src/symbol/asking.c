/*
 * For each list of addresses that is not empty there is one job in a queue. One job at a time is on
 * its way to the helper (flight): when the helper dies it is known of what, and that is not asked
 * again. A stack is unwound while its sample waits, since what is mapped then may be gone with the
 * next record.
 *
 * A session of its own keeps the keys of the terminal away from the helper. When this process ends,
 * the helper finds the end of its input. It is started anew from the program's file, so that
 * nothing of this process's memory is kept by it. A fork is what remains where that is not
 * possible, or the file has capabilities: anybody could start a helper from that and speak to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/inside.h"

enum {
	FAILURES_MAX = 16,  /* in a row; then no helper is started any more */
	PACKETS_MAX = 4096, /* of a reply: a helper that was taken over may send without end */
	SLOW_MS = 200,      /* a live run waits this long, once, for a flight to end */
	LIVE_MS = 2000,     /* and this long for a stack to be unwound */
	LIVE_SHARE = 4,     /* for which it waits one part in so many of the time */
	LIVE_BURST_NS = 50000000,
	STOP_MS = 20,                           /* how long to wait for a killed helper to end */
	STACK_BYTES_MAX = WIRE_PACKET_BYTES / 2 /* the rest of the packet is for mappings */
};

/* --- jobs */

struct process *symbols_process_of(const struct symbols *symbols, const struct symbol_job *job)
{
	struct process *process = mappings_find(&symbols->mappings, job->pid);

	return process && process->program == job->program ? process : NULL;
}

struct waiting_list *symbols_list_of(const struct symbols *symbols, const struct symbol_job *job)
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

static void add_job(struct symbols *symbols, const struct symbol_job *job)
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

void symbols_ask(struct symbols *symbols, const struct symbol_job *job, uint32_t id,
		 uint64_t address)
{
	struct waiting_list *list = symbols_list_of(symbols, job);

	if (list)
		entries_wait(&symbols->entries, list, id, address);
	if (!list || !list->is_queued)
		add_job(symbols, job);
	if (list)
		list->is_queued = true;
}

static bool take_job(struct job_queue *queue, struct symbol_job *job)
{
	if (queue->first == queue->end)
		return false;
	*job = queue->jobs[queue->first++];
	return true;
}

/* The next job that is still wanted. */
static bool next_job(struct symbols *symbols, struct symbol_job *job)
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

static void write_object_of(struct symbols *symbols, uint32_t id)
{
	const struct code_object *object = objects_get(&symbols->objects, id);
	struct wire_object wire = object->wire;

	wire.name = object->path;
	wire_object(&(struct codec){.to = &symbols->packet}, &wire);
}

/* Writes as many addresses as fit a request. They stay in the list until they are answered. */
static void write_find(struct symbols *symbols, const struct symbol_job *job)
{
	const struct symbol_entry *entries = symbols->entries.items;
	size_t *left = &symbols->flight.left;

	for (uint32_t id = symbols_list_of(symbols, job)->first;
	     id != SYMBOL_NONE && *left < WIRE_FIND_MAX; id = entries[id].next) {
		codec_put_u64(&symbols->packet, entries[id].address);
		++*left;
	}
}

static void write_mappings(struct symbols *symbols, const struct process *process)
{
	struct strbuf *packet = &symbols->packet;

	for (size_t i = 0; i < process->count; i++) {
		const struct mapping *mapping = &process->mappings[i];
		struct code_object *object = objects_get(&symbols->objects, mapping->object);
		const size_t before = packet->length;

		if (object->wire.kind != SYMBOL_OBJECT_FILE &&
		    object->wire.kind != SYMBOL_OBJECT_VDSO)
			continue;
		object_note_mapping(object, process, mapping);
		codec_put_u64(packet, mapping->start);
		codec_put_u64(packet, mapping->at);
		write_object_of(symbols, mapping->object);
		if (packet->length <= WIRE_PACKET_BYTES)
			continue;
		packet->length = before;
		break;
	}
}

static void write_stack(struct symbols *symbols, const struct symbol_job *job,
			const struct symbol_stack *stack)
{
	const struct process *process = symbols_process_of(symbols, job);
	struct symbol_stack cut = *stack;

	if (cut.size > STACK_BYTES_MAX)
		cut.size = STACK_BYTES_MAX;
	codec_put_u64(&symbols->packet, process->version);
	wire_stack(&(struct codec){.to = &symbols->packet}, &cut);
	write_mappings(symbols, process);
}

static void write_request(struct symbols *symbols, const struct symbol_job *job,
			  const struct symbol_stack *stack)
{
	const struct symbol *listed = entries_get(&symbols->entries, symbols->listing.function);
	struct wire_object process = {.pid = job->pid, .serial = job->program};

	strbuf_clear(&symbols->packet);
	codec_put_u64(&symbols->packet, job->what);
	if (job->what == WIRE_MAPS || job->what == WIRE_UNWIND)
		wire_object(&(struct codec){.to = &symbols->packet}, &process);
	else
		write_object_of(symbols, job->object);
	if (job->what == WIRE_FUNCTIONS || job->what == WIRE_LINES)
		write_find(symbols, job);
	if (job->what == WIRE_UNWIND && stack)
		write_stack(symbols, job, stack);
	if (job->what == WIRE_LISTING) {
		codec_put_u64(&symbols->packet, listed->start);
		codec_put_u64(&symbols->packet, listed->end);
	}
}

/* --- the helper */

/* In the child; never returns. */
static _Noreturn void become_helper(const char *program, int fd)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	dup2(fd, STDIN_FILENO);
	sys_close_from(STDERR_FILENO + 1);
	if (program && getauxval(AT_SECURE) == 0)
		execl(program, "perftop", SYMBOLS_HELPER_ARGUMENT, (char *)NULL);
	_exit(symbols_serve());
}

/* False: no helper runs, and none can be started. */
static bool start_helper(struct symbols *symbols)
{
	struct helper *helper = &symbols->helper;
	struct epoll_event event = {.events = EPOLLIN};
	int pair[2];

	if (helper->fd >= 0)
		return true;
	if (symbols->failures >= FAILURES_MAX ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	helper->fd = pair[0];
	helper->pid = -1;
	if (helper->epoll >= 0 && epoll_ctl(helper->epoll, EPOLL_CTL_ADD, helper->fd, &event) == 0)
		helper->pid = fork();
	if (helper->pid == 0)
		become_helper(symbols->options.program, pair[1]);
	close(pair[1]);
	if (helper->pid > 0)
		return true;
	symbols_stop_helper(symbols);
	return false;
}

void symbols_stop_helper(struct symbols *symbols)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	struct helper *helper = &symbols->helper;
	bool is_gone = helper->pid <= 0;

	if (helper->fd >= 0)
		close(helper->fd);
	if (!is_gone)
		kill(helper->pid, SIGKILL);
	for (int i = 0; i < STOP_MS && !is_gone; i++) {
		is_gone = waitpid(helper->pid, NULL, WNOHANG) != 0;
		if (!is_gone)
			nanosleep(&millisecond, NULL);
	}
	for (size_t i = 0; i < HELPER_ENDING_MAX && !is_gone; i++) {
		is_gone = helper->ending[i] == 0;
		if (is_gone)
			helper->ending[i] = helper->pid;
	}
	helper->fd = -1;
	helper->pid = 0;
}

/* Returns the size of a packet; 0: none is there; -1: the helper is gone. */
static ssize_t receive_packet(struct symbols *symbols)
{
	struct helper *helper = &symbols->helper;
	ssize_t size = recv(helper->fd, symbols->answer, WIRE_PACKET_BYTES, MSG_DONTWAIT);

	for (size_t i = 0; i < HELPER_ENDING_MAX; i++)
		if (helper->ending[i] > 0 && waitpid(helper->ending[i], NULL, WNOHANG) != 0)
			helper->ending[i] = 0;
	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return size > 0 ? size : -1;
}

/* False: nothing came within so many milliseconds. */
static bool wait_for_packet(const struct symbols *symbols, int patience_ms)
{
	struct pollfd poll_fd = {.fd = symbols->helper.fd, .events = POLLIN};

	return poll(&poll_fd, 1, patience_ms) != 0;
}

static void end_flight(struct symbols *symbols, enum symbol_reason reason)
{
	const struct symbol_job job = symbols->flight.job;
	struct waiting_list *list;

	answers_end(symbols, reason);
	symbols->flight.is_on = false;
	if (job.what != WIRE_FUNCTIONS && job.what != WIRE_LINES)
		return;
	list = symbols_list_of(symbols, &job);
	list->is_queued = list->first != SYMBOL_NONE;
	if (list->is_queued)
		add_job(symbols, &job);
}

/* The helper has died or hung on an object of the request in flight: what still waits for it is not
 * asked. Where its lines were to blame, for the functions alone. */
static void give_request_up(struct symbols *symbols)
{
	const struct symbol_job job = {
		.what = WIRE_FUNCTIONS,
		.object = symbols->flight.job.object,
	};
	struct code_object *object = objects_get(&symbols->objects, job.object);
	uint32_t id;

	if (symbols->flight.job.what == WIRE_FUNCTIONS)
		object->is_refused = true;
	if (symbols->flight.job.what == WIRE_LINES) {
		object->has_no_lines = true;
		symbols->flight.left = 0;
		while ((id = entries_take_waiting(&symbols->entries, &object->lines)) !=
		       SYMBOL_NONE)
			symbols_ask(symbols, &job, id, symbols->entries.items[id].address);
	}
	end_flight(symbols, SYMBOL_REASON_TOO_COSTLY);
}

static bool is_given_up(struct symbols *symbols, const struct symbol_job *job)
{
	const struct code_object *object;

	if (job->what != WIRE_FUNCTIONS && job->what != WIRE_LINES)
		return false;
	object = objects_get(&symbols->objects, job->object);
	return object->is_refused || (job->what == WIRE_LINES && object->has_no_lines);
}

static void drop_failed_helper(struct symbols *symbols)
{
	symbols_stop_helper(symbols);
	symbols->past_cpu_ns += symbols->head.cpu_ns;
	symbols->head = (struct wire_head){0};
	symbols->failures++;
	if (symbols->flight.is_on)
		give_request_up(symbols);
}

/* Sends a request. `stack` is set for WIRE_UNWIND only. */
static void start_flight(struct symbols *symbols, const struct symbol_job *job,
			 const struct symbol_stack *stack)
{
	symbols->flight = (struct flight){.is_on = true, .job = *job, .heard_ns = sys_now_ns()};
	write_request(symbols, job, stack);
	if (is_given_up(symbols, job))
		give_request_up(symbols);
	else if (!start_helper(symbols))
		end_flight(symbols, SYMBOL_REASON_NO_HELPER);
	else if (send(symbols->helper.fd, symbols->packet.text, symbols->packet.length,
		      MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)symbols->packet.length)
		drop_failed_helper(symbols);
}

static void take_packets(struct symbols *symbols)
{
	while (symbols->helper.fd >= 0) {
		const ssize_t size = receive_packet(symbols);
		struct codec wire;

		if (size == 0)
			return;
		if (size < 0 || !symbols->flight.is_on || ++symbols->flight.packets > PACKETS_MAX) {
			drop_failed_helper(symbols);
			return;
		}
		wire = codec_of(symbols->answer, (size_t)size);
		symbols->flight.heard_ns = sys_now_ns();
		wire_head(&wire, &symbols->head);
		answers_take(symbols, &wire);
		if (!symbols->head.is_last)
			continue;
		symbols->failures = 0;
		end_flight(symbols, SYMBOL_REASON_NO_SYMBOL);
	}
}

/* Waits until no request is in flight. False: nothing came within patience_ms. */
static bool wait_for_flight(struct symbols *symbols, int patience_ms)
{
	while (symbols->flight.is_on) {
		if (!wait_for_packet(symbols, patience_ms))
			return false;
		take_packets(symbols);
	}
	return true;
}

/*
 * Finishes the request in flight before a stack is sent. A live run waits only once for it. False:
 * it is still in flight.
 */
static bool finish_flight(struct symbols *symbols)
{
	if (!symbols->options.is_live) {
		if (!wait_for_flight(symbols, symbols->options.patience_ms))
			drop_failed_helper(symbols);
		return true;
	}
	if (symbols->flight.is_on && !symbols->flight.is_slow)
		symbols->flight.is_slow = !wait_for_flight(symbols, SLOW_MS);
	return !symbols->flight.is_on;
}

bool symbols_work(struct symbols *symbols)
{
	const uint64_t patience_ns = (uint64_t)symbols->options.patience_ms * 1000000;
	bool has_changed;
	struct symbol_job job;

	take_packets(symbols);
	/* a helper that hangs on a disk or network must not keep all names pending */
	if (symbols->flight.is_on && sys_now_ns() - symbols->flight.heard_ns > patience_ns)
		drop_failed_helper(symbols);
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
		if (!wait_for_packet(symbols, symbols->options.patience_ms))
			drop_failed_helper(symbols);
		has_changed |= symbols_work(symbols);
	}
	symbols->has_changed = has_changed;
}

/* Of a process that runs already, once. */
static struct process *read_mappings(struct symbols *symbols, int32_t pid)
{
	struct process *process = mappings_get(&symbols->mappings, pid);

	if (process->misses++ > 0 || !finish_flight(symbols))
		return process;
	start_flight(
		symbols,
		&(struct symbol_job){.what = WIRE_MAPS, .pid = pid, .program = process->program},
		NULL);
	wait_for_flight(symbols, SLOW_MS);
	return process;
}

/* A live run has other things to do. */
static bool has_time_to_unwind(struct symbols *symbols)
{
	const uint64_t now_ns = sys_now_ns();
	const uint64_t share_ns = (now_ns - symbols->unwound_ns) / LIVE_SHARE;
	const uint64_t taken_ns = symbols->unwinding_ns;

	symbols->unwinding_ns = taken_ns > share_ns ? taken_ns - share_ns : 0;
	symbols->unwound_ns = now_ns;
	return !symbols->options.is_live || symbols->unwinding_ns < LIVE_BURST_NS;
}

size_t symbols_unwind(struct symbols *symbols, int32_t pid, const struct symbol_stack *stack,
		      uint64_t *frames, size_t max)
{
	struct process *process = mappings_find(&symbols->mappings, pid);
	const bool has_time = has_time_to_unwind(symbols);
	const uint64_t before_ns = symbols->unwound_ns;
	int patience_ms = symbols->options.patience_ms;

	if (pid <= 0 || stack->register_count > WIRE_REGISTERS_MAX)
		return 0;
	if (symbols->options.is_live && has_time && (!process || process->count == 0))
		process = read_mappings(symbols, pid);
	if (!process || process->count == 0)
		return 0;
	if (!has_time || process->is_not_unwound || !finish_flight(symbols)) {
		symbols->not_unwound++;
		return 0;
	}
	if (symbols->options.is_live && patience_ms > LIVE_MS)
		patience_ms = LIVE_MS;
	start_flight(
		symbols,
		&(struct symbol_job){.what = WIRE_UNWIND, .pid = pid, .program = process->program},
		stack);
	symbols->flight.frames = frames;
	symbols->flight.frame_max = max;
	if (!wait_for_flight(symbols, patience_ms))
		drop_failed_helper(symbols);
	symbols->unwinding_ns += sys_now_ns() - before_ns;
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
