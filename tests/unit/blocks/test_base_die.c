/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore's part of the base die as it is wired: offload engine, track table, move engine and
 * load/store unit. The test plays their neighbours:
 *
 *   random        +----------------+ look-ups  +-------------+
 *   instruction ->| offload_engine |<--------->| track_table |
 *                 +----------------+           +-------------+
 *                  | dispatch   | moves              ^ done
 *                  v            v                    |
 *              far or near   +-------------+---------+
 *              ALU (here),   | move_engine |<--> far and near register file (here)
 *              or lsu <------+-------------+
 *               ^    rows for stores
 *               v
 *              bus and near-bank unit with 1024 bytes (here)
 *
 * Instructions run one after the other. Two rules hold: an operand has its value at the place where
 * the engine says it is, and memory and registers end with the values that the program means.
 */
#include "unit_test.h"

#include <string.h>

#include "bits.h"
#include "lsu.h"
#include "lsu_access.h"
#include "move_engine.h"
#include "offload_engine.h"
#include "track_table.h"

enum { ROWS = 24, WIDE_FROM = 12, WARP = 3, NBU = 1, BYTES = 1024 }; /* rows from WIDE_FROM on are pairs */
enum { ALU, GLOBAL };
typedef uint32_t row_t[32];

static offload_engine_t engine;
static track_table_t table;
static move_engine_t mover;
static lsu_t lsu;

static row_t far[ROWS], near[ROWS], meant[ROWS];
static uint8_t memory[BYTES];
static uint64_t seed;
static unsigned moves, offloads, splits;

static uint64_t random_below(uint64_t n) {
  return test_random(&seed) % n;
}

/* The instruction that is run. */
typedef struct {
  unsigned kind, size, src_valid, src[3], guard_valid, guard, dst_valid, dst, hint;
  bool store, sign, wide, dispatched, ended;
  uint32_t mask;
  uint64_t addr[32];
} instr_t;
static instr_t now;

/* What the bus and the unit owe: a CPL or an MVR for the
 * move engine, a CPL for the LSU, answers by number. */
static struct {
  bool cpl, mvr, commit, answer[Reqs], write[Reqs];
  unsigned row;
  uint64_t where[Reqs];
} owed;

/* A row at random; a wide register is a pair and starts at an even distance from WIDE_FROM. */
static unsigned any_row(bool wide) {
  return wide ? WIDE_FROM + 2 * (unsigned)random_below((ROWS - WIDE_FROM) / 2) : (unsigned)random_below(WIDE_FROM);
}

static bool is_wide(unsigned row) {
  return row >= WIDE_FROM;
}

/* Addresses of 32 threads in the unit's memory: half of the time adjacent ones, which the LSU
 * may offload, otherwise random ones, which it splits into transfers. */
static void new_addresses(void) {
  uint64_t start = random_below(BYTES - (32 << now.size)) >> now.size << now.size;
  bool line = random_below(2);
  for (unsigned i = 0; i < 32; i++) {
    uint64_t at = line ? start + ((uint64_t)i << now.size) : random_below(BYTES) >> now.size << now.size;
    now.addr[i] = NBU << 26 | at;
  }
}

/* An instruction at random: an ALU instruction in two of three cases, otherwise a load or a
 * store. */
static void new_instruction(void) {
  memset(&now, 0, sizeof now);
  now.kind = random_below(3) == 0;
  now.size = now.kind == GLOBAL ? (unsigned)random_below(4) : 2 + (unsigned)random_below(2);
  now.wide = now.size == 3;
  now.store = now.kind == GLOBAL && random_below(2);
  now.sign = random_below(2);
  now.hint = (unsigned)random_below(4);
  now.src_valid = now.kind == GLOBAL ? (now.store ? 3 : 1) : (unsigned)random_below(8);
  for (unsigned i = 0; i < 3; i++) now.src[i] = any_row(random_below(3) == 0);
  if (now.store) now.src[1] = any_row(now.wide);
  now.guard_valid = random_below(3) == 0;
  now.guard = any_row(false);
  now.dst_valid = !now.store && (now.kind == GLOBAL || random_below(8));
  now.dst = any_row(now.wide);
  now.mask = random_below(2) ? UINT32_MAX : (uint32_t)test_random(&seed);
  if (now.kind == GLOBAL) new_addresses();
}

