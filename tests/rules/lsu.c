/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/lsu/README.md. Messages are typed as lsu_msg.def has them.
 */
#include <stdbool.h>

#include "rule.h"
#include "unit_test.h"

enum {
#define LSU_DOWN(name, code, cls, beats, text) name = code,
#define LSU_UP(name, code, beats, text) name = code,
#include "lsu_msg.def"
};

enum { UNIT = 1, WARP = 5, REG = 40 };
static const uint32_t ALL = 0xffffffff;

typedef struct {
  unsigned type, size, reg, areg, addr, id;
} header_t;

/* A message's first beat, by rtl/lsu/lsu_msg.def's fields. */
static uint64_t make_header(header_t h) {
  return h.type | UNIT << 4 | h.size << 6 | WARP << 8 | h.reg << 14 | (uint64_t)h.areg << 22 | (uint64_t)h.addr << 30 |
         (uint64_t)h.id << 56;
}

/* What the memory controller was asked, and beats that
 * came up behind a message; of one lsu_ext at a time. */
static struct { unsigned addr, tag, write, mask, data; } asked[32];
static unsigned num_asked, num_heard;
static uint64_t spare;
static bool whole, has_spare;

/* A cycle. The memory controller of a whole lsu_ext notes what it is asked and gives its credit
 * back. */
static void bus_cycle(bed_t *b) {
  if (whole && shown(b, "mc_valid")) {
    assert_true(num_asked < 32);
    asked[num_asked].addr = shown(b, "mc_addr");
    asked[num_asked].tag = shown(b, "mc_tag");
    asked[num_asked].write = shown(b, "mc_write");
    asked[num_asked].mask = shown(b, "mc_wmask");
    asked[num_asked++].data = shown_at(b, "mc_wdata", 32, 2);
    drive_input(b, "mc_credit", 1);
  }
  tick(b);
}

/* Beats on the bus, two a cycle. */
static void send_beats(bed_t *b, const uint64_t *beats, unsigned n) {
  for (unsigned i = 0; i < n; i += 2) {
    drive_input(b, "dn_valid", i + 1 < n ? 3 : 1);
    drive_input_at(b, "dn_beat", 64, 0, beats[i]);
    if (i + 1 < n) drive_input_at(b, "dn_beat", 64, 1, beats[i + 1]);
    bus_cycle(b);
  }
}

/* A message of its header alone. */
static void send_message(bed_t *b, header_t h) {
  send_beats(b, (const uint64_t[]){make_header(h)}, 1);
}

/* A whole lsu_ext, whose memory controller has been asked nothing yet. */
static bed_t *open_unit(void) {
  bed_t *b = bed("lsu_ext", "");
  hold(b, "nbu_id", UNIT);
  whole = true;
  has_spare = false;
  num_asked = num_heard = 0;
  return b;
}

/* The receiver alone, without a memory controller. */
static bed_t *open_receiver(void) {
  bed_t *b = bed("lsu_rx", "");
  whole = false;
  hold(b, "nbu_id", UNIT);
  return b;
}

/* The next request to the memory controller is for this address. Returns its tag. */
static unsigned see_request(bed_t *b, unsigned addr) {
  for (unsigned t = 0; num_heard == num_asked; t++) {
    assert_true(t < 40);
    bus_cycle(b);
  }
  assert_int_equal(asked[num_heard].addr, addr);
  return asked[num_heard++].tag;
}

/* The controller's answer: 32 bytes first, first + 1 ... */
static void answer_read(bed_t *b, unsigned tag, unsigned first) {
  drive_input(b, "mr_valid", 1);
  drive_input(b, "mr_tag", tag);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "mr_data", 8, i, (first + i) % 256);
  bus_cycle(b);
}

/* The next message upwards has this header. Returns its n beats. */
static void see_message(bed_t *b, header_t h, uint64_t *beats, unsigned n) {
  unsigned got = 0;
  if (has_spare) beats[got++] = spare;
  has_spare = false;
  for (unsigned t = 0; got < n; t++) {
    assert_true(t < 100);
    unsigned valid = shown(b, "up_valid");
    if (valid & 1) beats[got++] = shown_at(b, "up_beat", 64, 0);
    if (valid & 2) spare = shown_at(b, "up_beat", 64, 1);
    has_spare = valid & 2 && got == n;
    if (valid & 2 && got < n) beats[got++] = spare;
    drive_input(b, "up_take", valid != 0);
    bus_cycle(b);
  }
  uint64_t wanted = h.type | UNIT << 4 | (h.type == MVR ? (uint64_t)WARP << 8 | (uint64_t)h.reg << 14 : 0) |
                    (uint64_t)h.areg << 22 | (uint64_t)h.id << 56;
  if (beats[0] != wanted) print_error("header %#lx, not %#lx\n", (unsigned long)beats[0], (unsigned long)wanted);
  assert_true(beats[0] == wanted);
}

