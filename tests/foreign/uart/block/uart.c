/* SPDX-License-Identifier: Apache-2.0 */
#include "uart.h"

enum { BITS = 10 }; /* start, data, stop */

void uart_reset(uart_t *u) {
  *u = (uart_t){.line = 3};
}

void uart_eval(const uart_t *u, const uart_in_t *in, uart_out_t *out) {
  (void)in;
  out->tx_busy = u->tx_left != 0;
  out->txd = u->tx_left ? u->tx_frame >> (BITS - 1 - (u->tx_left - 1) / CLKS_PER_BIT) & 1 : 1;
  out->rx_valid = u->rx_valid;
  out->rx_data = u->rx_bits & 0xff;
  out->rx_frame_error = u->rx_frame_error;
}

static void send(uart_t *u, const uart_in_t *in) {
  if (u->tx_left) {
    u->tx_left--;
  } else if (in->tx_start) {
    u->tx_frame = in->tx_data << 1 | 1 << (BITS - 1);
    u->tx_left = BITS * CLKS_PER_BIT;
  }
}

/* Bit n of a frame has come: 1 to 8 are data, 9 is the last. */
static void take_bit(uart_t *u, unsigned n, bool bit) {
  if (n < BITS - 1) {
    u->rx_bits |= (uint64_t)bit << (n - 1);
    u->rx_age++;
    return;
  }
  u->rx_valid = bit;
  u->rx_frame_error = u->bad = !bit;
  u->rx_age = 0;
}

static void receive(uart_t *u) {
  const uint64_t half = CLKS_PER_BIT / 2;
  const bool line = u->line >> 1 & 1;
  u->rx_valid = u->rx_frame_error = false;
  if (!u->rx_age) {
    if (line) u->bad = false;
    if (line || u->bad) return;
    u->rx_bits = 0;
    u->rx_age = 1;
  } else if (u->rx_age == half && line) {
    u->rx_age = 0;
  } else if (u->rx_age > half && (u->rx_age - half) % CLKS_PER_BIT == 0) {
    take_bit(u, (unsigned)((u->rx_age - half) / CLKS_PER_BIT), line);
  } else {
    u->rx_age++;
  }
}

void uart_step(uart_t *u, const uart_in_t *in) {
  send(u, in);
  receive(u);
  u->line = (u->line << 1 | in->rxd) & 3;
}
