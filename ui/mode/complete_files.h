#ifndef PERFTOP_COMPLETE_FILES_H
#define PERFTOP_COMPLETE_FILES_H

/* Names of files and programs, as a shell completes them. */

struct complete;

/* The files in the folder that the path typed so far names; folders end in '/', names that begin
 * with a dot are offered if it was typed. */
void complete_files(struct complete *complete, const char *path);

/* Of a command line for the shell: programs of PATH for its first word, then files. What would have
 * to be quoted is left out. */
void complete_programs(struct complete *complete, const char *line);

#endif