/* The instruction with this id commits, and nothing else comes up. */
static void see_commit(bed_t *b, unsigned id) {
  uint64_t beat[1];
  see_message(b, (header_t){.type = CPL, .id = id}, beat, 1);
  for (unsigned t = 0; t < 20; t++) { /* once */
    see(b, "up_valid", 0);
    tick(b);
  }
}

/* Nothing comes up. */
static void see_silence(bed_t *b, unsigned cycles) {
  while (cycles--) {
    see(b, "up_valid", 0);
    tick(b);
  }
}

/* --- Words */

RULE(L1,
     "A *message* ([lsu_msg.def](lsu_msg.def)) travels in beats of 64 bits, beat 0 its header; the bus moves up to two "
     "beats a core "
     "cycle (64 bits at 2 GHz, the core at 1 GHz), back to back, so a message may begin at either beat.") {
  bed_t *b = open_receiver(); /* RD, WR, RMV, back to back: WR begins at the second beat of a cycle, RMV too */
  const uint64_t stream[] = {make_header((header_t){.type = RD, .id = 1}),
                             make_header((header_t){.type = WR, .addr = 64, .id = 2}),
                             0xf0f0f0f0,
                             10,
                             11,
                             12,
                             13,
                             make_header((header_t){.type = RMV, .reg = REG, .id = 3})};
  send_beats(b, stream, 8);
  see(b, "m_valid", 1);
  see(b, "m_hdr", stream[0]);
  see(b, "v_valid", 1);
  see(b, "v_hdr", stream[7]);
  drive_input(b, "m_take", 1);
  tick(b);
  see(b, "m_hdr", stream[1]);
  see(b, "m_mask", 0xf0f0f0f0);
  for (unsigned i = 0; i < 4; i++) see_at(b, "m_data", 64, i, 10 + i);
  drive_input(b, "m_take", 1);
  tick(b);
  see(b, "m_valid", 0);
  see(b, "err", 0);
}

RULE(L2, "A *transfer* is a DRAM access of 32 bytes, aligned.") {
  bed_t *b = open_unit();
  send_message(b, (header_t){.type = RD, .addr = 0x12345f});
  see_request(b, 0x123440);
  /* 128 bytes from 12 on: five transfers */
  send_message(b, (header_t){.type = LDO, .size = 2, .addr = 0x2000c, .reg = REG});
  for (unsigned k = 0; k < 5; k++) see_request(b, 0x20000 + 32 * k);
  for (unsigned t = 0; t < 20; t++) {
    see(b, "mc_valid", 0);
    tick(b);
  }
}

RULE(L3, "A *row* is a register of all 32 threads: 1024 bits, thread 0 lowest.") {
  bed_t *b = open_receiver();
  uint64_t beats[18] = {make_header((header_t){.type = REGW, .size = 2, .reg = REG}), 0x80000001};
  for (unsigned i = 0; i < 16; i++) beats[2 + i] = (uint64_t)(101 + 2 * i) << 32 | (100 + 2 * i);
  send_beats(b, beats, 18);
  see(b, "w_valid", 1);
  see(b, "w_mask", 0x80000001);
  for (unsigned i = 0; i < 32; i++) see_at(b, "w_data", 32, i, 100 + i);
}

