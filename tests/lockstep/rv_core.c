/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of rv_core: programs that are made while they run, each instruction when the core
 * fetches it. The registers' values at that time make most jumps go to multiples of four, and most
 * accesses to multiples of their size. Data are random.
 *
 * Profile `firmware` runs the firmware of the ratio instead, with its own memory, any parameters of
 * the search, and epochs of any sums.
 */
#include "rv_core.h"

#include "ctrl_bus.h"
#include "rv_stim.h"

enum { MIX, COMPUTE, MEMORY, CONTROL, FAULTS, SLEEP, WAITS, NOISE, FIRMWARE };

/* mix reaches every instruction; compute and memory keep what they compute with alive for longer.
 *  control, sleep: sequences of control registers that random programs seldom make.
 *  faults, noise: traps of every cause.
 *  waits: each bus delays each phase.
 *  firmware: the real program. */
static const stim_profile_t profiles[] = {
    [MIX] = {"mix", "every instruction alike; interrupts now and then"},
    [COMPUTE] = {"compute", "arithmetic, products and quotients, branches on what comes of it"},
    [MEMORY] = {"memory", "loads and stores, buses that make it wait"},
    [CONTROL] = {"control", "control registers, traps and returns, interrupts at any time"},
    [FAULTS] = {"faults", "instructions that do not exist, odd addresses, errors on both buses"},
    [SLEEP] = {"sleep", "WFI between few others, with interrupts enabled and not"},
    [WAITS] = {"waits", "buses that answer seldom"},
    [NOISE] = {"noise", "any bits as instructions, any control registers"},
    [FIRMWARE] =
        {"firmware",
         "the program that decides on the offload ratio, epochs that end while it sleeps or decides, slow buses"},
};

/* Chances of 8: a bus takes a request; it answers; an access or jump may be misaligned. Chances of
 * 64: a bus error comes; the irq changes. */
typedef struct {
  unsigned ready, answer, error64, odd, irq64;
} rates_t;

static const rates_t rates[] = {
    [MIX] = {6, 6, 1, 1, 4},      [COMPUTE] = {8, 8, 0, 0, 0}, [MEMORY] = {4, 4, 1, 1, 1},
    [CONTROL] = {8, 8, 0, 1, 16}, [FAULTS] = {7, 7, 8, 4, 2},  [SLEEP] = {8, 8, 0, 0, 6},
    [WAITS] = {1, 1, 2, 1, 3},    [NOISE] = {7, 7, 2, 4, 8},   [FIRMWARE] = {7, 7, 0, 0, 0},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  rv_core_t shadow, before; /* the state now, and before the last inputs */
  unsigned irq;
  ctrl_bus_t bus; /* memory and registers of the firmware */
} state_t;

static const uint32_t image[] = {
#include "../../firmware/controller/ratio_image.def"
};

static void power_up_bus(state_t *s) {
  rng_t *rng = &s->rng;
  const uint32_t least = (uint32_t)rng_range(rng, 1, 20), most = (uint32_t)rng_range(rng, least, 20);
  const ctrl_settings_t settings = {.init = (uint32_t)rng_below(rng, 21),
                                    .step_init = (uint32_t)rng_range(rng, least, most),
                                    .step_min = least,
                                    .step_max = most,
                                    .window = (uint32_t)rng_range(rng, 1, 16),
                                    .move_by = (uint32_t)rng_bits(rng, 1)};
  ctrl_bus_reset(&s->bus, image, sizeof image / sizeof *image, &settings);
}

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  rv_core_reset(&s->shadow);
  power_up_bus(s);
}

static rv_kind_t one_of(rng_t *rng, const rv_kind_t *kinds, unsigned n) {
  return kinds[rng_below(rng, n)];
}
/* clang-format off */
#define ONE_OF(rng, ...) one_of(rng, (const rv_kind_t[]){__VA_ARGS__}, /* each kind equally likely; the macro
  goes on behind this comment */ sizeof(const rv_kind_t[]){__VA_ARGS__} / sizeof(rv_kind_t))
/* clang-format on */

static rv_kind_t kind_of(state_t *s) {
  rng_t *rng = &s->rng;
  switch (s->profile) {
  case COMPUTE: return ONE_OF(rng, RV_OP, RV_OP, RV_OP_IMM, RV_OP_IMM, RV_LUI, RV_MULDIV, RV_BRANCH, RV_LOAD);
  case MEMORY: return ONE_OF(rng, RV_LOAD, RV_LOAD, RV_STORE, RV_STORE, RV_OP_IMM, RV_LUI, RV_BRANCH, RV_JALR);
  case CONTROL: return ONE_OF(rng, RV_CSR, RV_CSR, RV_CSR, RV_MRET, RV_ECALL, RV_EBREAK, RV_OP_IMM, RV_LUI, RV_JALR);
  case SLEEP: return ONE_OF(rng, RV_CSR, RV_CSR, RV_WFI, RV_WFI, RV_MRET, RV_OP_IMM, RV_LUI);
  default: return (rv_kind_t)rng_below(rng, RV_WFI + 1);
  }
}

/* An immediate near `imm` whose sum with `value` is a multiple of `size`. */
static uint32_t evened(uint32_t imm, uint32_t value, uint32_t size) {
  return imm - (value + imm) % size;
}

