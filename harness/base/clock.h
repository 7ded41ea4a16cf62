/* SPDX-License-Identifier: Apache-2.0
 *
 * What time it is, and how much of the processors' was used. Seconds since some moment; only their
 * differences say anything.
 */
#ifndef CLOCK_H
#define CLOCK_H

enum { CLOCK_TEXT = 40 };

double clock_seconds(void);  /* of the wall clock: never goes back */
double clock_cpu(void);      /* used by this process and by its children that were waited for */
double clock_own(void);      /* by this process alone, to the nanosecond */
double clock_children(void); /* by the children alone */

struct timeval;
double clock_of(const struct timeval *t); /* of getrusage and wait4 */

void clock_utc(char text[CLOCK_TEXT]);   /* now, ISO 8601, UTC, milliseconds: 2024-02-29T23:59:59.123Z */
void clock_pause(unsigned milliseconds); /* or until a signal */

#endif