RULE(L4,
     "*Access byte* j of an offloaded access with b bytes a thread is byte j mod b of thread j / b, at address addr + "
     "j: transfer k "
     "covers access bytes 32 k - off .. 32 k - off + 31, off = addr mod 32, and there are n = (off + 32 b + 31) / 32 "
     "of them "
     "(lsu_restore).") {
  static const struct {
    unsigned addr, size, n, k, xaddr, lanes;
  } rows[] = {
      {0x1000, 0, 1, 0, 0x1000, 0xffffffff}, {0x1005, 0, 2, 0, 0x1000, 0x07ffffff},
      {0x1005, 0, 2, 1, 0x1020, 0xf8000000}, {0x1000, 2, 4, 3, 0x1060, 0xff000000},
      {0x101c, 2, 5, 0, 0x1000, 0x00000001}, {0x101c, 2, 5, 4, 0x1080, 0xfe000000},
      {0x1005, 3, 9, 0, 0x1000, 0x0000000f}, {0x1005, 3, 9, 8, 0x1100, 0x80000000},
      {0x1002, 1, 3, 2, 0x1040, 0x80000000}, {0x1001, 0, 2, 1, 0x1020, 0x80000000},
      {0x1001, 0, 2, 0, 0x1000, 0x7fffffff}, /* the last byte alone */
      {0x1000, 3, 8, 7, 0x10e0, 0xf0000000}, {0x1000, 1, 2, 2, 0, 0},
      {0x3fffff8, 2, 5, 1, 0, 0x000003fc},
  };
  bed_t *b = bed("lsu_restore", "");
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    drive_input(b, "addr", rows[i].addr);
    drive_input(b, "size", rows[i].size);
    drive_input(b, "k", rows[i].k);
    see(b, "n", rows[i].n);
    see(b, "off", rows[i].addr % 32);
    see(b, "xaddr", rows[i].xaddr);
    see(b, "lanes", rows[i].lanes);
    tick(b);
  }
}

/* An offloaded load: bytes 0x7e, 0x7f, 0x80 ... from its first address on. */
static bed_t *see_load(unsigned size, unsigned areg, unsigned reg) {
  bed_t *b = open_unit();
  unsigned tags[8], n = 1u << size;
  send_message(b, (header_t){.type = LDO, .size = size, .reg = reg, .areg = areg, .addr = 0x4000, .id = 77});
  for (unsigned k = 0; k < n; k++) tags[k] = see_request(b, 0x4000 + 32 * k);
  for (unsigned k = 0; k < n; k++) answer_read(b, tags[k], 0x7e + 32 * k);
  await(b, "rf_wr_valid", 1, 30);
  see(b, "rf_wr_warp", WARP);
  see(b, "rf_wr_reg", reg);
  see(b, "rf_wr_mask", ALL);
  return b;
}

/* A load from shared memory of one thread, whose bank gives `word`: what it writes. */
static void shared_load(unsigned size, unsigned sign, uint32_t word, uint32_t reg) {
  bed_t *b = bed("lsu_smem", "");
  hold(b, "s_valid", 1);
  hold(b, "s_hdr", make_header((header_t){.type = LDS, .size = size, .reg = REG, .areg = 9}));
  hold(b, "s_ctl", 1 | (uint64_t)sign << 49);
  see(b, "rf_reg", 9);
  drive_input(b, "rf_gnt", 1);
  tick(b);
  tick(b); /* the row: addresses of 0 */
  await(b, "sm_req", 1, 4);
  drive_input(b, "sm_gnt", 1);
  tick(b);
  drive_input_at(b, "sm_rdata", 32, 0, word);
  tick(b);
  await(b, "rw_valid", 1, 4);
  see(b, "rw_reg", REG);
  see(b, "rw_mask", 1);
  see_at(b, "rw_data", 32, 0, reg);
}

RULE(L5,
     "Loads of one and two bytes are extended to the register: with sign if the message says so (LDO: areg bit 0; LDS: "
     "beat 1 bit 49), "
     "else with zeros.") {
  bed_t *b = see_load(0, 1, REG);
  see_at(b, "rf_wr_data", 32, 1, 0x7f);
  see_at(b, "rf_wr_data", 32, 2, 0xffffff80);
  see_at(b, "rf_wr_data", 32, 31, 0xffffff9d);
  b = see_load(0, 0, REG);
  see_at(b, "rf_wr_data", 32, 2, 0x80);
  b = see_load(1, 1, REG);
  see_at(b, "rf_wr_data", 32, 0, 0x7f7e);     /* bit 7 is 0, and bit 15 */
  see_at(b, "rf_wr_data", 32, 1, 0xffff8180); /* both are 1 */
  b = see_load(1, 0, REG);
  see_at(b, "rf_wr_data", 32, 1, 0x8180);
  shared_load(0, 1, 0x12345680, 0xffffff80);
  shared_load(0, 0, 0x12345680, 0x80);
  shared_load(1, 1, 0x12347f80, 0x7f80); /* bit 15 is the sign, not bit 7 */
  shared_load(1, 1, 0x12348001, 0xffff8001);
  shared_load(1, 0, 0x12348001, 0x8001);
  shared_load(2, 1, 0x92348001, 0x92348001);
}

