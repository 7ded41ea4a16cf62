/* SPDX-License-Identifier: Apache-2.0
 *
 * Video instructions in all their forms against the PTX document's pseudocode, on corners and
 * random words, all lanes and some; what is refused.
 */
#include <stdio.h>
#include <string.h>

#include "simt_unit.h"
#include "unit_test.h"

__extension__ typedef __int128 wide_t;

/* One form of a video instruction. */
typedef struct {
  const char *name; /* without the number of elements */
  unsigned elements;
  bool signed_d, signed_a, signed_b, sat;
  const char *how;       /* comparison, mode, scale, .po; "" */
  const char *with_c;    /* "", "add", "min", "max" */
  const char *d, *a, *b; /* selectors */
  bool minus_a, minus_b, minus_c;
} form_t;

/* The form as PTX. vset has no type of its result,
 * and c stands only where something uses it. */
static void write_instruction(const form_t *f, char text[200]) {
  char number[2] = {f->elements > 1 ? (char)('0' + f->elements) : 0, 0};
  const bool set = !strcmp(f->name, "vset"), four = f->elements > 1 || *f->with_c || *f->d || !strcmp(f->name, "vmad");
  int n = snprintf(text, 200, "%s%s", f->name, number);
  if (!set) n += snprintf(text + n, 200 - (size_t)n, ".%s", f->signed_d ? "s32" : "u32");
  n += snprintf(text + n, 200 - (size_t)n, ".%s.%s%s%s%s%s", f->signed_a ? "s32" : "u32", f->signed_b ? "s32" : "u32",
                f->sat ? ".sat" : "", f->how, *f->with_c ? "." : "", f->with_c);
  n += snprintf(text + n, 200 - (size_t)n, " %%r0%s, %s%%r1%s, %s%%r2%s", f->d, f->minus_a ? "-" : "", f->a,
                f->minus_b ? "-" : "", f->b);
  if (four) n += snprintf(text + n, 200 - (size_t)n, ", %s%%r3", f->minus_c ? "-" : "");
  snprintf(text + n, 200 - (size_t)n, ";");
}

/* ---- Expected -------------------------------------------------------------------------------- */

/* 128 bits hold whatever the operations give, so that saturation comes last. */
static wide_t clamp(wide_t x, wide_t most, wide_t least) {
  if (x > most) return most;
  return x < least ? least : x;
}

