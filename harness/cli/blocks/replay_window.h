/* SPDX-License-Identifier: Apache-2.0
 *
 * A divergence in a system leaves a replay file of the block alone. This adds what the end of that
 * replay looks like to the system's result.
 */
#ifndef REPLAY_WINDOW_H
#define REPLAY_WINDOW_H

#include "json_sure.h"

/* Plays the file that `first` names as `replay`, and adds block, failure, window and transactions
 * to `first`, as `lockstack.replay/1` has them. Adds nothing when there is no file, or when it
 * cannot be played here. The replay itself prints nothing. */
void replay_window(json_t *first);

#endif