RULE(L6, "With eight bytes a thread has its low word in reg, its high word in reg + 1 (mod 256).") {
  bed_t *b = see_load(3, 0, 255);
  see_at(b, "rf_wr_data", 32, 0, 0x81807f7e);
  see_at(b, "rf_wr_data", 32, 31, 0x79787776); /* access byte 248 = 0x7e + 248 mod 256 */
  tick(b);
  await(b, "rf_wr_valid", 1, 4);
  see(b, "rf_wr_reg", 0);
  see_at(b, "rf_wr_data", 32, 0, 0x85848382);
  see_at(b, "rf_wr_data", 32, 31, 0x7d7c7b7a);
}

/* An offloaded store whose row is i * 0x01010101 + 0xa0b0c0d0. */
static bed_t *begin_store(unsigned size, unsigned addr) {
  bed_t *b = open_unit();
  send_message(b, (header_t){.type = STO, .size = size, .reg = REG, .addr = addr, .id = 78});
  await(b, "rf_rd_valid", 1, 10);
  see(b, "rf_rd_warp", WARP);
  see(b, "rf_rd_reg", REG);
  tick(b);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "rf_rd_data", 32, i, 0xa0b0c0d0 + i * 0x01010101);
  tick(b);
  return b;
}

RULE(L7, "Stores of one and two bytes take the register's low bits.") {
  bed_t *b = begin_store(0, 0x4000);
  await(b, "mc_valid", 1, 10);
  see(b, "mc_write", 1);
  see(b, "mc_wmask", ALL);
  for (unsigned i = 0; i < 32; i++) see_at(b, "mc_wdata", 8, i, 0xd0 + i);
  b = begin_store(1, 0x4000);
  for (unsigned k = 0; k < 2; k++) {
    await(b, "mc_valid", 1, 10);
    for (unsigned i = 0; i < 16; i++) see_at(b, "mc_wdata", 16, i, 0xc0d0 + (16 * k + i) * 0x0101);
    tick(b);
  }
}

/* A register write of thread 31 and 0. */
static void register_write(bed_t *b, unsigned areg, unsigned id) {
  uint64_t beats[18] = {make_header((header_t){.type = REGW, .size = 2, .reg = REG, .areg = areg, .id = id}),
                        0x80000001};
  for (unsigned i = 0; i < 16; i++) beats[2 + i] = (uint64_t)(201 + 2 * i) << 32 | (200 + 2 * i);
  send_beats(b, beats, 18);
}

RULE(L8, "Flags in areg: LDO bit 0: sign-extend; REGW bit 0: no CPL wanted.") {
  see_at(see_load(0, 1, REG), "rf_wr_data", 32, 2, 0xffffff80);
  see_at(see_load(0, 0xfe, REG), "rf_wr_data", 32, 2, 0x80); /* bit 0 alone */
  bed_t *b = open_unit();
  register_write(b, 1, 6);
  await(b, "rf_wr_valid", 1, 10);
  see_silence(b, 30);
  register_write(b, 0xfe, 7);
  see_commit(b, 7);
}

/* --- What happens to a message */

