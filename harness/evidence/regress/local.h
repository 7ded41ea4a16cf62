/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a regression's jobs on this machine, `slots` at a time.
 */
#ifndef LOCAL_H
#define LOCAL_H

#include "regress.h"

int local_run(regress_t *regress); /* 0: all done, or interrupted (then some are not); else an exit code */

#endif