/* Saturation to 8, 16 or 32 bits. */
static wide_t saturate(wide_t x, unsigned bits, bool is_signed) {
  static const wide_t s_max[] = {INT8_MAX, INT16_MAX, INT32_MAX}, s_min[] = {INT8_MIN, INT16_MIN, INT32_MIN},
                      u_max[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
  const unsigned size = bits / 16; /* 8, 16, 32: 0, 1, 2 */
  return is_signed ? clamp(x, s_max[size], s_min[size]) : clamp(x, u_max[size], 0);
}

/* partSelectSignExtend */
static int64_t part_select(uint32_t word, const char *sel, bool is_signed) {
  if (!*sel) return is_signed ? (int64_t)(int32_t)word : (int64_t)word;
  const unsigned number = (unsigned)(sel[2] - '0');
  if (sel[1] == 'h') return is_signed ? (int16_t)(word >> 16 * number) : (int64_t)(uint16_t)(word >> 16 * number);
  return is_signed ? (int8_t)(word >> 8 * number) : (int64_t)(uint8_t)(word >> 8 * number);
}

/* vshl and vshr with .clamp or .wrap of the count. */
static wide_t shift(const form_t *f, int64_t ta, int64_t tb) {
  if (!strcmp(f->how, ".clamp") && tb > 32) tb = 32;
  if (!strcmp(f->how, ".wrap")) tb = tb & 0x1f;
  wide_t t = ta;
  for (int64_t i = 0; i < tb; i++) /* to the right, rounded down */
    t = f->name[2] == 'h' && f->name[3] == 'l' ? t * 2 : (t - (t & 1)) / 2;
  return t;
}

/* The operation of the name, on numbers that cannot overflow. */
static wide_t main_operation(const form_t *f, int64_t a, int64_t b) {
  if (!strcmp(f->name, "vadd")) return (wide_t)a + b;
  if (!strcmp(f->name, "vsub")) return (wide_t)a - b;
  if (!strcmp(f->name, "vabsdiff")) return (wide_t)a - b < 0 ? (wide_t)b - a : (wide_t)a - b;
  if (!strcmp(f->name, "vmin")) return a <= b ? a : b;
  if (!strcmp(f->name, "vmax")) return a >= b ? a : b;
  if (!strcmp(f->name, "vavrg")) { /* halves go away from 0 upwards, to 0 ... as ( + 1) >> 1 and >> 1 say */
    const wide_t sum = (wide_t)a + b;
    return sum >= 0 ? (sum + 1) / 2 : (sum - (sum & 1)) / 2;
  }
  if (!strcmp(f->how, ".eq")) return a == b;
  if (!strcmp(f->how, ".ne")) return a != b;
  if (!strcmp(f->how, ".lt")) return a < b;
  if (!strcmp(f->how, ".le")) return a <= b;
  if (!strcmp(f->how, ".gt")) return a > b;
  if (!strcmp(f->how, ".ge")) return a >= b;
  return shift(f, a, b);
}

/* c with its byte or half `sel` replaced. */
static uint32_t merged(const char *sel, wide_t t, uint32_t c) {
  uint8_t bytes[4] = {(uint8_t)c, (uint8_t)(c >> 8), (uint8_t)(c >> 16), (uint8_t)(c >> 24)};
  const unsigned number = (unsigned)(sel[2] - '0');
  if (sel[1] == 'b') bytes[number] = (uint8_t)t;
  else bytes[2 * number] = (uint8_t)t, bytes[2 * number + 1] = (uint8_t)(t >> 8);
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Parts of a and b, the operation, saturation, then either c's use or the merge into c. */
static uint32_t want_scalar(const form_t *f, uint32_t a, uint32_t b, uint32_t c) {
  const bool result_signed = strcmp(f->name, "vset") && f->signed_d;
  wide_t t = main_operation(f, part_select(a, f->a, f->signed_a), part_select(b, f->b, f->signed_b));
  const wide_t other = result_signed ? (wide_t)(int32_t)c : (wide_t)c;
  const unsigned part_bits = f->d[0] && f->d[1] == 'b' ? 8 : 16;
  if (f->sat) t = saturate(t, *f->d ? part_bits : 32, result_signed);
  if (!strcmp(f->with_c, "add")) t += other;
  if (!strcmp(f->with_c, "min")) t = t < other ? t : other;
  if (!strcmp(f->with_c, "max")) t = t > other ? t : other;
  return *f->d ? merged(f->d, t, c) : (uint32_t)t;
}

/* By the table of vmad's combinations: what the product is, and c with it; then the result. */
static uint32_t want_mad(const form_t *f, uint32_t a, uint32_t b, uint32_t c) {
  wide_t product = (wide_t)part_select(a, f->a, f->signed_a) * part_select(b, f->b, f->signed_b);
  bool is_signed = f->signed_a || f->signed_b;
  if (f->minus_a != f->minus_b) product = -product, is_signed = true;
  wide_t t = is_signed ? (wide_t)(int32_t)c : (wide_t)c;
  if (f->minus_c) t = -t, is_signed = true;
  t += product;
  if (strstr(f->how, ".po")) t++;
  unsigned scale = 0;
  if (strstr(f->how, ".shr15")) scale = 15;
  else if (strstr(f->how, ".shr7")) scale = 7;
  for (unsigned i = 0; i < scale; i++) t = (t - (t & 1)) / 2;
  return (uint32_t)(f->sat ? saturate(t, 32, is_signed) : t);
}

/* Elements of a, then of b; i counts from the lowest, digits of selectors from the highest. */
static uint32_t want_packed(const form_t *f, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned n = f->elements, bits = 32 / n;
  const bool result_signed = strcmp(f->name, "vset") && f->signed_d;
  const char *all_a = n == 2 ? ".h10" : ".b3210", *all_b = n == 2 ? ".h32" : ".b7654";
  const char *from_a = *f->a ? f->a : all_a, *from_b = *f->b ? f->b : all_b;
  uint32_t d = strcmp(f->with_c, "add") ? 0 : c;
  for (unsigned i = 0; i < n; i++) {
    int64_t v[2];
    for (unsigned k = 0; k < 2; k++) {
      const unsigned at = (unsigned)((k ? from_b : from_a)[1 + n - i] - '0');
      const char name[4] = {'.', n == 2 ? 'h' : 'b', (char)('0' + at % n), 0};
      v[k] = part_select(at < n ? a : b, name, k ? f->signed_b : f->signed_a);
    }
    wide_t t = main_operation(f, v[0], v[1]);
    if (f->sat) t = saturate(t, bits, result_signed);
    const bool written = !*f->d || strchr(f->d + 2, (int)('0' + i));
    const uint32_t place = (uint32_t)(((UINT64_C(1) << bits) - 1) << bits * i);
    if (!strcmp(f->with_c, "add")) d += written ? (uint32_t)t : 0;
    else d |= (written ? (uint32_t)t << bits * i : c) & place;
  }
  return d;
}

/* The result of a form, packed, mad or scalar. */
static uint32_t wanted_word(const form_t *f, uint32_t a, uint32_t b, uint32_t c) {
  if (f->elements > 1) return want_packed(f, a, b, c);
  return !strcmp(f->name, "vmad") ? want_mad(f, a, b, c) : want_scalar(f, a, b, c);
}

/* ---- Forms ----------------------------------------------------------------------------------- */

/* Ends of bytes, halves and words, shift counts about 32, and lanes of opposite signs. */
static const uint32_t corners[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                                   0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff,
                                   0xfffffffe, 0x80808080, 0x7f7f7f7f, 0x7fff8000, 0x80007fff, 0x00ff00ff,
                                   31,         32,         33,         0x20201f21, 0x01000100, 0xff80017f};

/* A third are corners, the others any 32 bits. */
static uint32_t pick_word(uint64_t *seed) {
  const uint64_t r = test_random(seed);
  return r % 3 ? (uint32_t)(r >> 20) : corners[(r >> 20) % (sizeof corners / sizeof *corners)];
}

static uint64_t seed = 5;
static unsigned forms;

/* A form on all lanes and on some: others keep what they had. */
static void check_form(const form_t *f, unsigned rounds) {
  char text[200];
  trouble_t err = {0};
  write_instruction(f, text);
  unit_t u = unit_new(text, &err);
  if (!u.kernel) fail_msg("%s: %s", text, err.text);
  forms++;
  for (unsigned round = 0; round < rounds; round++) {
    uint64_t v[32][4] = {{0}};
    const uint32_t mask = round ? (uint32_t)test_random(&seed) : ~0u;
    const simt_reg_t *d = result_of(&u);
    for (unsigned i = 0; i < 32; i++) {
      for (unsigned k = 0; k < 3; k++) v[i][k] = pick_word(&seed);
      set_operands(&u, i, v[i]);
      set_lane(&u, d, i, 0x5a5a0000 + i, false);
    }
    u.kernel->ops[0].fn(&u.kernel->ops[0], &u.warp, mask);
    for (unsigned i = 0; i < 32; i++) {
      const uint32_t a = (uint32_t)v[i][0], b = (uint32_t)v[i][1], c = (uint32_t)v[i][2],
                     got = (uint32_t)get_lane(&u, d, i);
      const uint32_t right = mask >> i & 1 ? wanted_word(f, a, b, c) : 0x5a5a0000 + i;
      if (got != right) fail_msg("%s of 0x%x, 0x%x, 0x%x: 0x%x, not 0x%x", text, a, b, c, got, right);
    }
  }
  unit_free(&u);
}

static const char *const parts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
enum { PARTS = sizeof parts / sizeof *parts };

/* All signs, all parts of a, b and d or all uses of c, saturated and not. */
static void check_scalar(form_t f) {
  static const char *const uses[] = {"", "add", "min", "max"};
  const bool set = !strcmp(f.name, "vset"), shifts = *f.how && !set;
  for (unsigned bits = 0; bits < 16; bits++)
    for (unsigned from = 0; from < PARTS * PARTS; from++)
      for (unsigned to = 0; to < PARTS + 3; to++) {
        f.signed_d = bits & 1, f.signed_a = bits & 2, f.signed_b = bits & 4, f.sat = bits & 8;
        if ((shifts && f.signed_b) || (set && (f.sat || f.signed_d))) continue;
        f.a = parts[from % PARTS], f.b = parts[from / PARTS];
        f.d = to < PARTS ? parts[to] : "", f.with_c = to < PARTS ? "" : uses[to - PARTS + 1];
        check_form(&f, 2);
      }
}

/* Every form of the scalar instructions. Their number is known:
 * 7 * 7 * 10 combinations of parts of a and b and parts of d or
 * uses of c, for each name with its signs and saturation. */
static void test_scalar(void **state) {
  (void)state;
  static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}, *const compares[] = {".eq", ".ne",
                                                                                                        ".lt", ".le",
                                                                                                        ".gt", ".ge"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    check_scalar((form_t){.name = names[i], .elements = 1, .how = ""});
  for (unsigned i = 0; i < sizeof compares / sizeof *compares; i++)
    check_scalar((form_t){.name = "vset", .elements = 1, .how = compares[i]});
  for (unsigned i = 0; i < 4; i++)
    check_scalar((form_t){.name = i & 1 ? "vshl" : "vshr", .elements = 1, .how = i & 2 ? ".clamp" : ".wrap"});
  assert_int_equal(forms, 5 * 16 * 490 + 6 * 4 * 490 + 4 * 8 * 490);
}

/* Signs, negations, scales and .po in all combinations that PTX allows. */
static void test_mad(void **state) {
  (void)state;
  static const char *const hows[] = {"", ".shr7", ".shr15", ".po", ".po.shr7", ".po.shr15"};
  form_t f = {.name = "vmad", .elements = 1, .with_c = "", .d = ""};
  for (unsigned bits = 0; bits < 128; bits++)
    for (unsigned from = 0; from < PARTS * PARTS; from++)
      for (unsigned how = 0; how < 6; how++) {
        f.signed_d = bits & 1, f.signed_a = bits & 2, f.signed_b = bits & 4, f.sat = bits & 8, f.minus_a = bits & 16,
        f.minus_b = bits & 32, f.minus_c = bits & 64;
        if ((f.minus_a != f.minus_b && f.minus_c) || (how > 2 && bits >= 16)) continue;
        f.a = parts[from % PARTS], f.b = parts[from / PARTS], f.how = hows[how];
        check_form(&f, 2);
      }
}

/* A selector of n digits, each below 2 n; in a quarter of the cases none. */
static const char *random_selector(char text[8], unsigned n) {
  const uint64_t r = test_random(&seed);
  if (r % 4 == 0) return "";
  snprintf(text, 8, ".%c", n == 2 ? 'h' : 'b');
  for (unsigned i = 0; i < n; i++) text[2 + i] = (char)('0' + (r >> (8 + 3 * i)) % (2 * n)), text[3 + i] = 0;
  return text;
}

/* Signs and masks in all combinations. Selectors
 * are random, or all of them for pairs of halves. */
static void check_packed(form_t f, bool all) {
  static const char *const twos[] = {"", ".h0", ".h1", ".h10"};
  static const char *const fours[] = {"",    ".b0",  ".b1",  ".b10",  ".b2",  ".b20",  ".b21",  ".b210",
                                      ".b3", ".b30", ".b31", ".b310", ".b32", ".b320", ".b321", ".b3210"};
  const bool set = !strcmp(f.name, "vset");
  for (unsigned bits = 0; bits < 32; bits++)
    for (unsigned to = 0; to < (f.elements == 2 ? 4 : 16); to++)
      for (unsigned again = 0; again < (all ? 256 : 8); again++) {
        char a[8], b[8];
        f.signed_d = bits & 1, f.signed_a = bits & 2, f.signed_b = bits & 4, f.sat = bits & 8,
        f.with_c = bits & 16 ? "add" : "";
        if ((f.sat && bits & 16) || (set && (f.sat || f.signed_d))) continue;
        f.d = (f.elements == 2 ? twos : fours)[to];
        f.a = random_selector(a, f.elements), f.b = random_selector(b, f.elements);
        if (all) { /* all pairs of halves' selectors */
          snprintf(a, sizeof a, ".h%u%u", again & 3, again >> 2 & 3),
              snprintf(b, sizeof b, ".h%u%u", again >> 4 & 3, again >> 6);
          f.a = a, f.b = b;
        }
        check_form(&f, 2);
      }
}

/* Two and four elements, in all types and selectors of the result. */
static void test_packed(void **state) {
  (void)state;
  static const char *const names[] = {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"}, *const compares[] = {
                                                                                                ".eq", ".ne", ".lt",
                                                                                                ".le", ".gt", ".ge"};
  for (unsigned n = 2; n <= 4; n += 2) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
      check_packed((form_t){.name = names[i], .elements = n, .how = ""}, false);
    for (unsigned i = 0; i < sizeof compares / sizeof *compares; i++)
      check_packed((form_t){.name = "vset", .elements = n, .how = compares[i]}, false);
  }
  check_packed((form_t){.name = "vsub", .elements = 2, .how = ""}, true);
}

/* The document's own examples, and constants. */
static void test_examples(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t a, b, c, want;
  } rows[] = {
      {"vadd.s32.u32.s32.sat %r0, %r1.b0, %r2.h0;", 0xff, 0xffff, 0, 0xfe},
      {"vsub.s32.s32.u32.sat %r0, %r1.h1, %r2.h1;", 0x80000000, 0xffff0000, 0, 0xfffe8001},
      {"vabsdiff.s32.s32.s32.sat %r0.h0, %r1.b0, %r2.b2, %r3;", 0x80, 0x7f0000, 0x12345678, 0x123400ff},
      {"vmin.s32.s32.s32.sat.add %r0, %r1, %r2, %r3;", 5, 0xfffffffe, 10, 8},
      {"vshr.u32.u32.u32.clamp.add %r0, %r1, 4, %r2;", 0x123, 7, 0, 0x19},
      {"vshl.s32.u32.u32.clamp %r0, %r1, %r2;", 3, 40, 0, 0},
      {"vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", 3, 40, 0, 0xffffffff},
      {"vset.s32.u32.lt %r0, %r1, %r2;", 0xffffffff, 0xffffffff, 0, 1},
      {"vmad.s32.s32.u32.sat %r0, %r1, %r2, -%r3;", 0x80000000, 0xffffffff, 1, 0x80000000},
      {"vmad.u32.u32.u32.shr15 %r0, %r1.h0, %r2.h0, %r3;", 0xffff, 0xffff, 0, 0x1fffc},
      {"vadd2.s32.s32.u32.sat %r0, %r1, %r2, %r3;", 0x7fff8000, 0x00018001, 0, 0x7fff0001},
      {"vmin2.s32.u32.u32.add %r0.h10, %r1.h00, %r2.h22, %r3;", 3, 5, 100, 106},
      {"vset4.s32.u32.lt %r0, %r1, %r2, %r3;", 0xff017f80, 0x00017fff, 0, 0x01000001},
      {"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0x01020304, 0x04030201, 1000, 1008},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    trouble_t err = {0};
    unit_t u = unit_new(rows[i].text, &err);
    if (!u.kernel) fail_msg("%s", err.text);
    const uint64_t v[4] = {rows[i].a, rows[i].b, rows[i].c};
    set_operands(&u, 0, v);
    u.kernel->ops[0].fn(&u.kernel->ops[0], &u.warp, 1);
    const uint64_t got = get_lane(&u, result_of(&u), 0);
    if (got != rows[i].want) fail_msg("%s: 0x%llx, not 0x%x", rows[i].text, (unsigned long long)got, rows[i].want);
    unit_free(&u);
  }
}

/* What PTX does not have: each is refused by name. */
static void test_video_not_executed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "vadd.u32.u32.u32.avg %r0, %r1, %r2;",
      "vadd.u32.u32 %r0, %r1, %r2;",
      "vadd.u16.u32.u32 %r0, %r1, %r2;",
      "vadd.u32.u32.u32 %r0, %r1, %r2, %r3;",
      "vadd.u32.u32.u32.add %r0, %r1, %r2;",
      "vadd.u32.u32.u32.add %r0.b0, %r1, %r2, %r3;",
      "vadd.u32.u32.u32.add.min %r0, %r1, %r2, %r3;",
      "vadd.u32.u32.u32 %r0.b0, %r1, %r2;",
      "vadd.u32.u32.u32 %r0, %r1.h10, %r2;",
      "vadd.u32.u32.u32.add %r0, %r1, %r2, %r3.b0;",
      "vadd.u32.u32.u32 %r0, -%r1, %r2;",
      "vadd.u32.u32.u32 %r0, %rs1, %r2;",
      "vadd.u32.u32.u32 %r0, %r1, 0f3f800000;",
      "vadd.u32.u32.u32.clamp %r0, %r1, %r2;",
      "vadd.u32.u32.u32.lt %r0, %r1, %r2;",
      "vshl.u32.u32.u32 %r0, %r1, %r2;",
      "vshl.u32.u32.s32.wrap %r0, %r1, %r2;",
      "vshl.u32.u32.u32.clamp.wrap %r0, %r1, %r2;",
      "vset.u32.u32 %r0, %r1, %r2;",
      "vset.u32.u32.lo %r0, %r1, %r2;",
      "vset.u32.u32.lt.sat %r0, %r1, %r2;",
      "vmad.u32.u32.u32.add %r0, %r1, %r2, %r3;",
      "vmad.u32.u32.u32 %r0, -%r1, %r2, -%r3;",
      "vmad.u32.u32.u32.po %r0, -%r1, %r2, %r3;",
      "vmad.u32.u32.u32 %r0.b0, %r1, %r2, %r3;",
      "vmad.u32.u32.u32.shr7.shr15 %r0, %r1, %r2, %r3;",
      "vadd2.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;",
      "vadd2.u32.u32.u32.min %r0, %r1, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0.h01, %r1, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0.b0, %r1, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0, %r1.h1, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0, %r1.h14, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0, %r1.b10, %r2, %r3;",
      "vadd2.u32.u32.u32 %r0, %r1, 5, %r3;",
      "vadd4.u32.u32.u32 %r0.b00, %r1, %r2, %r3;",
      "vadd4.u32.u32.u32 %r0.b4321, %r1, %r2, %r3;",
      "vadd4.u32.u32.u32 %r0.h0, %r1, %r2, %r3;",
      "vadd4.u32.u32.u32 %r0, %r1.b321, %r2, %r3;",
      "vset4.u32.u32.ne.max %r0, %r1, %r2, %r3;",
      "mov.b32 %r0, %r1.b0;",
      "add.u32 %r0, %r1, %r2.b3210;",
  };
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    trouble_t err = {0};
    unit_t u = unit_new(texts[i], &err);
    if (u.kernel) fail_msg("%s is executed", texts[i]);
    assert_int_equal(err.kind, 2);
    if (!strstr(err.text, "is not executed")) fail_msg("%s: %s", texts[i], err.text);
    ptx_free(u.module);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scalar), cmocka_unit_test(test_mad),
                                     cmocka_unit_test(test_packed), cmocka_unit_test(test_examples),
                                     cmocka_unit_test(test_video_not_executed)};
  return cmocka_run_group_tests_name("simt_video", tests, NULL, NULL);
}
