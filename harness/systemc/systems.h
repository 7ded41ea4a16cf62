/* SPDX-License-Identifier: Apache-2.0
 *
 * The systems that there are, each in the file of its machine. A new one is a line here and one in systems.c.
 */
#ifndef SYSTEMS_H
#define SYSTEMS_H

#include "system.h"

extern const system_kind_t system_nsu, system_baseline; /* gpu_system.cpp */
extern const system_kind_t system_mpu;                   /* mpu_system.cpp */

#endif