RULE(L9, "memory | RD, WR, LDO, STO | lsu_issue makes transfers of it, lsu_dramq sends them to the memory controller; "
         "lsu_xact remembers "
         "by tag what each answer is for | as they arrived, so no access overtakes one to the same address before the "
         "controller, which "
         "keeps that order itself") {
  bed_t *b = open_unit();
  uint64_t beats[6] = {make_header((header_t){.type = WR, .addr = 0x700, .id = 12}), 0x0000ff00, 1, 2, 3, 4};
  send_message(b, (header_t){.type = RD, .areg = 3, .addr = 0x700, .id = 11});
  send_beats(b, beats, 6);
  send_message(b, (header_t){.type = RD, .areg = 4, .addr = 0x700, .id = 13});
  unsigned tags[3];
  for (unsigned n = 0; n < 3; n++) { /* in order, to one address */
    tags[n] = see_request(b, 0x700);
    assert_int_equal(asked[n].write, n == 1);
    assert_int_equal(asked[n].mask, n == 1 ? 0x0000ff00 : 0);
    assert_int_equal(asked[n].data, n == 1 ? 2 : 0);
  }
  assert_true(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
  uint64_t heard[5];
  answer_read(b, tags[2], 0);
  see_message(b, (header_t){.type = RDR, .areg = 4, .id = 13}, heard, 5);
  answer_read(b, tags[0], 8);
  see_message(b, (header_t){.type = RDR, .areg = 3, .id = 11}, heard, 5);
}

RULE(L10, "shared memory | LDS, STS | lsu_smem, in passes without bank conflicts | as they arrived") {
  bed_t *b = bed("lsu_smem", "");
  hold(b, "s_valid", 1);
  hold(b, "s_hdr", make_header((header_t){.type = LDS, .size = 2, .reg = REG, .areg = 9, .id = 4}));
  hold(b, "s_ctl", 0xf);
  drive_input(b, "rf_gnt", 1);
  tick(b);
  drive_input_at(b, "rf_data", 32, 0, 0x000); /* bank 0, row 0 */
  drive_input_at(b, "rf_data", 32, 1, 0x080); /* bank 0, row 1: has to wait */
  drive_input_at(b, "rf_data", 32, 2, 0x084); /* bank 1, row 1 */
  drive_input_at(b, "rf_data", 32, 3, 0x000); /* thread 0's word */
  tick(b);
  for (unsigned pass = 0; pass < 2; pass++) {
    await(b, "sm_req", 1, 4);
    see(b, "sm_we", 0);
    see(b, "sm_banks", pass ? 1 : 3);
    see_at(b, "sm_row", 9, 0, pass);
    if (!pass) see_at(b, "sm_row", 9, 1, 1);
    drive_input(b, "sm_gnt", 1);
    tick(b);
    drive_input_at(b, "sm_rdata", 32, 0, 50 + pass);
    drive_input_at(b, "sm_rdata", 32, 1, 60);
    if (!pass) see(b, "sm_req", 1); /* the next pass is asked for in the cycle after */
  }
  tick(b);
  await(b, "rw_valid", 1, 4);
  static const unsigned words[] = {50, 51, 60, 50};
  for (unsigned i = 0; i < 4; i++) see_at(b, "rw_data", 32, i, words[i]);
}

RULE(L11, "register write | REGW | straight to the register file, under its mask | as they arrived") {
  bed_t *b = open_unit();
  register_write(b, 0, 5);
  await(b, "rf_wr_valid", 1, 10);
  see(b, "rf_wr_warp", WARP);
  see(b, "rf_wr_reg", REG);
  see(b, "rf_wr_mask", 0x80000001);
  see_at(b, "rf_wr_data", 32, 0, 200);
  see_at(b, "rf_wr_data", 32, 31, 231);
  tick(b);
  see(b, "rf_wr_valid", 0);
}

RULE(L12,
     "register move | RMV | move_near reads the row and sends it up as MVR (MPU paper, IV-B1: the near half of the "
     "register move "
     "engine) | as they arrived") {
  bed_t *b = open_unit();
  send_message(b, (header_t){.type = RMV, .reg = REG, .id = 91});
  await(b, "rf_rd_valid", 1, 10);
  see(b, "rf_rd_warp", WARP);
  see(b, "rf_rd_reg", REG);
  tick(b);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "rf_rd_data", 32, i, 300 + i);
  tick(b);
  uint64_t heard[17];
  see_message(b, (header_t){.type = MVR, .reg = REG, .id = 91}, heard, 17);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(heard[1 + i / 2] >> 32 * (i % 2) & ALL, 300 + i);
  see_silence(b, 20); /* no CPL */
}

/* A store to shared memory that is never granted, and what comes behind it. */
RULE(L13, "Between classes there is no order: the subcore's scoreboard does not issue an instruction before those it "
          "depends on have "
          "committed.") {
  bed_t *b = open_unit();
  send_beats(b, (const uint64_t[]){make_header((header_t){.type = STS, .size = 2, .reg = REG, .areg = 9, .id = 4}), 1},
             2);
  await(b, "sm_req", 1, 20);
  send_message(b, (header_t){.type = RD, .addr = 0x700, .id = 11});
  see_request(b, 0x700);
  register_write(b, 0, 5);
  await(b, "rf_wr_valid", 1, 10);
  see(b, "sm_req", 1);
}

