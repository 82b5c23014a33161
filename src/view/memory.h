#ifndef PERFTOP_VIEW_MEMORY_H
#define PERFTOP_VIEW_MEMORY_H

/*
 * Accesses to memory that were sampled (perf mem record, perf c2c record): by cache line, each with
 * what accesses it, by address, function, object or task. Addresses are virtual: those of different
 * processes are different ones, and those of the kernel are the same for all.
 */

/* The words of the setting `accesses`. */
enum memory_form {
	MEMORY_LINES,
	MEMORY_ADDRESSES,
	MEMORY_FUNCTIONS,
	MEMORY_OBJECTS,
	MEMORY_TASKS,
	MEMORY_FORMS
};

#endif
