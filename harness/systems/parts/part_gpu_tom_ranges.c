/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_ranges: allocations, and which of them candidates access.
 */
#include "part_gpu_families.h"
#include "tom_ranges_ports.h"

outcome_t part_gpu_engines_tom_ranges(const composition_t *c, engines_config_t *engines, char *error, size_t size) {
  (void)c, (void)error, (void)size;
  engines->in_size = sizeof(tom_ranges_in_t);
  engines->out_size = sizeof(tom_ranges_out_t);
  return OUTCOME_PASS;
}
