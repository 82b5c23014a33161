/*
 * A short name may stand for gigabytes: what the library writes is counted, and longjmp() leaves it
 * when that is too much. Its functions with a callback allocate nothing that would be lost.
 */
#include "symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

enum {
	MANGLED_MAX = 8192,
	DEMANGLED_MAX = 16384
};

struct writing {
	struct strbuf *out;
	size_t start; /* where the name begins in it */
	jmp_buf too_long;
};

static void write_demangled_part(const char *text, size_t length, void *context)
{
	struct writing *writing = context;

	strbuf_add_bytes(writing->out, text, length);
	if (writing->out->length - writing->start > DEMANGLED_MAX)
		longjmp(writing->too_long, 1);
}

/* Rust's older names are valid ones of C++, with a hash that is left out here. */
static bool write_meaning(struct writing *writing, const char *name)
{
	if (rust_demangle_callback(name, 0, write_demangled_part, writing) != 0)
		return true;
	writing->out->length = writing->start;
	return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, write_demangled_part,
					  writing) != 0;
}

static void write_demangled(struct strbuf *out, const char *name, size_t length)
{
	struct writing writing = {.out = out, .start = out->length};
	char plain[MANGLED_MAX];

	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') && length < sizeof(plain)) {
		memcpy(plain, name, length);
		plain[length] = '\0';
		if (setjmp(writing.too_long) != 0 || write_meaning(&writing, plain))
			return;
		out->length = writing.start;
	}
	strbuf_add_bytes(out, name, length);
}

void demangle(struct strbuf *out, const char *name)
{
	size_t length = strcspn(name, "@");

	write_demangled(out, name, length);
	if (strcmp(name + length, "@plt") == 0)
		strbuf_add(out, name + length);
}
