/* SPDX-License-Identifier: Apache-2.0
 *
 * A request to the near-bank memory controller, as it waits in lsu_dramq.
 */
#ifndef LSU_REQUEST_H
#define LSU_REQUEST_H

#include "lsu_msg.h"

typedef struct {
  uint64_t write, addr, tag, wmask; /* addr: byte address; wmask: a bit a byte */
  uint32_t wdata[LSU_XFER_WORDS];
} lsu_request_t;

#endif
