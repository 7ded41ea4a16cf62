/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_rx -- golden model of the receiver of the TSV bus; contract: rtl/lsu/lsu_rx.ports.
 */
#ifndef LSU_RX_H
#define LSU_RX_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_rx_ports.h"

/* Memory: data are beats 2..5; register write: beats 2..17. Shared memory: ctl is beat 1. */
typedef struct {
  uint64_t hdr, ctl;
  uint32_t data[LSU_XFER_WORDS];
} lsu_rx_message_t;

typedef struct {
  uint64_t hdr, mask;
  uint32_t data[LSU_LANES];
} lsu_rx_write_t;

typedef struct {
  uint64_t beat[LSU_MAX_BEATS];          /* of the message that is coming */
  unsigned have;                         /* how many of them have come; 0: a header is next */
  unsigned count[LSU_CLASSES];           /* messages in the FIFOs, the oldest first */
  lsu_rx_message_t mem[MemDepth], smem[SmemDepth];
  lsu_rx_write_t write[WriteDepth];
  uint64_t move[MoveDepth];
  unsigned credit, err;
} lsu_rx_t;

void lsu_rx_reset(lsu_rx_t *s);
void lsu_rx_eval(const lsu_rx_t *s, const lsu_rx_in_t *in, lsu_rx_out_t *out);
void lsu_rx_step(lsu_rx_t *s, const lsu_rx_in_t *in);

#endif
