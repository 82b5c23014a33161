/*
 * The helper answers one request after the other. It need not survive: a request on which it dies
 * or reaches its limits is one that has no answer. What it reads may be hostile, so it gives its
 * rights away before (confine.h), and another process opens files for it (opener.h).
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/decode.h"
#include "kernel/maps.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/confine.h"
#include "symbol/demangle.h"
#include "symbol/listing.h"
#include "symbol/opener.h"
#include "symbol/store.h"
#include "symbol/symbols.h"
#include "symbol/unwind.h"
#include "symbol/wire.h"

enum {
	CPU_SECONDS_MAX = 20, /* of a request */
	NICENESS = 10
};

struct server {
	struct opener opener;
	struct store *store;
	struct unwinder *unwinder;
	bool is_over;         /* the other end is closed */
	struct strbuf packet; /* being made */
	size_t beginning;     /* bytes with which all packets of the reply begin */
	struct strbuf part;   /* what comes into it next */
	struct strbuf names[ANSWER_LINES_MAX + 1]; /* demangled ones of an answer */
};

/* When memory is short this is what must go first; what it did can be done again. */
static void offer_to_die(void)
{
	FILE *file = fopen("/proc/self/oom_score_adj", "we");

	if (!file)
		return;
	fputs("1000", file);
	fclose(file);
}

/* Debug files are looked for on this machine: not fetched from others, which may take minutes. */
static void prepare(void)
{
	memory_keep_large_apart();
	prctl(PR_SET_NAME, "perftop-symbols");
	signal(SIGPIPE, SIG_IGN);
	unsetenv("DEBUGINFOD_URLS");
	limit_resource(RLIMIT_CORE, 0);
	limit_memory(0);
	offer_to_die();
	(void)!nice(NICENESS);
}

static void begin_request(void)
{
	limit_resource(RLIMIT_CPU, proc_own_cpu_ns() / 1000000000 + CPU_SECONDS_MAX);
}

/* --- replies */

/* The next packet begins like this one. */
static bool send_packet(struct server *server, bool is_last)
{
	struct strbuf *packet = &server->packet;
	bool is_sent;

	wire_set_head(packet, &(struct wire_head){
				      .is_last = is_last,
				      .cpu_ns = proc_own_cpu_ns() + server->opener.cpu_ns,
				      .opener_bytes = server->opener.rss_bytes,
			      });
	is_sent = write(STDIN_FILENO, packet->text, packet->length) == (ssize_t)packet->length;
	packet->length = server->beginning;
	return is_sent;
}

static void begin_reply(struct server *server)
{
	strbuf_clear(&server->packet);
	wire_set_head(&server->packet, &(struct wire_head){0});
}

/* Moves the part into the packet, which goes first if it has no room for that. */
static void add_part(struct server *server)
{
	if (server->packet.length + server->part.length > WIRE_PACKET_BYTES &&
	    !send_packet(server, false))
		server->is_over = true;
	strbuf_add_bytes(&server->packet, server->part.text, server->part.length);
	strbuf_clear(&server->part);
}

/* --- mappings of a process */

static void add_mapping(const struct decoded_mmap *mapping, void *context)
{
	struct server *server = context;
	struct decoded_mmap copy = *mapping;

	wire_mapping(&(struct wire){.packet = &server->part}, &copy);
	add_part(server);
}

static void answer_maps(struct server *server, struct wire *request)
{
	const struct wire_object process = {.pid = (int32_t)wire_get(request)};
	const int fd = opener_open(&server->opener, OPENER_MAPS, &process, NULL);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

	wire_put(&server->packet, file                 ? SYMBOL_REASON_NONE
				  : fd == OPEN_REFUSED ? SYMBOL_REASON_NOT_PERMITTED
						       : SYMBOL_REASON_PROCESS_GONE);
	server->beginning = server->packet.length;
	if (!file)
		return;
	maps_read(file, add_mapping, server);
	fclose(file);
}

/* --- functions and lines */

static const char *meaning_of(struct strbuf *text, const char *name)
{
	strbuf_clear(text);
	demangle(text, name);
	return strbuf_text(text);
}