static void drive_engine(offload_engine_in_t *in) {
  in->in_valid = 1;
  in->in_warp = WARP;
  in->in_tag = 9;
  in->in_kind = now.kind;
  in->in_hint = now.hint;
  in->in_src_valid = now.src_valid;
  for (unsigned i = 0; i < 3; i++) {
    in->in_src |= (uint64_t)now.src[i] << 8 * i;
    in->in_wide |= (uint64_t)is_wide(now.src[i]) << i;
  }
  in->in_addr = 0;
  in->in_guard_valid = now.guard_valid;
  in->in_guard = now.guard;
  in->in_dst_valid = now.dst_valid;
  in->in_dst = now.dst;
  in->in_wide |= (uint64_t)is_wide(now.dst) << 4;
  in->in_merge = now.mask != UINT32_MAX;
}

/* The row (both rows of a wide one) has its meant value in the file of that place. */
static void expect_row(unsigned row, bool at_near) {
  for (unsigned r = row; r <= row + is_wide(row); r++)
    assert_memory_equal(at_near ? near[r] : far[r], meant[r], sizeof(row_t));
}

/* At dispatch every operand must be there. */
static void expect_operands(bool runs_near) {
  for (unsigned i = 0; i < 3; i++)
    if (now.src_valid >> i & 1) expect_row(now.src[i], now.kind == GLOBAL ? i != 0 : runs_near);
  if (now.guard_valid) expect_row(now.guard, false);
}

/* An ALU instruction writes any values under its mask, where it runs. */
static void run_alu(bool runs_near) {
  for (unsigned r = now.dst; now.dst_valid && r <= now.dst + is_wide(now.dst); r++)
    for (unsigned i = 0; i < 32; i++)
      if (now.mask >> i & 1) (runs_near ? near : far)[r][i] = meant[r][i] = (uint32_t)test_random(&seed);
  if (now.dst_valid) expect_row(now.dst, runs_near);
  now.ended = true;
}

/* Little-endian bytes of the memory from `at` on. */
static uint32_t memory_word(uint64_t at, unsigned bytes) {
  uint32_t value = 0;
  for (unsigned b = 0; b < bytes; b++) value |= (uint32_t)memory[at % BYTES + b] << 8 * b;
  return value;
}

/* What a load means; a store's meaning is made when its bytes come. */
static void mean_load(void) {
  unsigned bytes = now.size < 2 ? 1u << now.size : 4;
  for (unsigned i = 0; i < 32; i++) {
    if (!(now.mask >> i & 1)) continue;
    meant[now.dst][i] = lsu_extend(memory_word(now.addr[i], bytes), now.size, now.sign);
    if (now.wide) meant[now.dst + 1][i] = memory_word(now.addr[i] + 4, 4);
  }
}

static void drive_lsu(lsu_in_t *in) {
  in->in_valid = 1;
  in->in_store = now.store;
  in->in_warp = WARP;
  in->in_reg = now.store ? now.src[1] : now.dst;
  in->in_tag = 9;
  in->in_size = now.size;
  in->in_sign = now.sign;
  in->in_mask = now.mask;
  for (unsigned i = 0; i < 32; i++) bits_put(in->in_addr, 35 * i, 35, now.addr[i]);
  if (!now.store) mean_load();
}

/* The unit runs an offloaded access at once. */
static void run_offloaded(uint64_t hdr) {
  offloads++;
  assert_int_equal(LSU_GET(hdr, nbu), NBU);
  uint64_t reg = LSU_GET(hdr, reg), size = LSU_GET(hdr, size), at = LSU_GET(hdr, addr);
  for (unsigned i = 0; i < 32; i++, at += UINT64_C(1) << size)
    for (unsigned b = 0; b < 1u << size; b++) {
      if (LSU_GET(hdr, type) == LSU_STO) memory[at % BYTES + b] = (uint8_t)(near[reg + b / 4][i] >> b % 4 * 8);
      else if (b % 4 == 0)
        near[reg + b / 4][i] =
            lsu_extend(memory_word(at + b, size < 2 ? 1u << size : 4), (unsigned)size, LSU_GET(hdr, areg));
    }
}

