/*
 * The helper answers one request after the other. A request on which it dies or reaches its limits
 * has no answer. What it reads may be hostile, so it first gives up its rights (confine.h) and has
 * files opened by another process (opener.h).
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
	bool is_over; /* the other end is closed */
	struct wire_head head;
	struct strbuf packet, parts; /* parts: what follows the head of the next packet */
	struct strbuf part;          /* the next part */
	struct strbuf names[ANSWER_LINES_MAX + 1]; /* demangled names of an answer */
};

static void prepare(void)
{
	FILE *file = fopen("/proc/self/oom_score_adj", "we");

	/* when memory is short, this process goes first: its work can be repeated */
	if (file) {
		fputs("1000", file);
		fclose(file);
	}
	memory_keep_large_apart();
	prctl(PR_SET_NAME, "perftop-symbols");
	signal(SIGPIPE, SIG_IGN);
	/* never fetch debug files from a server, which may take minutes */
	unsetenv("DEBUGINFOD_URLS");
	limit_resource(RLIMIT_CORE, 0);
	limit_memory(0);
	(void)!nice(NICENESS);
}

/* --- replies */

static void send_packet(struct server *server, bool is_last)
{
	struct strbuf *packet = &server->packet;

	server->head.is_last = is_last;
	server->head.cpu_ns = proc_own_cpu_ns() + server->opener.cpu_ns;
	server->head.opener_bytes = server->opener.rss_bytes;
	strbuf_clear(packet);
	wire_head(&(struct codec){.to = packet}, &server->head);
	strbuf_add_bytes(packet, server->parts.text, server->parts.length);
	strbuf_clear(&server->parts);
	if (write(STDIN_FILENO, packet->text, packet->length) != (ssize_t)packet->length)
		server->is_over = true;
}

/* Moves the part into the packet; sends that first if there is no room. */
static void add_reply_part(struct server *server)
{
	if (WIRE_HEAD_BYTES + server->parts.length + server->part.length > WIRE_PACKET_BYTES)
		send_packet(server, false);
	strbuf_add_bytes(&server->parts, server->part.text, server->part.length);
	strbuf_clear(&server->part);
}

/* --- mappings of a process */

static void add_mapping(const struct decoded_mmap *mapping, void *context)
{
	struct server *server = context;
	struct decoded_mmap copy = *mapping;

	if (mapping->is_data)
		return;
	wire_mapping(&(struct codec){.to = &server->part}, &copy);
	add_reply_part(server);
}

static void answer_maps(struct server *server, const struct wire_object *object,
			struct codec *request)
{
	const int fd = opener_open(&server->opener, OPENER_MAPS, object, NULL);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (!file) {
		server->head.facts.reason = fd == OPEN_REFUSED ? SYMBOL_REASON_NOT_PERMITTED
							       : SYMBOL_REASON_PROCESS_GONE;
		return;
	}
	maps_read(file, add_mapping, server);
	fclose(file);
}

/* --- functions and lines */

static void demangle_name(struct strbuf *text, const char **name)
{
	if (!*name)
		return;
	strbuf_clear(text);
	demangle(text, *name);
	*name = strbuf_text(text);
}

static void answer_addresses(struct server *server, struct stored *stored, struct codec *request,
			     bool wants_line)
{
	server->head.facts = stored->facts;
	while (request->at < request->end && !request->has_failed) {
		struct address_answer answer;

		stored_find(stored, codec_u64(request), wants_line, &answer);
		demangle_name(&server->names[ANSWER_LINES_MAX], &answer.name);
		for (size_t i = 0; i < answer.line_count; i++)
			demangle_name(&server->names[i], &answer.lines[i].function);
		wire_answer(&(struct codec){.to = &server->part}, &answer);
		add_reply_part(server);
	}
}

static void answer_functions(struct server *server, const struct wire_object *object,
			     struct codec *request)
{
	answer_addresses(server, store_open(server->store, object), request, false);
}

static void answer_lines(struct server *server, const struct wire_object *object,
			 struct codec *request)
{
	struct stored *stored = store_open(server->store, object);

	stored->facts.has_no_lines = !stored_has_lines(stored);
	answer_addresses(server, stored, request, true);
}

/* --- the code of a function */

static void add_code(const struct code_part *part, void *context)
{
	struct server *server = context;
	struct code_part copy = *part;

	wire_part(&(struct codec){.to = &server->part}, &copy);
	add_reply_part(server);
}

/* The reason is known at the end: that of the last packet counts. */
static void answer_listing(struct server *server, const struct wire_object *object,
			   struct codec *request)
{
	const uint64_t start = codec_u64(request), end = codec_u64(request);

	server->head.facts.reason =
		listing_make(store_open(server->store, object), start, end, add_code, server);
}

/* --- the calls of a thread */

static void answer_unwind(struct server *server, const struct wire_object *process,
			  struct codec *request)
{
	uint64_t frames[WIRE_FRAMES_MAX];
	const size_t count =
		unwind_stack(server->unwinder, process, request, frames, WIRE_FRAMES_MAX);

	for (size_t i = 0; i < count; i++)
		codec_put_u64(&server->parts, frames[i]);
}

static void answer_request(struct server *server, const char *bytes, size_t size)
{
	static void (*const answers[WIRE_REQUESTS])(
		struct server * server, const struct wire_object *object, struct codec *request) = {
		[WIRE_MAPS] = answer_maps,     [WIRE_FUNCTIONS] = answer_functions,
		[WIRE_LINES] = answer_lines,   [WIRE_LISTING] = answer_listing,
		[WIRE_UNWIND] = answer_unwind,
	};
	struct codec request = codec_of(bytes, size);
	const uint64_t what = codec_u64(&request);
	struct wire_object object = {0};

	limit_resource(RLIMIT_CPU, proc_own_cpu_ns() / 1000000000 + CPU_SECONDS_MAX);
	wire_object(&request, &object);
	server->head = (struct wire_head){0};
	if (what < WIRE_REQUESTS && !request.has_failed)
		answers[what](server, &object, &request);
	if (server->opener.fd < 0)
		server->is_over = true;
	else
		send_packet(server, true);
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
	char *request = xcalloc(1, WIRE_PACKET_BYTES);
	struct server server = {0};
	ssize_t size;

	prepare();
	server.is_over = !opener_start(&server.opener) || !confine();
	server.store = store_create(&server.opener);
	server.unwinder = unwinder_create(server.store);
	while (!server.is_over && (size = sys_read(STDIN_FILENO, request, WIRE_PACKET_BYTES)) > 0)
		answer_request(&server, request, (size_t)size);
	free(request);
	strbuf_fini(&server.packet);
	strbuf_fini(&server.parts);
	strbuf_fini(&server.part);
	for (size_t i = 0; i < ANSWER_LINES_MAX + 1; i++)
		strbuf_fini(&server.names[i]);
	unwinder_destroy(server.unwinder);
	store_destroy(server.store);
	opener_stop(&server.opener);
	return server.is_over ? 1 : 0;
}
