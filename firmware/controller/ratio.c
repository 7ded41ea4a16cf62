/* SPDX-License-Identifier: Apache-2.0
 *
 * The share of blocks that are offloaded, as firmware: hill climbing on the throughput of their
 * instructions (NSU paper, section 7.2, Algorithm 1), by the rules of rtl/offload/README.md, so
 * that it decides as the block ofld_ratio does. Numbers are twentieths.
 *
 * An epoch's end is an interrupt; between them the core sleeps.
 */
#include <stdint.h>

#include "ctrl_map.h"

enum { MIE = 1 << 3, MEIE = 1 << 11 };

static volatile uint32_t *reg(uint32_t address) {
  return (volatile uint32_t *)address;
}

static uint32_t history; /* of the last `window` epochs, the last one in bit 0: 1, the direction was reversed */
static int window, step_min, step_max, move_by;
static int ratio, step, direction = 1;

static int reversals(void) {
  int n = 0;
  for (uint32_t h = history; h; h &= h - 1) n++;
  return n;
}

static void move(void) {
  const int to = ratio + direction * (move_by ? 1 : step);
  if (to < 0 || to > CTRL_RATIO_ALL) direction = -direction;
  else ratio = to;
}

static void decide(uint32_t now, uint32_t before) {
  const int worse = now < before;
  if (worse) direction = -direction;
  history = (history << 1 | (uint32_t)worse) & ((1u << window) - 1);
  if (2 * reversals() > window && step > step_min) step--;
  else if (step < step_max) step++;
  move();
}

/* At the end of the first epoch there is nothing to compare with. */
__attribute__((interrupt("machine"))) void epoch_end(void) {
  if (*reg(CTRL_EPOCH) > 1) decide(*reg(CTRL_COUNT), *reg(CTRL_PREV));
  *reg(CTRL_RATIO) = (uint32_t)ratio;
  *reg(CTRL_EPOCH) = 0;
}

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
