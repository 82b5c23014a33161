#ifndef PERFTOP_COMMANDS_H
#define PERFTOP_COMMANDS_H

/* The commands there are, from which the help is made too. */

#include "mode/command.h"

extern const struct command_table command_table;

#endif
