#ifndef PERFTOP_CONFIG_SAVE_H
#define PERFTOP_CONFIG_SAVE_H

#include <stdbool.h>

struct app;
struct error;

/*
 * Writes the settings of this run into the configuration file: whole or not at all. A link is
 * followed to a file of the same owner. False: error says why the file is as it was.
 */
bool config_save(struct app *app, struct error *error);

#endif