/* The unit does a transfer as soon as the bus takes it; its answer comes later (drive_answers). */
static void run_transfer(uint64_t hdr, const lsu_out_t *out) {
  unsigned number = (unsigned)LSU_GET(hdr, id);
  assert_false(owed.answer[number]);
  splits++;
  owed.answer[number] = true;
  owed.write[number] = LSU_GET(hdr, type) == LSU_WR;
  owed.where[number] = LSU_GET(hdr, addr);
  for (unsigned b = 0; b < 32; b++)
    if (out->dn_mask >> b & 1) memory[owed.where[number] % BYTES + b] = (uint8_t)bits_get(out->dn_data, 8 * b, 8);
}

/* A message of the LSU: a transfer, an offloaded access, or a row for the near register file.
 * The last row of a load and an offloaded access end the instruction. */
static void take_from_lsu(const lsu_out_t *out) {
  uint64_t hdr = out->dn_hdr, type = LSU_GET(hdr, type);
  if (type == LSU_RD || type == LSU_WR) {
    run_transfer(hdr, out);
    return;
  }
  owed.commit = type != LSU_REGW || !(LSU_GET(hdr, areg) & LSU_FLAG);
  if (type != LSU_REGW) run_offloaded(hdr);
  for (unsigned i = 0; type == LSU_REGW && i < 32; i++)
    if (out->dn_mask >> i & 1) near[LSU_GET(hdr, reg)][i] = out->dn_data[i];
}

/* A message of the move engine: a row to near, which owes a CPL, or a request for one, which
 * owes an MVR. */
static void take_from_mover(const move_engine_out_t *out) {
  owed.row = (unsigned)LSU_GET(out->dn_hdr, reg);
  owed.cpl = LSU_GET(out->dn_hdr, type) == LSU_REGW;
  owed.mvr = !owed.cpl;
  if (owed.cpl) memcpy(near[owed.row], out->dn_data, sizeof(row_t));
}

/* Answers one random transfer of those that are under way, or none. */
static void drive_answers(lsu_in_t *in) {
  unsigned number = (unsigned)random_below(Reqs);
  if (!owed.answer[number] || random_below(2)) return;
  owed.answer[number] = false;
  in->rs_valid = 1;
  in->rs_write = owed.write[number];
  in->rs_id = number;
  memcpy(in->rs_data, &memory[owed.where[number] % BYTES], 32);
}

/* The move engine's neighbours: two files and the bus; what
 * it asked for in an earlier cycle comes some time. */
static void drive_mover(const move_engine_out_t *out, move_engine_in_t *in) {
  static row_t read;
  memcpy(in->frf_data, read, sizeof read);
  memset(read, 0xee, sizeof read);
  in->cp_valid = owed.cpl && random_below(2);
  in->mr_valid = owed.mvr && random_below(2);
  if (in->mr_valid) memcpy(in->mr_data, near[owed.row], sizeof(row_t));
  owed.cpl &= !in->cp_valid;
  owed.mvr &= !in->mr_valid;
  in->frf_gnt = out->frf_req && random_below(2);
  if (in->frf_gnt) memcpy(read, far[out->frf_reg], sizeof read);
  in->fwr_gnt = out->fwr_valid && random_below(2);
  if (in->fwr_gnt) memcpy(far[out->fwr_reg], out->fwr_data, sizeof(row_t));
  in->dn_take = out->dn_valid && random_below(2);
  if (in->dn_take) take_from_mover(out);
}

/* The engine has decided: each operand must be in place; the instruction starts. */
static void dispatch_instruction(const offload_engine_out_t *out, lsu_in_t *lsu_in) {
  now.dispatched = true;
  expect_operands(out->out_near);
  if (now.kind == GLOBAL) drive_lsu(lsu_in);
  else run_alu(out->out_near);
}

/* One cycle of all four blocks. Outputs that depend on inputs of the same cycle make the order:
 * look-ups before the engine, the engine before the move engine, all outputs before any step. */
