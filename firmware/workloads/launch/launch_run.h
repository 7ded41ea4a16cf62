/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch file as a workload: launch_file.c gives it name and module.
 */
#ifndef LAUNCH_RUN_H
#define LAUNCH_RUN_H

#include "workload.h"

extern const workload_t launch_run_workload;

#endif
