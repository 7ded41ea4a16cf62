/* SPDX-License-Identifier: Apache-2.0
 *
 * The share of blocks that are offloaded, as firmware: hill climbing on the throughput of their instructions (NSU paper, section 7.2, Algorithm 1),
 * by the rules of rtl/offload/README.md, so that it decides as the block ofld_ratio does. Numbers are twentieths.
 *
 * An epoch's end is an interrupt; between them the core sleeps.
 */
#include <stdint.h>

#include "ctrl_map.h"

/* Those of ofld_ratio, with its defaults. */
#ifndef INIT
#define INIT 2
#define STEP_INIT 3
#define STEP_MIN 1
#define STEP_MAX 3
#define WINDOW 4
#define MOVE_BY 0
#endif

enum { MIE = 1 << 3, MEIE = 1 << 11 };

static volatile uint32_t *reg(uint32_t address) {
  return (volatile uint32_t *)address;
}

static uint32_t history; /* of the last WINDOW epochs, the last one in bit 0: 1, the direction was reversed */
static int ratio = INIT, step = STEP_INIT, direction = 1;

static int reversals(void) {
  int n = 0;
  for (uint32_t h = history; h; h &= h - 1) n++;
  return n;
}

static void move(void) {
  const int to = ratio + direction * (MOVE_BY ? 1 : step);
  if (to < 0 || to > CTRL_RATIO_ALL) direction = -direction;
  else ratio = to;
}

static void decide(uint32_t now, uint32_t before) {
  const int worse = now < before;
  if (worse) direction = -direction;
  history = (history << 1 | (uint32_t)worse) & ((1u << WINDOW) - 1);
  if (2 * reversals() > WINDOW && step > STEP_MIN) step--;
  else if (step < STEP_MAX) step++;
  move();
}

/* At the end of the first epoch there is nothing to compare with. */
__attribute__((interrupt("machine"))) void epoch_end(void) {
  if (*reg(CTRL_EPOCH) > 1) decide(*reg(CTRL_COUNT), *reg(CTRL_PREV));
  *reg(CTRL_RATIO) = (uint32_t)ratio;
  *reg(CTRL_EPOCH) = 0;
}

int main(void) {
  *reg(CTRL_RATIO) = (uint32_t)ratio;
  __asm__ volatile("csrw mtvec, %0" ::"r"(epoch_end));
  __asm__ volatile("csrw mie, %0" ::"r"(MEIE));
  __asm__ volatile("csrs mstatus, %0" ::"r"(MIE));
  for (;;) __asm__ volatile("wfi");
}