RULE(L14,
     "Answers of the controller come in any order: RD and WR go up as RDR and WRA (through the read buffer, an entry "
     "per transaction);") {
  bed_t *b = open_unit();
  unsigned tags[3];
  uint64_t heard[5],
      beats[6] = {make_header((header_t){.type = WR, .areg = 1, .addr = 0x40, .id = 21}), ALL, 0, 0, 0, 0};
  send_message(b, (header_t){.type = RD, .addr = 0x20, .id = 20});
  send_beats(b, beats, 6);
  send_message(b, (header_t){.type = RD, .areg = 2, .addr = 0x60, .id = 22});
  for (unsigned n = 0; n < 3; n++) tags[n] = see_request(b, 0x20 + 32 * n);
  answer_read(b, tags[2], 100);
  see_message(b, (header_t){.type = RDR, .areg = 2, .id = 22}, heard, 5);
  assert_true(heard[1] == 0x6b6a696867666564 && heard[4] == 0x838281807f7e7d7c);
  answer_read(b, tags[1], 0);
  see_message(b, (header_t){.type = WRA, .areg = 1, .id = 21}, heard, 1);
  answer_read(b, tags[0], 0);
  see_message(b, (header_t){.type = RDR, .id = 20}, heard, 5);
  assert_true(heard[1] == 0x0706050403020100);
}

RULE(L15, "LDO's are gathered (lsu_gather) and written to the register file when all are there;") {
  static const unsigned order[] = {2, 0, 3, 1};
  bed_t *b = open_unit();
  unsigned tags[4];
  send_message(b, (header_t){.type = LDO, .size = 2, .reg = REG, .addr = 0x4000, .id = 77});
  for (unsigned k = 0; k < 4; k++) tags[k] = see_request(b, 0x4000 + 32 * k);
  for (unsigned k = 0; k < 4; k++) {
    for (unsigned t = 0; t < 20; t++) { /* not before all are there */
      see(b, "rf_wr_valid", 0);
      tick(b);
    }
    answer_read(b, tags[order[k]], 32 * order[k]);
  }
  await(b, "rf_wr_valid", 1, 20);
  see_at(b, "rf_wr_data", 32, 0, 0x03020100);
  see_at(b, "rf_wr_data", 32, 9, 0x27262524);
  see_at(b, "rf_wr_data", 32, 31, 0x7f7e7d7c);
}

RULE(L16, "STO's are counted (lsu_stores).") {
  bed_t *b = begin_store(2, 0x4000);
  unsigned tags[4];
  for (unsigned k = 0; k < 4; k++) tags[k] = see_request(b, 0x4000 + 32 * k);
  for (unsigned k = 0; k < 4; k++) {
    see_silence(b, 20);
    answer_read(b, tags[3 - k], 0);
  }
  see_commit(b, 78);
}

RULE(L17, "An instruction that is done sends CPL with its id (lsu_done).") {
  see_commit(see_load(2, 0, REG), 77);
  bed_t *b = begin_store(0, 0x4000);
  answer_read(b, see_request(b, 0x4000), 0);
  see_commit(b, 78);
  b = open_unit();
  register_write(b, 0, 79);
  see_commit(b, 79);
  for (unsigned type = LDS; type <= STS; type++) {
    b = open_unit();
    send_beats(
        b, (const uint64_t[]){make_header((header_t){.type = type, .size = 2, .reg = REG, .areg = 9, .id = 80}), 1}, 2);
    await(b, "sm_req", 1, 20);
    drive_input(b, "sm_gnt", 1);
    tick(b);
    see_commit(b, 80);
  }
}

