/* SPDX-License-Identifier: Apache-2.0
 *
 * A system's divergence leaves a replay file of the block alone; what the end of it looks like goes
 * into the system's result.
 */
#ifndef REPLAY_WINDOW_H
#define REPLAY_WINDOW_H

#include "json_sure.h"

/* Plays the file that `first` names as `replay` and adds block, failure, window and transactions,
 * as `lockstack.replay/1` has them. Nothing is added when there is none, or when it cannot be
 * played here. */
void replay_window(json_t *first);

#endif
