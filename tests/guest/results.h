#ifndef PERFTOP_TESTS_GUEST_RESULTS_H
#define PERFTOP_TESTS_GUEST_RESULTS_H

/*
 * Reads what a scenario brought home from the guest, and adds up what perftop's JSON says.
 * The folder is named by the environment variable GUEST_RESULTS.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole file as text, free(); NULL: there is none. */
char *results_text(const char *name);

/* The number that the file begins with; -1: there is none. */
long results_number(const char *name);

/*
 * The intervals of a file with one JSON object per line as an array, which is kept for all tests.
 * Fails the test when the file is missing, empty or not JSON.
 */
json_t *results_intervals(const char *name);

/* obj[a] or obj[a][b] as a whole number or real; fails the test when it is not there. */
int64_t results_integer(const json_t *object, const char *key);
double results_real(const json_t *object, const char *key); /* null: NaN */

/* Sum of counts[event] (or of `key` itself) over tasks called `command` (NULL: all) and all
 * intervals. */
uint64_t results_sum_counts(const json_t *intervals, const char *command, const char *event);
uint64_t results_sum_field(const json_t *intervals, const char *command, const char *key);

/* How many different pids go by this command. */
size_t results_count_pids(const json_t *intervals, const char *command);

/*
 * The first task of that name in an interval (borrowed) and its place among the tasks; NULL: none.
 */
const json_t *results_task(const json_t *interval, const char *command, size_t *place);

/*
 * The function of that name in the first interval of a file (borrowed); fails the test when it is
 * not there.
 */
const json_t *results_function(const char *file, const char *name);

/* The event's entry in "events" (borrowed); fails the test when it is not there. */
const json_t *results_event(const json_t *interval, const char *name);

/*
 * The books: in each interval and for each number that the CPUs count, time included, tasks + idle
 * + unattributed = CPUs, to the last digit. Prints what does not balance; true when all does.
 */
bool results_books_balance(const json_t *intervals);

/* Sum over all intervals and CPUs of the unattributed row's number ("ns" or an event). */
uint64_t results_unattributed(const json_t *intervals, const char *number);

/* measured within tolerance_pct of expected; prints what it is otherwise. */
bool results_near(const char *what, double measured, double expected, double tolerance_pct);

/* The first line of the file in which all of the words occur, free(); NULL: none. */
char *results_line_with(const char *file, const char *const *words);

#endif
