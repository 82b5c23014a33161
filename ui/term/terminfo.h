#ifndef PERFTOP_TERM_TERMINFO_H
#define PERFTOP_TERM_TERMINFO_H

/*
 * Descriptions of terminals that the program brings along, for systems without terminfo.
 */

/* As the environment's TERMINFO may have it; NULL if there is none of this type. */
const char *terminfo_description(const char *type);

#endif
