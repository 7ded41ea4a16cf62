/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds_on(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) {
  return seconds_on(CLOCK_MONOTONIC);
}
double clock_own(void) {
  return seconds_on(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_of(const struct timeval *t) {
  return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static double used_by(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return clock_of(&usage.ru_utime) + clock_of(&usage.ru_stime);
}

double clock_children(void) {
  return used_by(RUSAGE_CHILDREN);
}
double clock_cpu(void) {
  return used_by(RUSAGE_SELF) + clock_children();
}

void clock_utc(char text[CLOCK_TEXT]) {
  struct timespec now;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &parts);
  size_t n = strftime(text, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(text + n, CLOCK_TEXT - n, ".%03ldZ", now.tv_nsec / 1000000);
}

void clock_pause(unsigned milliseconds) {
  nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L}, NULL);
}
