/* SPDX-License-Identifier: Apache-2.0
 *
 * Wall-clock and CPU time in seconds. Times count from an arbitrary moment: only differences have a
 * meaning.
 */
#ifndef CLOCK_H
#define CLOCK_H

enum { CLOCK_TEXT = 40 };

double clock_seconds(void);  /* wall clock, monotonic */
double clock_cpu(void);      /* CPU time of this process and of the children it has waited for */
double clock_own(void);      /* CPU time of this process alone, resolution 1 ns */
double clock_children(void); /* CPU time of the children alone */

struct timeval;
double clock_of(const struct timeval *t); /* converts a timeval of getrusage or wait4 */

/* The current time in ISO 8601, UTC, with milliseconds: 2024-02-29T23:59:59.123Z. */
void clock_utc(char text[CLOCK_TEXT]);
void clock_pause(unsigned milliseconds); /* sleeps; a signal ends the sleep early */

#endif