static void subcore_cycle(bool give) {
  offload_engine_in_t ei = {0};
  offload_engine_out_t eo;
  track_table_in_t ti = {0};
  track_table_out_t to;
  move_engine_in_t mi = {.nbu_id = NBU};
  move_engine_out_t mo;
  lsu_in_t li = {.nbu_id = NBU};
  lsu_out_t lo;
  lsu_eval(&lsu, &li, &lo);
  offload_engine_eval(&engine, &ei, &eo); /* for its look-ups, which are state */
  ti.lk_warp = eo.lk_warp;
  ti.lk_regs = eo.lk_regs;
  track_table_eval(&table, &ti, &to);
  ei.fb = to.fb;
  ei.nb = to.nb;
  if (give) drive_engine(&ei);
  offload_engine_eval(&engine, &ei, &eo);
  ei.out_take = eo.out_valid && lo.in_ready && random_below(2);
  offload_engine_eval(&engine, &ei, &eo);
  mi.mv_req = eo.mv_req, mi.mv_warp = eo.mv_warp, mi.mv_reg = eo.mv_reg, mi.mv_wide = eo.mv_wide,
  mi.mv_near = eo.mv_near;
  mi.need_data = lo.need_data, mi.need_warp = lo.need_warp, mi.need_reg = lo.need_reg;
  move_engine_eval(&mover, &mi, &mo);
  drive_mover(&mo, &mi);
  ei.mv_gnt = mo.gnt & 1;
  moves += mo.gnt & 1;
  ei.mv_done = ti.mv_valid = mo.done;
  ti.mv_warp = mo.done_warp, ti.mv_reg = mo.done_reg, ti.mv_near = mo.done_near;
  ti.wr_valid = eo.wr_valid, ti.wr_warp = eo.wr_warp, ti.wr_reg = eo.wr_reg, ti.wr_near = eo.wr_near;
  li.dt_valid = mo.dt_valid;
  if (mo.dt_valid) memcpy(li.dt_data, mo.dt_data, sizeof(row_t));
  now.ended |= owed.commit || lo.cm_valid;
  owed.commit = false;
  drive_answers(&li);
  li.dn_take = lo.dn_valid && random_below(2);
  if (li.dn_take) take_from_lsu(&lo);
  if (ei.out_take) dispatch_instruction(&eo, &li);
  offload_engine_step(&engine, &ei);
  track_table_step(&table, &ti);
  move_engine_step(&mover, &mi);
  lsu_step(&lsu, &li);
  assert_int_equal(lo.err, 0);
}

/* A store's bytes, threads in ascending order: the last to write one stays. */
static void expect_stored(const uint8_t *before) {
  static uint8_t expected[BYTES];
  memcpy(expected, before, BYTES);
  for (unsigned i = 0; now.store && i < 32; i++)
    for (unsigned b = 0; now.mask >> i & 1 && b < 1u << now.size; b++)
      expected[now.addr[i] % BYTES + b] = (uint8_t)(meant[now.src[1] + b / 4][i] >> b % 4 * 8);
  assert_memory_equal(memory, expected, BYTES);
}

/* One instruction from its dispatch to its end, with memory and destination checked. */
static void run_instruction(void) {
  static uint8_t before[BYTES];
  memcpy(before, memory, BYTES);
  new_instruction();
  subcore_cycle(true);
  for (unsigned n = 0; !now.ended; n++) {
    assert_true(n < 5000);
    subcore_cycle(false);
  }
  expect_stored(before);
  if (now.kind == GLOBAL && now.dst_valid) expect_row(now.dst, true);
}

/* 3000 instructions. The last line makes sure that each way through the blocks was used often. */
static void test_program(void **state) {
  (void)state;
  offload_engine_reset(&engine);
  track_table_reset(&table);
  move_engine_reset(&mover);
  lsu_reset(&lsu);
  seed = 1;
  for (unsigned k = 0; k < BYTES; k++) memory[k] = (uint8_t)random_below(256);
  for (unsigned n = 0; n < 3000; n++) run_instruction();
  assert_true(moves > 1000 && offloads > 100 && splits > 1000); /* it was about something */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_program)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
