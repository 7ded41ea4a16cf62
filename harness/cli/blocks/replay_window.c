/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays a system's replay file for its window of cycles.
 */
#include "replay_window.h"

#include "lockstep_verbs.h"
#include "replay.h"

/* Finds the recorded block, and the kind of device that it was recorded on. False: trouble says
 * why. */
static bool find_replayed_block(const char *path, block_t *block, check_t *check, trouble_t *trouble) {
  replay_t replay;
  if (!replay_read(path, &replay, NULL, NULL, trouble)) return false;
  check->seed = replay.seed;
  return (check->kind = block_kind(replay_kind(&replay))) && replay_block(&replay, &check->places, block, trouble);
}

void replay_window(json_t *first) {
  static const char *const keys[] = {"block", "failure", "window", "transactions"};
  const char *path = json_string_value(json_object_get(first, "replay"));
  FILE *nowhere = path && *path ? fopen("/dev/null", "w") : NULL;
  block_t block;
  check_result_t result;
  trouble_t trouble;
  bool same;
  check_t check = {.block = &block, .places = verbs_places(), .out = nowhere};
  if (!nowhere) return;
  if (find_replayed_block(path, &block, &check, &trouble)) {
    json_t *all = json_object();
    check_replay(&check, path, &result, &same);
    if (result.dut) verbs_json(all, &check, &result);
    window_free(&result.window);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if (json_object_get(all, keys[i])) json_object_set(first, keys[i], json_object_get(all, keys[i]));
    json_decref(all);
  }
  fclose(nowhere);
}