/* A control register; often one of the many that read as 0. */
static unsigned csr(rng_t *rng) {
  static const struct {
    unsigned first, last;
  } zero[] = {
#define RV_CSR_ZERO(name, first, last) {first, last},
#include "rv_isa.def"
  };
  const unsigned range = (unsigned)rng_below(rng, 4 * sizeof zero / sizeof *zero);
  if (range < sizeof zero / sizeof *zero) return (unsigned)rng_range(rng, zero[range].first, zero[range].last);
  return rv_stim_csr(rng);
}

/* An instruction of a control register, in the encoding of the RISC-V manual. */
static uint32_t csr_instruction(unsigned funct3, unsigned address, unsigned rs1) {
  return address << 20 | rs1 << 15 | funct3 << 12 | 0x73;
}

enum { CSRRW = 1, CSRRS, CSRRSI = 6, CSRRCI };

/* Sets what decides if a sleep ends, and how: mie from a register that has its bit, or
 * mstatus.MIE. 0: no such instruction now. */
static uint32_t about_sleep(state_t *s) {
  rng_t *rng = &s->rng;
  const unsigned rs1 = (unsigned)rng_bits(rng, 5);
  if (!s->shadow.csr.mie) return s->shadow.x[rs1] & RV_MEI ? csr_instruction(CSRRS, RV_CSR_MIE, rs1) : 0;
  return rng_chance(rng, 1, 8) ? csr_instruction(rng_bits(rng, 1) ? CSRRSI : CSRRCI, RV_CSR_MSTATUS, RV_MSTATUS_MIE)
                               : 0;
}

static uint32_t instruction(state_t *s) {
  rng_t *rng = &s->rng;
  const uint32_t first = s->profile == SLEEP ? about_sleep(s) : 0;
  if (first) return first;
  if (s->profile == CONTROL && rng_chance(rng, 1, 16))
    return csr_instruction(CSRRW, RV_CSR_MCYCLE, (unsigned)rng_bits(rng, 5));
  if (s->profile == NOISE && rng_bits(rng, 1)) return (uint32_t)rng_bits(rng, 32) | 3;
  if (s->profile == FAULTS && rng_chance(rng, 1, 8)) return (uint32_t)rng_bits(rng, 32);
  const rv_op_t *op = rv_stim_op(rng, kind_of(s));
  /* A core that sleeps without an enabled interrupt sleeps until the reset, so this is rare. */
  while (op->kind == RV_WFI && !s->shadow.csr.mie && !rng_chance(rng, 1, 64)) op = rv_stim_op(rng, kind_of(s));
  const unsigned rs1 = rv_stim_reg(rng);
  uint32_t imm = (uint32_t)rv_stim_number(rng, 32);
  const uint32_t size = op->kind == RV_LOAD || op->kind == RV_STORE ? 1u << (op->sub & 3) : 4;
  const bool reg = op->kind == RV_LOAD || op->kind == RV_STORE || op->kind == RV_JALR,
             jump = op->kind == RV_JAL || op->kind == RV_BRANCH;
  if ((reg || jump) && !rng_chance(rng, rates[s->profile].odd, 8)) imm = evened(imm, reg ? s->shadow.x[rs1] : 0, size);
  return rv_make(op, rv_stim_reg(rng), rs1, rv_stim_reg(rng), imm, csr(rng));
}

/* Inputs of all profiles but firmware. */
static void anything(state_t *s, rv_core_in_t *in) {
  rng_t *rng = &s->rng;
  const rates_t *r = &rates[s->profile];
  if (rng_chance(rng, r->irq64, 64)) s->irq = !s->irq;
  in->irq = s->irq;
  in->im_req_ready = rng_chance(rng, r->ready, 8);
  in->dm_req_ready = rng_chance(rng, r->ready, 8);
  in->im_rsp_valid = rng_chance(rng, r->answer, 8);
  in->dm_rsp_valid = rng_chance(rng, r->answer, 8);
  in->im_rsp_err = rng_chance(rng, r->error64, 64);
  in->dm_rsp_err = rng_chance(rng, r->error64, 64);
  in->im_rsp_data = s->shadow.phase == RV_CORE_WAITS ? instruction(s) : rng_bits(rng, 32);
  in->dm_rsp_data = rng_bits(rng, 1) ? rv_stim_number(rng, 32) : rng_bits(rng, 32);
}

/* Inputs from the firmware's memory, delayed at random. */
static void firmware(state_t *s, rv_core_in_t *in) {
  rng_t *rng = &s->rng;
  const rates_t *r = &rates[FIRMWARE];
  rv_core_out_t out;
  if (rng_chance(rng, 1, 600)) ctrl_bus_epoch_end(&s->bus, (uint32_t)rv_stim_number(rng, 32));
  ctrl_bus_in(&s->bus, in);
  in->im_req_ready = in->im_req_ready && rng_chance(rng, r->ready, 8);
  in->dm_req_ready = in->dm_req_ready && rng_chance(rng, r->ready, 8);
  in->im_rsp_valid = in->im_rsp_valid && rng_chance(rng, r->answer, 8);
  in->dm_rsp_valid = in->dm_rsp_valid && rng_chance(rng, r->answer, 8);
  rv_core_eval(&s->shadow, in, &out);
  ctrl_bus_step(&s->bus, in, &out);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  rv_core_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->profile == FIRMWARE) firmware(s, in);
  else anything(s, in);
  s->before = s->shadow;
  rv_core_step(&s->shadow, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, 6000)) return false;
  s->shadow = s->before;
  rv_core_reset(&s->shadow);
  s->irq = 0;
  power_up_bus(s);
  return true;
}

RV_STIM_DEFINE(rv_core, .reset = reset)
