#ifndef PERFTOP_SOURCE_CONVERT_H
#define PERFTOP_SOURCE_CONVERT_H

/* Records of the kernel into records of the model, for what means the same wherever it comes from.
 */

#include <stdbool.h>
#include <stddef.h>

struct decoded;
struct record;

/*
 * Fills kind and the fields of the kind; FORK, EXIT and COMM also set pid and tid. The caller has
 * set cpu, pid, tid and time before. A name is copied into `name`, which must live as long as the
 * record. False for what the model does not use, and for samples: their meaning depends on the
 * group.
 */
bool convert_record(const struct decoded *decoded, char *name, size_t name_size,
		    struct record *record);

#endif
