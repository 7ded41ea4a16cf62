/* SPDX-License-Identifier: Apache-2.0
 *
 * What kind of failure the text of a device's failure() is, by the prefixes of dut.h. No words of
 * the text count: they may be the RTL's own.
 */
#ifndef DUT_FAILURE_H
#define DUT_FAILURE_H

/* The device stays usable behind an assertion, and behind nothing else. */
typedef enum {
  DUT_FAILS_ASSERTION,
  DUT_FAILS_ENDED, /* an assertion, too, for who looks at the outcome */
  DUT_FAILS_ENVIRONMENT,
  DUT_FAILS_INPUT,
  DUT_FAILS_INTERRUPTED
} dut_failure_t;

/* *text is then behind the prefix. */
dut_failure_t dut_failure(const char **text);

#endif
