/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_FIFO_H
#define CMD_FIFO_H

#include <stdbool.h>

#include "cmd_fifo_ports.h"

typedef struct cmd_fifo {
  cmd_fifo_cmd_t kept[64]; /* the oldest first */
  unsigned count;
} cmd_fifo_t;

void cmd_fifo_reset(cmd_fifo_t *state);
void cmd_fifo_eval(const cmd_fifo_t *state, const cmd_fifo_in_t *in, cmd_fifo_out_t *out);
void cmd_fifo_step(cmd_fifo_t *state, const cmd_fifo_in_t *in);

#endif
