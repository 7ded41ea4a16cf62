/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UART_MODEL_H
#define UART_MODEL_H

#include <stdbool.h>

#include "uart_ports.h"

typedef struct uart {
  uint64_t tx_left, tx_frame; /* cycles that the frame still takes; its ten bits, the first one lowest */
  uint64_t line;              /* the last two values of rxd, the older one bit 1 */
  uint64_t rx_age, rx_bits;   /* cycles since the frame began, 0: there is none; its bits so far */
  bool bad;                   /* the line has not been 1 since a bad frame */
  bool rx_valid, rx_frame_error;
} uart_t;

void uart_reset(uart_t *uart);
void uart_eval(const uart_t *uart, const uart_in_t *in, uart_out_t *out);
void uart_step(uart_t *uart, const uart_in_t *in);

#endif
