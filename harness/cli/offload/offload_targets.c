/* SPDX-License-Identifier: Apache-2.0
 *
 * The traffic of a block whose target is its first access's stack, beside the traffic of the best
 * target, by number of accesses (target_traffic.h).
 */
#include "offload_targets.h"

#include "target_traffic.h"

int offload_targets(cli_t *cli, unsigned stacks) {
  json_t *root = cli_json("offload", 1), *rows = json_array();
  double most = 0;
  unsigned at = 1;
  fprintf(cli->out,
          "accesses of a block that cross a link, each to one of %u stacks by chance\n\n  %8s %16s %12s %10s\n", stacks,
          "accesses", "target of first", "best target", "more");
  for (unsigned n = 1; n <= TARGET_ACCESSES; n++) {
    const target_traffic_t t = target_traffic(stacks, n);
    const double more = target_increase_percent(t);
    if (more > most) most = more, at = n;
    if (n <= 10 || n % 8 == 0) fprintf(cli->out, "  %8u %16.3f %12.3f %8.2f %%\n", n, t.first, t.best, more);
    json_array_append_new(rows, json_pack("{s:i, s:f, s:f, s:f}", "accesses", (int)n, "first", t.first, "best", t.best,
                                          "more_percent", more));
  }
  fprintf(cli->out, "\nat most %.2f %% more, with %u accesses\n", most, at);
  json_object_set_new(root, "targets",
                      json_pack("{s:i, s:f, s:i, s:o}", "stacks", (int)stacks, "most_percent", most, "most_at", (int)at,
                                "traffic", rows));
  return cli_finish(cli, root, EXIT_HELD);
}
