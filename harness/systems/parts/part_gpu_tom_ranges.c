/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_ranges: the allocations, and which of them candidates access. It has no parameters here.
 */
#include "part_gpu_families.h"
#include "tom_ranges_ports.h"

bool part_gpu_engines_tom_ranges(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  (void)c, (void)trouble;
  engines->in_size = sizeof(tom_ranges_in_t);
  engines->out_size = sizeof(tom_ranges_out_t);
  return true;
}
