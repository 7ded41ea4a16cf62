/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a table of counter_t of a part's list:
 *
 *   #define COUNTERS_OF gpu_stats_t
 *   #include "counter_list.h"
 *   static const counter_t counters[] = {
 *   #include "gpu_counters.def"
 *       {0}};
 *
 * For each list anew: a list takes the macros away.
 */
#include "counters.h"

#define COUNTER_AT(name) (offsetof(COUNTERS_OF, name) / sizeof(uint64_t))
#define COUNTER(name, unit, text) {#name, unit, text, false, COUNTER_AT(name), 1, NULL},
#define WORK(name, unit, text) {#name, unit, text, true, COUNTER_AT(name), 1, NULL},
#define WORK_BY(name, number, label, unit, text) {#name, unit, text, true, COUNTER_AT(name), number, label},
#undef COUNTER_BY
#define COUNTER_BY(name, number, label, unit, text) {#name, unit, text, false, COUNTER_AT(name), number, label},