RULE(L18, "lsu_rfport shares the register file's one read and one write port, lsu_rx and lsu_tx speak to the bus.") {
  static const uint32_t masks[] = {0xffffffff, 3, 5}; /* of gather, smem and REGW */
  bed_t *b = bed("lsu_rfport", "");
  for (unsigned t = 0; t < 4; t++) { /* one a cycle, in turn */
    drive_input(b, "rd_req", 7);
    for (unsigned i = 0; i < 3; i++) drive_input_at(b, "rd_req_reg", 8, i, 10 + i);
    drive_input(b, "g_valid", 1);
    drive_input(b, "g_reg", 20);
    drive_input(b, "s_valid", 1);
    drive_input(b, "s_reg", 21);
    drive_input(b, "s_mask", 3);
    drive_input(b, "w_valid", 1);
    drive_input(b, "w_hdr", make_header((header_t){.type = REGW, .reg = 22}));
    drive_input(b, "w_mask", 5);
    see(b, "rd_gnt", 1u << t % 3);
    see(b, "rd_reg", 10 + t % 3);
    see(b, "g_gnt", t % 3 == 0);
    see(b, "s_gnt", t % 3 == 1);
    see(b, "w_take", t % 3 == 2);
    see(b, "wr_reg", 20 + t % 3);
    see(b, "wr_mask", masks[t % 3]);
    tick(b);
  }
}

/* Threads 0 and 3 store a byte to address 5, thread 1 to address 4: bank 1 has all of them. */
RULE(L21, "Of threads that store to one byte of shared memory in a message the highest's stays.") {
  static const unsigned address[] = {5, 4, 64, 5};
  bed_t *b = bed("lsu_smem", "");
  hold(b, "s_valid", 1);
  hold(b, "s_hdr", make_header((header_t){.type = STS, .size = 0, .reg = REG, .areg = 9, .id = 4}));
  hold(b, "s_ctl", 0xf);
  for (unsigned row = 0; row < 3; row++) { /* row 0 is the addresses, a cycle after its grant */
    drive_input(b, "rf_gnt", row < 2);
    for (unsigned i = 0; i < 4 && row; i++) drive_input_at(b, "rf_data", 32, i, row == 1 ? address[i] : 0x10 + i);
    tick(b);
  }
  await(b, "sm_req", 1, 4);
  see(b, "sm_we", 1);
  see_at(b, "sm_wmask", 4, 1, 3);
  see_at(b, "sm_wdata", 8, 4, 0x11); /* thread 1's */
  see_at(b, "sm_wdata", 8, 5, 0x13); /* thread 3's, and not thread 0's */
}

RULE(L19, "Nothing waits for the up direction but the up direction itself: everything that can come up has its place "
          "reserved (read buffer, "
          "done FIFO) before it is asked for.") {
  bed_t *b = open_unit(); /* up_take stays 0 */
  for (unsigned n = 0; n < 12; n++) {
    send_message(b, (header_t){.type = RD, .addr = 32 * n, .id = n});
    answer_read(b, see_request(b, 32 * n), n);
  }
  send_message(b, (header_t){.type = LDO, .size = 0, .reg = REG, .addr = 0x4000, .id = 77});
  answer_read(b, see_request(b, 0x4000), 0);
  await(b, "rf_wr_valid", 1, 20);
  register_write(b, 0, 79);
  await(b, "rf_wr_valid", 1, 20);
  see(b, "err", 0);
  for (unsigned n = 0; n < 12; n++) { /* and nothing is lost */
    uint64_t heard[6];
    if (n == 1) see_message(b, (header_t){.type = CPL, .id = 77}, heard, 1);
    if (n == 2) see_message(b, (header_t){.type = CPL, .id = 79}, heard, 1);
    see_message(b, (header_t){.type = RDR, .id = n}, heard, 5);
    assert_int_equal(heard[1] & 255, n);
  }
}

RULE(L20, "Nothing on the down bus waits: credits per class.") {
  bed_t *b = open_receiver();
  for (unsigned n = 0; n < 8; n++) send_message(b, (header_t){.type = RD, .id = n}); /* all places of class memory */
  see(b, "dn_credit", 0);
  register_write(b, 0, 5); /* another class */
  see(b, "w_valid", 1);
  see(b, "err", 0);
  drive_input(b, "m_take", 1);
  see(b, "dn_credit", 0);
  tick(b);
  see(b, "dn_credit", 1);
  drive_input(b, "w_take", 1);
  tick(b);
  see(b, "dn_credit", 4);
  tick(b);
  see(b, "dn_credit", 0);
  send_message(b, (header_t){.type = RD, .id = 8});
  see(b, "err", 0);
  send_message(b, (header_t){.type = RD, .id = 9}); /* beyond its credits */
  see(b, "err", 2);
}