static void demangle_answer(struct server *server, struct answer *answer)
{
	if (answer->name)
		answer->name = meaning_of(&server->names[ANSWER_LINES_MAX], answer->name);
	for (size_t i = 0; i < answer->line_count; i++)
		if (answer->lines[i].function)
			answer->lines[i].function =
				meaning_of(&server->names[i], answer->lines[i].function);
}

static void answer_find(struct server *server, struct wire *request)
{
	struct wire_object object = {0};
	struct stored *stored;
	bool wants_line;

	wire_object(request, &object);
	wants_line = wire_get(request) != 0;
	stored = store_open(server->store, &object);
	stored->facts.has_no_lines = wants_line && !stored_has_lines(stored);
	wire_facts(&(struct wire){.packet = &server->packet}, &stored->facts);
	server->beginning = server->packet.length;
	while (request->at < request->end && !request->has_failed) {
		struct answer answer;

		stored_find(stored, wire_get(request), wants_line, &answer);
		demangle_answer(server, &answer);
		wire_answer(&(struct wire){.packet = &server->part}, &answer);
		add_part(server);
	}
}

static void answer_unwind(struct server *server, struct wire *request)
{
	uint64_t frames[WIRE_FRAMES_MAX];
	struct wire_stack stack = {0};
	size_t count = 0;

	wire_stack(request, &stack);
	if (!request->has_failed)
		count = unwind(server->unwinder, &stack, request, frames, WIRE_FRAMES_MAX);
	for (size_t i = 0; i < count; i++)
		wire_put(&server->packet, frames[i]);
}

/* --- the code of a function */

static void add_code(const struct code_part *part, void *context)
{
	struct server *server = context;
	struct code_part copy = *part;

	wire_part(&(struct wire){.packet = &server->part}, &copy);
	add_part(server);
}

/* Why it is not whole is known at the end, and in the last packet. */
static void answer_list(struct server *server, struct wire *request)
{
	const size_t at = server->packet.length;
	struct wire_object object = {0};
	uint64_t start, end, reason;

	wire_object(request, &object);
	start = wire_get(request);
	end = wire_get(request);
	wire_put(&server->packet, SYMBOL_REASON_NONE);
	server->beginning = server->packet.length;
	reason = listing_make(store_open(server->store, &object), start, end, add_code, server);
	memcpy(server->packet.text + at, &reason, sizeof(reason));
}

static void answer_request(struct server *server, const char *bytes, size_t size)
{
	struct wire request = {.at = bytes, .end = bytes + size};

	begin_request();
	begin_reply(server);
	switch (wire_get(&request)) {
	case WIRE_MAPS:
		answer_maps(server, &request);
		break;
	case WIRE_FIND:
		answer_find(server, &request);
		break;
	case WIRE_UNWIND:
		answer_unwind(server, &request);
		break;
	case WIRE_LIST:
		answer_list(server, &request);
		break;
	default:
		break;
	}
	if (server->opener.fd < 0 || !send_packet(server, true))
		server->is_over = true;
}

static void answer_requests(struct server *server)
{
	char *request = xcalloc(1, WIRE_PACKET_BYTES);

	while (!server->is_over) {
		ssize_t size = sys_read(STDIN_FILENO, request, WIRE_PACKET_BYTES);

		if (size <= 0)
			break;
		answer_request(server, request, (size_t)size);
	}
	free(request);
}

bool symbols_is_helper(void)
{
	struct ucred maker;
	socklen_t size = sizeof(maker);
	int type;

	if (getauxval(AT_SECURE) != 0 ||
	    getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0)
		return false;
	size = sizeof(type);
	return getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_SEQPACKET && maker.pid == getppid();
}

int symbols_serve(void)
{
	struct server server = {0};

	prepare();
	server.is_over = !opener_start(&server.opener) || !confine();
	server.store = store_create(&server.opener);
	server.unwinder = unwinder_create(server.store);
	answer_requests(&server);
	strbuf_fini(&server.packet);
	strbuf_fini(&server.part);
	for (size_t i = 0; i < ANSWER_LINES_MAX + 1; i++)
		strbuf_fini(&server.names[i]);
	unwinder_destroy(server.unwinder);
	store_destroy(server.store);
	opener_stop(&server.opener);
	return server.is_over ? 1 : 0;
}
