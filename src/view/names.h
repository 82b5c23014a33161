#ifndef PERFTOP_VIEW_NAMES_H
#define PERFTOP_VIEW_NAMES_H

/* Names of users, containers and functions. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/listing.h"

/* Names of users, looked up once each (a lookup may ask a server). */

struct users; /* opaque */

struct users *users_create(void);
void users_destroy(struct users *users);

/*
 * From now on names come from elsewhere: users of a recording are those of its machine. It returns
 * NULL for an unknown name: then the number is shown.
 */
typedef const char *users_asker(void *context, int64_t uid);
void users_ask(struct users *users, users_asker *ask, void *context);

/* The user's login name, or the number as text; "" for -1. Harmless text; valid as long as users.
 */
const char *users_name(struct users *users, int64_t uid);

/* uid of a login name or of a number; -1: no such user. */
int64_t users_find(const char *name);

/* Names of the containers that cgroups belong to, found once each. */

struct containers; /* opaque */

struct containers *containers_create(void);
void containers_destroy(struct containers *containers); /* NULL is allowed */

/* Called before rows are made: if there are very many names, all are forgotten. */
void containers_tidy(struct containers *containers);

/* "" none, or not known (cgroup may be NULL). Raw bytes, good until the next tidying. */
const char *containers_name(struct containers *containers, const char *cgroup);

/* Names of functions, by the numbers that they have in profiles (model/profile.h), and of lines. */

/* What is known of a function by now. Texts are good until the next question. */
struct function_name {
	uint32_t same_as; /* the number of the function that it has turned out to be; 0: it is
			     not known at all */
	uint64_t at;      /* where in that function, if the number was that of an address; 0: not
			     known (struct record_sample) */
	uint64_t start;   /* of the function, in the same numbers; 0: not known */
	const char *function; /* its name, or the address; raw bytes */
	const char *object;   /* the file it is in, without folders; "" not known */
	const char *reason;   /* why it is not known; NULL: it is, or may be soon */
	const char *mark;     /* to be shown behind the name: the same, or " (inlined)"; NULL */
	/* Of a line of source; the function is the one that was inlined there, if one was. */
	const char *source;  /* "file.c:12"; the address while it is pending; NULL: no line */
	const char *file;    /* the same with its folders; NULL: not known */
	uint32_t line;       /* from 1; 0: not known */
	uint32_t inlined_in; /* number of the line; 0: it was not */
	uint32_t inlined;    /* number of that function, wherever it was inlined; 0: none */
	uint32_t whole;      /* number of the function that has the code */
	bool is_inlined;     /* it is a function that was inlined, which has no code of its own */
	bool is_user;        /* its code is that of a program or library, or made at run time */
	const char *interprets; /* it is that of an interpreter: of what, and how its map of names
				   is switched on; NULL: it is not */
	bool is_no_code; /* nothing is mapped at its address: as a caller, of code without frame
			    pointers, it is where the stack could not be followed */
};

/* Of a function with this number (model/profile.h), in an interval that ended then. */
typedef struct function_name function_namer(void *context, uint32_t number, uint64_t time_ns);

/* The number of the line at `at` in a function; that of the function if the line is unknown. */
typedef uint32_t function_liner(void *context, uint32_t number, uint64_t at, uint64_t time_ns);

/* Whether code made by the process has no names, since that writes no map of them. */
typedef bool function_map_asker(void *context, int32_t pid);

/* The file that a function is in, or what else it is in. */
struct function_object {
	const char *path;     /* with its folders; "[kernel]"; "" not known */
	const char *build_id; /* in hexadecimal digits; "" not known */
};
typedef struct function_object function_placer(void *context, uint32_t number, uint64_t time_ns);

/* What is at an address of data of a process, as it is now. Good until the next question. */
struct variable_name {
	const char *name;   /* raw bytes; "": it is in no variable that is known, or not yet */
	const char *object; /* the file it is in, or "[heap]" and the like; "": not known */
	uint64_t offset;    /* in the variable */
};
typedef struct variable_name function_variable_namer(void *context, int32_t pid, uint64_t address);

struct function_names {
	function_namer *find;              /* NULL: nothing is known but numbers */
	function_liner *line;              /* NULL: no lines are known */
	function_lister *list;             /* NULL: no code can be read */
	function_map_asker *lacks_map;     /* NULL: that is not known */
	function_placer *object;           /* NULL: no files are known */
	function_variable_namer *variable; /* NULL: no variables are known */
	void *context;
};

/* Of the function with this number: in an interval that ended then. */
struct function_name function_names_find(const struct function_names *names, uint32_t number,
					 uint64_t time_ns);

/* As function_liner. */
uint32_t function_names_line(const struct function_names *names, uint32_t number, uint64_t at,
			     uint64_t time_ns);

enum {
	FUNCTION_FRAMES_MAX = 17 /* one and those that were inlined into it and each other */
};

/*
 * The functions that are executed at `at`: the innermost inlined one first, the one that has the
 * code last. Returns how many; 1: nothing is inlined there, or it is not known yet.
 */
size_t function_names_frames(const struct function_names *names, uint32_t number, uint64_t at,
			     uint64_t time_ns, uint32_t frames[static FUNCTION_FRAMES_MAX]);

/* Good until the next question. */
struct function_object function_names_object(const struct function_names *names, uint32_t number,
					     uint64_t time_ns);

/* As function_variable_namer; names may be NULL. */
struct variable_name function_names_variable(const struct function_names *names, int32_t pid,
					     uint64_t address);

/* Its code, as function_lister; never NULL. */
const struct listing *function_names_list(const struct function_names *names, uint32_t number,
					  uint64_t time_ns);

#endif
