/* SPDX-License-Identifier: Apache-2.0
 *
 * The share of blocks that are offloaded, as firmware: hill climbing on the throughput
 * of their instructions (NSU paper, section 7.2, Algorithm 1). It follows the rules of
 * rtl/offload/README.md, so it decides as the block ofld_ratio does. Ratios and steps
 * are in twentieths.
 *
 *    worse than the epoch before:   turn round
 *    many turns in the window:      a smaller step
 *    few:                           a larger step
 *    then:                          move
 *
 * An epoch's end is an interrupt; between epochs the core sleeps.
 */
#include <stdint.h>

#include "ctrl_map.h"

enum { MIE = 1 << 3, MEIE = 1 << 11 };

/* A register of the controller; ctrl_map.h has the addresses. */
static volatile uint32_t *reg(uint32_t address) {
  return (volatile uint32_t *)address;
}

static uint32_t history; /* of the last `window` epochs, the last one in bit 0: 1, the direction was reversed */
static int window, step_min, step_max, move_by;
static int ratio, step, direction = 1;

/* How often the direction was reversed in the window: the bits of history that are set. */
static int reversals(void) {
  int n = 0;
  for (uint32_t h = history; h; h &= h - 1) n++;
  return n;
}

/* Moves the ratio by a step, or turns round at either end of 0 .. CTRL_RATIO_ALL. */
static void move(void) {
  const int to = ratio + direction * (move_by ? 1 : step);
  if (to < 0 || to > CTRL_RATIO_ALL) direction = -direction;
  else ratio = to;
}

/* `now` and `before`: instructions of this epoch and of the one before. */
static void decide(uint32_t now, uint32_t before) {
  const int worse = now < before;
  if (worse) direction = -direction;
  history = (history << 1 | (uint32_t)worse) & ((1u << window) - 1);
  if (2 * reversals() > window && step > step_min) step--;
  else if (step < step_max) step++;
  move();
}

/* The interrupt handler. At the end of the first epoch there is nothing to compare with. The store
 * to CTRL_EPOCH says that the decision is made. */
__attribute__((interrupt("machine"))) void epoch_end(void) {
  if (*reg(CTRL_EPOCH) > 1) decide(*reg(CTRL_COUNT), *reg(CTRL_PREV));
  *reg(CTRL_RATIO) = (uint32_t)ratio;
  *reg(CTRL_EPOCH) = 0;
}

/* Reads the system's parameters from the registers. */
static void set_up(void) {
  window = (int)*reg(CTRL_WINDOW);
  step_min = (int)*reg(CTRL_STEP_MIN), step_max = (int)*reg(CTRL_STEP_MAX);
  move_by = (int)*reg(CTRL_MOVE_BY);
  ratio = (int)*reg(CTRL_INIT), step = (int)*reg(CTRL_STEP_INIT);
}

int main(void) {
  set_up();
  *reg(CTRL_RATIO) = (uint32_t)ratio;
  __asm__ volatile("csrw mtvec, %0" ::"r"(epoch_end));
  __asm__ volatile("csrw mie, %0" ::"r"(MEIE));
  __asm__ volatile("csrs mstatus, %0" ::"r"(MIE));
  for (;;) __asm__ volatile("wfi");
}
