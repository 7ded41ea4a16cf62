/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu: an environment that plays the GPU and the memory stacks.
 *
 * It makes random offload blocks and starts one when its command, loads and stores have credits. It
 * sends the command, read data and write addresses in any order and any split. It serves fetches,
 * acknowledges writes and returns output credits, soon or late as the profile says.
 *
 * Profiles `errors` and `bad-code` break the rules too, so that every bit of err is reached. They
 * reset now and then, because halted warps and lost blocks never come back. Profile `brim` plays a
 * plan of its own (play_brim).
 *
 * Half of the ids and addresses differ from others in a single bit, which shows a comparison that
 * forgets one.
 *
 * Long file: one environment, whose parts share its state: programs, blocks, packets of either
 * direction, and the plan of `brim`.
 */
#include "nsu.h"

#include "nsu_legal.h"
#include "nsu_stim.h"

enum {
  MAX_BLOCKS = 80,
  MAX_PROGRAMS = 32,
  MAX_INSTRS = 84,
  MAX_MEM = 64,
  MAX_FETCHES = 16,
  NO_BLOCK = 0xff,
  OLD_CODE = 256
};

enum { ANY_ORDER, COMMAND_FIRST, DATA_FIRST };

/* Rates are of 64. */
typedef struct {
  unsigned blocks, programs;  /* at a time */
  unsigned body, mem, ldc;    /* most instructions in a block; how many of them are loads or stores, constant loads */
  unsigned divergent;         /* packets with one thread */
  unsigned send, gap;         /* a packet starts; a phit of it waits */
  unsigned credit, ack, fill; /* an output credit, a write acknowledgement, a fill comes */
  unsigned order;
  unsigned wrong, spoilt; /* packets that no GPU sends; programs with an illegal instruction */
} knobs_t;

enum { MIXED, ALU, MEMORY, TINY, HUGE, STARVED, LATE_DATA, EARLY_DATA, COLD, TRICKLE, UNACKED, BRIM, ERRORS, BAD_CODE };

/* mixed to memory cover kinds of instructions; tiny and huge cover the sizes of blocks. starved,
 * late-data, early-data, cold and trickle each delay one neighbour, so that its queue fills or
 * warps sleep.
 *  unacked: a slot counts towards the 2048 writes of a block.
 *  brim: credit counts reach their highest value.
 *  errors and bad-code: packets and code that no GPU sends; other profiles would never end after
 *    them. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "blocks of every kind, answers soon"},
    [ALU] = {"alu", "long arithmetic, all opcodes, guards"},
    [MEMORY] = {"memory", "mostly loads and stores, divergent, few threads"},
    [TINY] = {"tiny", "blocks of a few instructions: commands and acknowledgements"},
    [HUGE] = {"huge", "as many instructions, loads and stores as fit, long waits for responses' credits"},
    [STARVED] = {"starved", "output credits and acknowledgements come back rarely"},
    [LATE_DATA] = {"late-data", "the command first, data and addresses late and in pieces: warps sleep"},
    [EARLY_DATA] = {"early-data", "data and addresses first, then the command"},
    [COLD] = {"cold", "new code and constants all the time, fills late: the caches miss"},
    [TRICKLE] = {"trickle", "one block at a time, gaps between phits"},
    [UNACKED] = {"unacked", "many stores of a line a thread, acknowledged only when no more come"},
    [BRIM] = {"brim", "every entry of a buffer is freed before the GPU is told of one: counts of credits at their end"},
    [ERRORS] = {"errors", "packets that break every rule now and then, and resets"},
    [BAD_CODE] = {"bad-code", "illegal instructions of every kind, blocks that begin wrongly, and resets"},
};

/* clang-format off */
static const knobs_t knobs[] = {
  /*               blk prog body mem ldc div send gap cred ack fill order wrong spoilt */
  [MIXED] =      {64, 12, 24, 20, 4, 4, 60, 1, 56, 40, 40, ANY_ORDER, 0, 0},
  [ALU] =        {64, 8, 60, 12, 2, 0, 56, 0, 64, 60, 60, ANY_ORDER, 0, 0},
  [MEMORY] =     {64, 12, 16, 56, 2, 32, 64, 0, 60, 60, 40, ANY_ORDER, 0, 0},
  [TINY] =       {64, 8, 2, 20, 8, 2, 64, 0, 60, 60, 60, ANY_ORDER, 0, 0},
  [HUGE] =       {64, 4, 70, 40, 6, 8, 64, 0, 60, 60, 50, ANY_ORDER, 0, 0},
  [STARVED] =    {64, 8, 12, 40, 4, 8, 50, 1, 2, 2, 10, ANY_ORDER, 0, 0},
  [LATE_DATA] =  {64, 8, 12, 40, 4, 20, 40, 1, 50, 8, 30, COMMAND_FIRST, 0, 0},
  [EARLY_DATA] = {64, 8, 12, 40, 4, 8, 64, 0, 60, 50, 50, DATA_FIRST, 0, 0},
  [COLD] =       {32, 32, 20, 10, 16, 2, 50, 1, 40, 40, 4, ANY_ORDER, 0, 0},
  [TRICKLE] =    {1, 6, 16, 24, 6, 8, 10, 20, 30, 10, 10, ANY_ORDER, 0, 0},
  [UNACKED] =    {1, 4, 70, 64, 0, 64, 64, 0, 64, 0, 64, ANY_ORDER, 0, 0},
  [BRIM] =       {64, 32, 0, 0, 0, 0, 64, 0, 64, 64, 64, ANY_ORDER, 0, 0},
  [ERRORS] =     {64, 12, 16, 24, 6, 24, 60, 2, 40, 40, 40, ANY_ORDER, 8, 2},
  [BAD_CODE] =   {64, 32, 5, 16, 16, 4, 60, 0, 60, 60, 60, ANY_ORDER, 0, 40},
};
/* clang-format on */

typedef struct {
  uint64_t pc;
  uint8_t users, length, count, mem; /* blocks that run it; instructions; command registers; loads and stores */
  uint8_t loads;
  bool some_loads;       /* UNACKED: loads are among the stores */
  bool store[MAX_MEM];   /* true: the k-th is a store */
  uint8_t dest[MAX_MEM]; /* register that the k-th loads */
  uint64_t instr[MAX_INSTRS];
} program_t;

typedef struct {
  uint32_t lmask, left; /* threads of the instruction; threads still to send */
  uint8_t size;
  bool done;
} mem_t;

typedef struct {
  bool active;
  uint8_t sm, warp, program;
  uint8_t beat;     /* the next beat of its command */
  bool commanded;   /* the whole command has been sent */
  uint8_t mem_left; /* loads and stores that are not wholly sent */
  uint32_t mask;
  uint64_t cbase;
  uint64_t triples; /* 0, or the seed of loaded operands that belong together in a thread */
  mem_t mem[MAX_MEM];
} block_t;

typedef struct {
  unsigned count;
  uint64_t addr[MAX_FETCHES];
} fetches_t;

/* State of a round of profile brim (play_brim). */
typedef struct {
  enum { DRAIN, OPEN, PLUG, FREE, RELEASE } step;
  unsigned round, left;   /* rounds begun; cycles until the step is given up */
  unsigned blocks, plugs; /* blocks to come: those that free entries; those that only end */
  unsigned loads, stores; /* loads and stores of each block */
  uint64_t end;           /* line of their last instruction */
  bool held, silent;      /* that line is held back; responses get no output credits */
  bool filled;            /* commands wait until the buffers have all data and addresses */
} brim_t;

/* State that a reset clears. */
typedef struct {
  unsigned blocks;
  unsigned flood;           /* errors: type of the packet that fills its buffer, or 0 */
  bool choked;              /* errors: output credits hardly come back, fetches are stuck */
  unsigned again;           /* errors: times that the last packet is repeated */
  uint8_t sm, warp;         /* ids differ from these in a bit or two */
  uint64_t imiss, cmiss;    /* lines that missed last */
  unsigned quiet;           /* cycles since the last write */
  uint8_t commanding;       /* the block whose command is being sent */
  int cr_cmd, cr_rd, cr_wr; /* credits; negative where errors overdraws them */
  fetches_t ifetch, cfetch;
  unsigned writes, write[64]; /* writes to acknowledge: all; of each slot */
  /* output credits to return, by class; cycles without any for responses, in which counts grow */
  unsigned owed[2], silent;
  bool sending; /* a beat is on its way to the NSU; the next three fields describe it */
  unsigned phit, cls;
  uint32_t beat[BEAT_WORDS];
  unsigned phits_seen; /* phits of the beat that comes from the NSU */
  uint32_t seen[BEAT_WORDS];
  brim_t brim;
  block_t block[MAX_BLOCKS];
} session_t;

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t stack_id, next_reset;
  unsigned sessions;
  program_t program[MAX_PROGRAMS];
  uint64_t old_code[OLD_CODE]; /* 4 KB slots that programs had */
  unsigned num_old_code;
  session_t now;
} state_t;

static bool often(state_t *s, unsigned rate) {
  return rng_chance(&s->rng, rate, 64);
}

static const knobs_t *knob(const state_t *s) {
  return &knobs[s->profile];
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static void begin_session(state_t *s) {
  for (unsigned i = 0; i < MAX_PROGRAMS; i++) s->program[i].users = s->program[i].length = 0; /* new code each time */
  memset(&s->now, 0, sizeof s->now);
  s->now.commanding = NO_BLOCK;
  s->now.cr_cmd = CmdBufDepth;
  s->now.cr_rd = RdBufDepth;
  s->now.cr_wr = WrBufDepth;
  s->now.sm = (uint8_t)rng_bits(&s->rng, 8);
  s->now.warp = (uint8_t)rng_bits(&s->rng, 6);
  static const uint8_t floods[] = {0, PKT_RDF_RESP, PKT_WTA, PKT_CMD, PKT_CMD};
  /* while junk fills the buffers, or nothing ends, other errors meet no take */
  if (s->profile != ERRORS || s->sessions++ % 2 == 0) return;
  s->now.flood = floods[rng_below(&s->rng, sizeof floods)];
  s->now.choked = rng_bits(&s->rng, 1);
}

/* Cycles until the next reset. A flood lasts long enough to fill every buffer with
 * junk, even through a narrow port. */
static uint64_t session_length(state_t *s) {
  uint64_t beats = RdBufDepth > WrBufDepth ? RdBufDepth : WrBufDepth, length = rng_range(&s->rng, 500, 3000);
  return s->now.flood ? length + 6 * beats * (BEAT_PHITS + 1) : length * (BEAT_PHITS + 1) / 2;
}

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->stack_id = rng_bits(&s->rng, PKT_STACK_BITS);
  begin_session(s);
  s->next_reset = session_length(s);
}

/* --- Programs */

/* One of the four operations that round. Its operands come from registers 0 to 7 that hold
 * a, b and c of one triple (triple_word). */
static uint64_t float_instr(state_t *s, uint64_t instr) {
  instr = isa_set_opcode(isa_set_immb(instr, 0), stim_ftz(&s->rng, (unsigned)rng_range(&s->rng, OP_FADD, OP_FFMA)));
  return isa_set_rc(isa_set_rb(isa_set_ra(instr, rng_below(&s->rng, 3) * 3), rng_below(&s->rng, 3) * 3 + 1),
                    rng_below(&s->rng, 2) * 3 + 2);
}

/* One instruction of a block: a load or store while the block has room, a
 * constant load, or arithmetic. */
static uint64_t body_instr(state_t *s, program_t *p, unsigned mem_rate) {
  unsigned most_loads = least(RdBufDepth, MAX_MEM), most_stores = least(WrBufDepth, MAX_MEM);
  bool store = s->profile == UNACKED ? !p->some_loads || rng_below(&s->rng, 16) : rng_bits(&s->rng, 1);
  bool fits = p->mem < MAX_MEM && (store ? p->mem - p->loads < (int)most_stores : p->loads < most_loads);
  if (often(s, mem_rate) && fits) {
    uint64_t instr = stim_instr(&s->rng, store ? ISA_ST : ISA_LD, 0);
    if (rng_below(&s->rng, 4)) instr = isa_set_rd(instr, isa_rd(instr) & 7);
    p->loads += !store;
    p->dest[p->mem] = (uint8_t)isa_rd(instr);
    p->store[p->mem++] = store;
    return instr;
  }
  if (often(s, knob(s)->ldc)) {
    uint64_t instr = stim_instr(&s->rng, ISA_LDC, 0);
    return rng_below(&s->rng, 8) ? isa_set_imm(instr, rng_below(&s->rng, 64) * 4) : instr;
  }
  /* Results rather go to the upper registers, so that the lower ones keep what was loaded. */
  uint64_t instr = stim_instr(&s->rng, ISA_ALU, 0);
  if (rng_below(&s->rng, 3) == 0) instr = float_instr(s, instr);
  return rng_below(&s->rng, 4) ? isa_set_rd(instr, isa_rd(instr) | 8) : instr;
}

/* Makes an instruction illegal, or legal but out of place, in one of the
 * ways that a decoder must detect. */
static uint64_t spoil_instr(state_t *s, uint64_t instr, const program_t *p) {
  switch (rng_below(&s->rng, 12)) {
  case 0: return isa_set_opcode(instr, rng_bits(&s->rng, 1) ? isa_opcode(instr) ^ 0x80 : rng_bits(&s->rng, 8));
  case 1: return instr ^ UINT64_C(1) << rng_bits(&s->rng, 6);
  case 2: return isa_set_zero(instr, 1);
  case 3: return isa_set_immb(instr, 1);                   /* of something that has no b */
  case 4: return isa_set_guard(instr, 1);                  /* of something that has none */
  case 5: return isa_set_ginv(isa_set_guard(instr, 0), 1); /* without a guard */
  case 6: return isa_set_rg(isa_set_guard(instr, 0), 1u << rng_bits(&s->rng, 2));
  case 7: return isa_set_imm(stim_instr(&s->rng, ISA_LDC, 0), rng_bits(&s->rng, 6) * 4 + rng_range(&s->rng, 1, 3));
  case 8: return isa_set_imm(p->instr[0], (uint64_t)(p->count | 8) << 28); /* too many registers */
  case 9: return isa_set_imm(stim_instr(&s->rng, ISA_END, 0), rng_range(&s->rng, 8, 15) << 28);
  case 10: return isa_set_opcode(instr, rng_range(&s->rng, OP_DADD, OP_DFMA)); /* pairs that begin with any register */
  default: return stim_instr(&s->rng, (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1), (unsigned)rng_bits(&s->rng, 3));
  }
}

static void spoil_program(state_t *s, program_t *p) {
  unsigned i = rng_below(&s->rng, 3) ? (unsigned)rng_below(&s->rng, p->length) : 0;
  if (i == 0 && rng_bits(&s->rng, 1))
    p->instr[0] = isa_set_imm(p->instr[0], (uint64_t)(p->count ^ 1u << rng_below(&s->rng, 3)) << 28);
  else if (rng_below(&s->rng, 8) == 0) p->instr[i] = p->instr[0]; /* begins twice */
  else p->instr[i] = spoil_instr(s, p->instr[i], p);
}

/* True if these 4 KB had a program not long ago. The instruction cache may still hold its
 * lines, and nothing invalidates them. */
static bool old_code(const state_t *s, uint64_t pc) {
  for (unsigned i = 0; i < OLD_CODE; i++)
    if (s->old_code[i] == pc >> 12) return true;
  for (unsigned i = 0; i < MAX_PROGRAMS; i++)
    if (s->program[i].pc >> 12 == pc >> 12) return true;
  return false;
}

/* An address far from other programs, or equal to one but for a high bit.
 * Each program has its own 4 KB. */
static uint64_t new_pc(state_t *s, unsigned n) {
  uint64_t pc = (rng_bits(&s->rng, PKT_ADDR_BITS) & ~UINT64_C(0x1ffff)) | n << 12 | rng_bits(&s->rng, 6) << 3;
  uint64_t alias = s->program[rng_below(&s->rng, knob(s)->programs)].pc ^ UINT64_C(1) << rng_range(&s->rng, 17, 39);
  if (rng_bits(&s->rng, 1) && !old_code(s, alias)) pc = alias;
  s->old_code[s->num_old_code++ % OLD_CODE] = pc >> 12;
  return pc;
}

static void new_program(state_t *s, unsigned n) {
  uint64_t pc = new_pc(s, n);
  program_t *p = &s->program[n];
  memset(p, 0, sizeof *p);
  p->pc = pc;
  p->count = (uint8_t)rng_below(&s->rng, CmdRegs + 1);
  p->some_loads = rng_below(&s->rng, 8) == 0;
  unsigned body = (unsigned)rng_below(&s->rng, knob(s)->body + 1);
  /* some nearly reach the 64 loads and stores of a block */
  unsigned mem_rate = rng_below(&s->rng, 6) ? knob(s)->mem : 62;
  if (s->profile == HUGE || s->profile == UNACKED) body = knob(s)->body - (unsigned)rng_below(&s->rng, 4);
  p->instr[p->length++] = stim_instr(&s->rng, ISA_BEG, p->count);
  while (body--) {
    uint64_t instr = body_instr(s, p, mem_rate);
    p->instr[p->length++] = instr;
  }
  p->instr[p->length++] = stim_instr(&s->rng, ISA_END, (unsigned)rng_bits(&s->rng, 3));
  if (often(s, knob(s)->spoilt)) spoil_program(s, p);
}

/* The 8 bytes of code at an address. Outside all programs they are zero, an illegal instruction. */
static uint64_t code_at(const state_t *s, uint64_t addr) {
  for (unsigned i = 0; i < MAX_PROGRAMS; i++) {
    const program_t *p = &s->program[i];
    if (addr >= p->pc && addr < p->pc + 8ull * p->length) return p->instr[(addr - p->pc) / 8];
  }
  return 0;
}

/* --- Blocks */

static bool id_in_use(const state_t *s, unsigned sm, unsigned warp) {
  for (unsigned i = 0; i < MAX_BLOCKS; i++)
    if (s->now.block[i].active && s->now.block[i].sm == sm && s->now.block[i].warp == warp) return true;
  return false;
}

static void plan_memory(state_t *s, block_t *b) {
  const program_t *p = &s->program[b->program];
  b->mem_left = p->mem;
  for (unsigned i = 0; i < p->mem; i++) {
    mem_t *m = &b->mem[i];
    bool whole = rng_below(&s->rng, 4) || (s->profile == UNACKED && !p->some_loads);
    m->lmask = whole ? b->mask : stim_mask(&s->rng) & b->mask;
    m->left = m->lmask;
    m->size = (uint8_t)(rng_below(&s->rng, 32) ? rng_below(&s->rng, 3) : 3);
    m->done = false;
  }
}

/* Opens a block of program n and takes its credits. False: the id that was drawn is in use. */
static bool open_block(state_t *s, unsigned n) {
  session_t *now = &s->now;
  program_t *p = &s->program[n];
  unsigned sm = now->sm, warp = now->warp, i = 0;
  if (rng_bits(&s->rng, 1)) sm ^= 1u << rng_bits(&s->rng, 3);
  if (rng_bits(&s->rng, 1)) warp ^= 1u << rng_below(&s->rng, 6);
  if (rng_below(&s->rng, 3) == 0) warp ^= (unsigned)rng_bits(&s->rng, 6);
  if (id_in_use(s, sm, warp)) return false;
  while (now->block[i].active) i++;
  block_t *b = &now->block[i];
  *b = (block_t){.active = true,
                 .sm = (uint8_t)sm,
                 .warp = (uint8_t)warp,
                 .program = (uint8_t)n,
                 .mask = stim_mask(&s->rng),
                 .triples = rng_bits(&s->rng, 1) ? rng_next(&s->rng) : 0};
  b->cbase = rng_bits(&s->rng, 3) << 7; /* a few lines, and the same but for one high bit */
  if (rng_bits(&s->rng, 1)) b->cbase ^= UINT64_C(1) << rng_range(&s->rng, 10, 39);
  if (s->profile == COLD) b->cbase = rng_bits(&s->rng, PKT_ADDR_BITS) & ~UINT64_C(3);
  if (s->profile == UNACKED && !p->some_loads) b->mask = UINT32_MAX;
  plan_memory(s, b);
  p->users++;
  now->blocks++;
  now->cr_cmd--;
  now->cr_rd -= p->loads;
  now->cr_wr -= p->mem - p->loads;
  return true;
}

/* Starts a block if the profile allows one more and the credits are
 * there; errors overdraws them. */
static void start_block(state_t *s) {
  session_t *now = &s->now;
  unsigned most = least(knob(s)->blocks, MAX_BLOCKS), n = (unsigned)rng_below(&s->rng, knob(s)->programs);
  if (now->blocks >= most) return;
  program_t *p = &s->program[n];
  bool stale = s->profile == COLD || rng_below(&s->rng, s->profile == BAD_CODE ? 2 : 16) == 0;
  if (!p->length || (stale && !p->users)) new_program(s, n);
  bool overdraws = knob(s)->wrong && often(s, knob(s)->wrong);
  if (!overdraws && (now->cr_cmd < 1 || now->cr_rd < p->loads || now->cr_wr < p->mem - p->loads)) return;
  open_block(s, n);
}

/* --- Profile brim: blocks free all entries of a buffer while a stuck response keeps the NSU from
 * returning them. A round has five steps:
 *   drain    until the GPU has all credits
 *   open     blocks begin and wait for data and addresses
 *   plug     blocks without loads and stores; their acknowledgements use up the output credits of
 *            responses, which do not come back
 *   free     data and addresses come; no block ends, because the line of its last instruction is
 *            held back
 *   release  that line first, so that an acknowledgement takes all counts; or the output credits
 *            first, so that a credit packet takes them
 * Every second round has commands alone; its blocks begin after the plug. So do the blocks of every
 * second round with data. Their commands come last, so that both buffers are full once. */

enum { END_AT = 80, SOON_END_AT = 16 }; /* the first of its line, behind 64 loads and stores or none */

static void brim_program(state_t *s, unsigned n, unsigned loads, unsigned stores, unsigned end_at) {
  uint64_t pc = new_pc(s, n) & ~UINT64_C(127);
  program_t *p = &s->program[n];
  memset(p, 0, sizeof *p);
  p->pc = pc;
  p->instr[p->length++] = stim_instr(&s->rng, ISA_BEG, 0);
  while (loads + stores) {
    bool store = rng_below(&s->rng, loads + stores) >= loads;
    uint64_t instr = stim_instr(&s->rng, store ? ISA_ST : ISA_LD, 0);
    *(store ? &stores : &loads) -= 1;
    p->loads += !store;
    p->dest[p->mem] = (uint8_t)isa_rd(instr);
    p->store[p->mem++] = store;
    p->instr[p->length++] = instr;
  }
  while (p->length < end_at) p->instr[p->length++] = stim_instr(&s->rng, ISA_ALU, 0);
  p->instr[p->length++] = stim_instr(&s->rng, ISA_END, (unsigned)rng_bits(&s->rng, 1));
}

/* Opens one more block of program n, if its credits are there. */
static bool brim_block(state_t *s, unsigned n) {
  const session_t *now = &s->now;
  const program_t *p = &s->program[n];
  bool fits = now->cr_cmd > 0 && now->cr_rd >= p->loads && now->cr_wr >= p->mem - p->loads;
  return now->blocks < MAX_BLOCKS && fits && open_block(s, n);
}

/* Begins a step. A step that makes no progress is left after some time: its
 * aim was missed, or is reached. */
static void brim_step(state_t *s, unsigned step) {
  brim_t *b = &s->now.brim;
  static const unsigned least_time[] = {[DRAIN] = 600, [OPEN] = 600, [PLUG] = 150, [FREE] = 400, [RELEASE] = 1000};
  b->step = step;
  b->left = (least_time[step] + (step == FREE && b->loads ? 3 * (RdBufDepth + WrBufDepth) : 0)) * (BEAT_PHITS + 1) / 2;
}

/* Blocks that together free all entries, each the same number. If possible,
 * their number divides both depths. */
static void plan_buffers(brim_t *b) {
  unsigned deepest = RdBufDepth > WrBufDepth ? RdBufDepth : WrBufDepth, slots = NumWarps > 1 ? NumWarps - 1 : 1,
           n = (deepest + 31) / 32;
  while (n < slots && (RdBufDepth % n || WrBufDepth % n)) n++;
  b->blocks = least(n, slots); /* a slot is left for those that plug */
  b->loads = least(RdBufDepth / b->blocks, 32);
  b->stores = least(WrBufDepth / b->blocks, 32);
}

enum { PLUG_PROGRAM = MAX_PROGRAMS - 1, ROUND_PROGRAM = MAX_PROGRAMS - 2 };

static void begin_round(state_t *s) {
  brim_t *b = &s->now.brim;
  b->loads = b->stores = 0;
  b->blocks = least(CmdBufDepth, NumWarps > 1 ? NumWarps - 1 : 1);
  if (b->round++ % 2 == 0) plan_buffers(b);
  b->filled = b->loads && b->round / 2 % 2;
  b->plugs = NumWarps > 1 ? OutCredits / 2 + 1 + (unsigned)rng_below(&s->rng, 2) : 0;
  unsigned end_at = b->loads ? END_AT : SOON_END_AT;
  brim_program(s, PLUG_PROGRAM, 0, 0, 0);
  brim_program(s, ROUND_PROGRAM, b->loads, b->stores, end_at);
  b->end = s->program[ROUND_PROGRAM].pc + 8 * end_at;
  b->held = true;
}

static bool all_commanded(const state_t *s) {
  for (unsigned i = 0; i < MAX_BLOCKS; i++)
    if (s->now.block[i].active && !s->now.block[i].commanded) return false;
  return true;
}

static bool drained(const session_t *now) {
  return !now->blocks && now->cr_cmd == CmdBufDepth && now->cr_rd == RdBufDepth && now->cr_wr == WrBufDepth;
}

static void open_blocks(state_t *s) {
  if (s->now.brim.blocks && brim_block(s, ROUND_PROGRAM)) s->now.brim.blocks--;
}

/* One block after the other; each returns a command credit and then ends. True: enough. */
static bool plug(state_t *s) {
  brim_t *b = &s->now.brim;
  if (s->program[PLUG_PROGRAM].users) return false;
  if (!b->plugs) return true;
  if (!brim_block(s, PLUG_PROGRAM)) return false;
  b->plugs--;
  brim_step(s, PLUG); /* its time begins anew */
  return false;
}

/* True if the counts that the NSU has not returned are at the depths. */
static bool all_freed(const brim_t *b, const nsu_out_t *out) {
  return b->loads ? out->probe_cr_rd == RdBufDepth && out->probe_cr_wr == WrBufDepth : out->probe_cr_cmd == CmdBufDepth;
}

static void release(brim_t *b, bool end) {
  if (end) b->held = false;
  else b->silent = false;
}

/* One cycle of the plan. The first line of a round decides if the end is released first. */
static void play_brim(state_t *s, const nsu_out_t *out) {
  brim_t *b = &s->now.brim;
  /* In two rounds of four the end is released first. */
  bool late = b->left == 0, end_first = b->round / 2 % 2 == 0;
  b->left -= !late;
  switch (b->step) {
  case DRAIN:
    if (!drained(&s->now) && (!late || s->now.blocks)) break;
    begin_round(s);
    brim_step(s, b->loads && !b->filled ? OPEN : PLUG);
    break;
  case OPEN:
    open_blocks(s);
    if (late || (!b->blocks && all_commanded(s) && s->now.cr_cmd == CmdBufDepth)) brim_step(s, PLUG);
    break;
  case PLUG:
    b->silent = true;
    if (plug(s) || late) brim_step(s, FREE);
    break;
  case FREE:
    open_blocks(s);
    if (!all_freed(b, out) && !late) break;
    release(b, end_first);
    brim_step(s, RELEASE);
    break;
  default:
    if (b->left % 256 == 0) b->held = b->silent = false;
    if (s->now.blocks == 0 || late) brim_step(s, DRAIN);
    break;
  }
}

/* --- Packets to the NSU */

/* A beat with a random header and line; the caller sets the fields that have a meaning. */
static uint32_t *new_beat(state_t *s, unsigned type) {
  uint32_t *beat = s->now.beat, *hdr = beat + LINE_WORDS;
  rng_fill(&s->rng, beat, BEAT_BITS);
  HDR_SET(hdr, type, type);
  HDR_SET(hdr, dst, s->stack_id);
  HDR_SET(hdr, target, s->stack_id);
  s->now.cls = pkt_type_class(type) == 1;
  return hdr;
}

/* Operand `reg` modulo 3 of a thread's triple, from the block's seed: hard
 * ones, or ones near each other. */
static uint32_t triple_word(uint64_t triples, unsigned thread, unsigned reg) {
  rng_t rng;
  uint32_t word[3];
  rng_init(&rng, triples + thread);
  stim_operands(&rng, &word[0], &word[1], &word[2]);
  return word[reg % 3];
}

/* Fills the line of the beat with operands for register reg. */
static void operand_line(state_t *s, const block_t *b, unsigned reg) {
  bool near = rng_bits(&s->rng, 1);
  for (unsigned i = 0; i < LINE_WORDS; i++)
    s->now.beat[i] = b->triples ? triple_word(b->triples, i, reg)
                     : near     ? stim_near_one(&s->rng)
                                : stim_operand(&s->rng);
}

static void set_id(uint32_t *hdr, const block_t *b, unsigned seq) {
  HDR_SET(hdr, sm, b->sm);
  HDR_SET(hdr, warp, b->warp);
  HDR_SET(hdr, seq, seq);
}

static void send_command(state_t *s, unsigned i) {
  block_t *b = &s->now.block[i];
  const program_t *p = &s->program[b->program];
  uint32_t *hdr = new_beat(s, PKT_CMD);
  operand_line(s, b, isa_imm(p->instr[0]) >> 4 * b->beat & 15);
  set_id(hdr, b, 0);
  HDR_SET(hdr, addr, p->pc);
  HDR_SET(hdr, mask, b->mask);
  HDR_SET(hdr, cbase, b->cbase);
  HDR_SET(hdr, count, p->count);
  HDR_SET(hdr, beat, b->beat);
  b->beat++;
  b->commanded = b->beat >= p->count;
  s->now.commanding = b->commanded ? NO_BLOCK : (uint8_t)i;
  /* Warps that begin, more than there are commands: each frees
   * one, and none is told of while output credits are few */
  if (s->profile == ERRORS && p->count <= 1 && s->now.choked && rng_below(&s->rng, 4) == 0)
    s->now.again = (unsigned)rng_range(&s->rng, 16, 32);
}

/* True if the packet may be the one that the block's warp waits for. The warp takes it some
 * cycles later, and one of a few more packets meets that take. */
static bool awaited(const block_t *b, unsigned seq) {
  unsigned done = 0;
  while (done <= seq && b->mem[done].done) done++;
  return b->commanded && done > seq;
}

/* Read data or write addresses of load or store `seq`: the threads that
 * are left, or a part of them. */
static void send_memory(state_t *s, block_t *b, unsigned seq) {
  mem_t *m = &b->mem[seq];
  bool store = s->program[b->program].store[seq];
  uint32_t *hdr = new_beat(s, store ? PKT_WTA : PKT_RDF_RESP);
  uint32_t mask = often(s, knob(s)->divergent) ? m->left & (0 - m->left)
                  : s->profile == BRIM         ? m->left
                                               : stim_part(&s->rng, m->left);
  if (!store) operand_line(s, b, s->program[b->program].dest[seq]);
  set_id(hdr, b, seq);
  HDR_SET(hdr, mask, mask);
  HDR_SET(hdr, lmask, m->lmask);
  HDR_SET(hdr, size, m->size);
  HDR_SET(hdr, addr, HDR_GET(hdr, addr) & ~UINT64_C(127));
  if (rng_bits(&s->rng, 1)) HDR_SET(hdr, aligned, 1);
  m->left &= ~mask;
  m->done = !m->left;
  b->mem_left -= m->done;
  if (s->profile == ERRORS && awaited(b, seq) && rng_bits(&s->rng, 1))
    s->now.again = (unsigned)rng_range(&s->rng, 3, 8);
}

/* True if a block's loads and stores go one after the other, so that not all of them are late. */
static bool in_turn(const state_t *s, const block_t *b) {
  return s->profile == BRIM || (s->profile == UNACKED && !s->program[b->program].some_loads);
}

/* Brim: data or addresses come first while a buffer still lacks them. */
static bool filling(const state_t *s) {
  const brim_t *b = &s->now.brim;
  if (s->profile != BRIM || !b->filled || b->step != FREE) return false;
  for (unsigned i = 0; i < MAX_BLOCKS; i++)
    if (s->now.block[i].active && s->now.block[i].mem_left) return true;
  return b->blocks > 0;
}

/* Sends one of the block's packets, if the profile's order allows one now. */
static bool send_of_block(state_t *s, unsigned i) {
  block_t *b = &s->now.block[i];
  unsigned order = knob(s)->order;
  bool may_command = b->active && !b->commanded && (s->now.commanding == NO_BLOCK || s->now.commanding == i);
  bool may_send = b->active && b->mem_left && !(s->profile == BRIM && s->now.brim.step < FREE);
  if (order == COMMAND_FIRST && (!b->commanded || !often(s, 8))) may_send = false;
  if ((order == DATA_FIRST && b->mem_left) || filling(s)) may_command = false;
  if (may_command && may_send && rng_bits(&s->rng, 1)) may_send = false;
  if (may_send) {
    unsigned mem = s->program[b->program].mem, seq = in_turn(s, b) ? 0 : (unsigned)rng_below(&s->rng, mem);
    while (b->mem[seq].done) seq = (seq + 1) % mem;
    send_memory(s, b, seq);
  } else if (may_command) {
    send_command(s, i);
  }
  return may_send || may_command;
}

static bool send_block(state_t *s) {
  unsigned i = (unsigned)rng_below(&s->rng, MAX_BLOCKS);
  if (!s->now.blocks) return false;
  for (unsigned n = 0; n < MAX_BLOCKS; n++, i = (i + 1) % MAX_BLOCKS)
    if (send_of_block(s, i)) return true;
  return false;
}

static bool send_write_ack(state_t *s) {
  bool held_back = s->profile == UNACKED && s->now.quiet < 200; /* until no more come */
  if (!s->now.writes || held_back || !often(s, s->profile == UNACKED ? 60 : knob(s)->ack)) return false;
  unsigned slot = (unsigned)rng_bits(&s->rng, 6);
  while (!s->now.write[slot]) slot = (slot + 1) % 64;
  HDR_SET(new_beat(s, PKT_WRITE_ACK), slot, slot);
  s->now.write[slot]--;
  s->now.writes--;
  return true;
}

static bool send_fill(state_t *s, fetches_t *fetches, unsigned type) {
  if (!fetches->count || !often(s, knob(s)->fill)) return false;
  unsigned i = (unsigned)rng_below(&s->rng, fetches->count);
  uint64_t addr = fetches->addr[i];
  if (s->profile == BRIM && s->now.brim.held && addr == s->now.brim.end) return false;
  fetches->addr[i] = fetches->addr[--fetches->count];
  HDR_SET(new_beat(s, type), addr, addr);
  for (unsigned word = 0; type == PKT_IFILL && word < LINE_WORDS; word += 2) {
    uint64_t instr = code_at(s, addr + word * 4);
    s->now.beat[word] = (uint32_t)instr;
    s->now.beat[word + 1] = (uint32_t)(instr >> 32);
  }
  return true;
}

/* Packets of ids that nothing asks for, or commands of blocks that do not exist. */
static void send_flood(state_t *s) {
  uint32_t *hdr = new_beat(s, s->now.flood);
  HDR_SET(hdr, mask, HDR_GET(hdr, mask) & HDR_GET(hdr, lmask));
  if (s->now.flood == PKT_CMD) HDR_SET(hdr, beat, 0);
  if (s->now.flood == PKT_CMD) HDR_SET(hdr, count, rng_below(&s->rng, 2));
}

/* A packet of a load or store with some threads in the buffer, wrong in
 * one way. The buffer must drop it. */
static bool send_wrong_part(state_t *s) {
  const block_t *b = &s->now.block[rng_below(&s->rng, MAX_BLOCKS)];
  unsigned mem = b->active ? s->program[b->program].mem : 0, seq = mem ? (unsigned)rng_below(&s->rng, mem) : 0;
  for (unsigned n = 0; n < mem && !(b->mem[seq].left && b->mem[seq].left != b->mem[seq].lmask); n++)
    seq = (seq + 1) % mem;
  if (!mem || !b->mem[seq].left || b->mem[seq].left == b->mem[seq].lmask) return false;
  const mem_t *m = &b->mem[seq];
  uint32_t there = m->lmask & ~m->left, mask = stim_part(&s->rng, m->left), lmask = m->lmask, size = m->size;
  switch (rng_below(&s->rng, 4)) {
  case 0: mask = (there & (0 - there)) | (rng_bits(&s->rng, 1) ? mask : 0); break;
  case 1: size ^= (uint32_t)rng_range(&s->rng, 1, 3); break;
  case 2: lmask ^= 1u << rng_below(&s->rng, 32); break;
  default: mask |= ~lmask & (0 - ~lmask); break;
  }
  if (mask == m->left && lmask == m->lmask && size == m->size) return false; /* all threads: there is none outside */
  uint32_t *hdr = new_beat(s, s->program[b->program].store[seq] ? PKT_WTA : PKT_RDF_RESP);
  set_id(hdr, b, seq);
  HDR_SET(hdr, mask, mask);
  HDR_SET(hdr, lmask, lmask);
  HDR_SET(hdr, size, size);
  return true;
}

/* Packets that no GPU sends. */
static void send_wrong(state_t *s) {
  static const uint8_t types[] = {PKT_CMD, PKT_RDF_RESP,  PKT_RDF_RESP, PKT_WTA,
                                  PKT_WTA, PKT_WRITE_ACK, PKT_IFILL,    PKT_CFILL};
  if (rng_bits(&s->rng, 1) && send_wrong_part(s)) return;
  unsigned type = rng_below(&s->rng, 12) ? types[rng_below(&s->rng, sizeof types)] : (unsigned)rng_bits(&s->rng, 4);
  uint32_t *hdr = new_beat(s, type);
  const block_t *b = &s->now.block[rng_below(&s->rng, MAX_BLOCKS)];
  if (rng_bits(&s->rng, 1)) set_id(hdr, b, (unsigned)rng_bits(&s->rng, 2));                /* may meet its entry */
  if (rng_bits(&s->rng, 1)) HDR_SET(hdr, lmask, HDR_GET(hdr, lmask) | HDR_GET(hdr, mask)); /* may open one */
  /* may not have been asked for yet */
  if (type == PKT_IFILL && rng_below(&s->rng, 4)) HDR_SET(hdr, addr, s->now.imiss);
  if (type == PKT_CFILL && rng_below(&s->rng, 4)) HDR_SET(hdr, addr, s->now.cmiss);
  if (type == PKT_CMD && s->now.commanding != NO_BLOCK) HDR_SET(hdr, beat, 7); /* keeps the one under way whole */
  if (rng_below(&s->rng, 8) == 0) s->now.cls = !s->now.cls;
}

/* Chooses the next packet. False: none is sent now. */
static bool new_packet(state_t *s) {
  if (s->now.again) {
    s->now.again--;
    return true;
  }
  if (!often(s, knob(s)->send)) return false;
  if (knob(s)->wrong && often(s, knob(s)->wrong * 2)) {
    if (s->now.flood && (s->now.flood != PKT_CMD || s->now.commanding == NO_BLOCK) && rng_below(&s->rng, 4))
      send_flood(s);
    else send_wrong(s);
    return true;
  }
  switch (rng_below(&s->rng, 8)) {
  case 0: return send_fill(s, &s->now.cfetch, PKT_CFILL) || send_block(s);
  case 1:
  case 2: return send_fill(s, &s->now.ifetch, PKT_IFILL) || send_block(s);
  case 3:
  case 4: return send_write_ack(s) || send_block(s);
  default: return send_block(s) || send_write_ack(s) || send_fill(s, &s->now.ifetch, PKT_IFILL);
  }
}

static void drive_input(state_t *s, nsu_in_t *in) {
  session_t *now = &s->now;
  if (!now->sending) {
    now->sending = new_packet(s);
    now->phit = 0;
  }
  if (!now->sending || often(s, knob(s)->gap)) return;
  in->in_valid = 1;
  beat_get_phit(now->beat, now->phit, PortBits, in->in_phit, PORT_WORDS(PortBits));
  stim_noise(&s->rng, in->in_phit, beat_phit_bits(now->phit, PortBits), PortBits); /* beyond the beat: means nothing */
  now->phit++;
  now->sending = now->phit < BEAT_PHITS;
  in->in_class = now->sending ? rng_bits(&s->rng, 1) : now->cls;
}

/* --- Packets from the NSU */

/* Returns the credits of a packet; an acknowledgement's last beat ends its block. */
static void take_ack(state_t *s, const uint32_t *hdr) {
  session_t *now = &s->now;
  now->cr_cmd += (int)HDR_GET(hdr, cr_cmd);
  now->cr_rd += (int)HDR_GET(hdr, cr_rd);
  now->cr_wr += (int)HDR_GET(hdr, cr_wr);
  if (HDR_GET(hdr, type) != PKT_OFLD_ACK || HDR_GET(hdr, beat) + 1 < HDR_GET(hdr, count)) return;
  for (unsigned i = 0; i < MAX_BLOCKS; i++) {
    block_t *b = &now->block[i];
    if (!b->active || b->sm != HDR_GET(hdr, sm) || b->warp != HDR_GET(hdr, warp)) continue;
    s->program[b->program].users--;
    b->active = false;
    now->blocks--;
    if (now->commanding == i) now->commanding = NO_BLOCK; /* errors only */
  }
}

static void take_fetch(fetches_t *fetches, const uint32_t *hdr) {
  if (fetches->count < MAX_FETCHES) fetches->addr[fetches->count++] = HDR_GET(hdr, addr);
}

static void take_packet(state_t *s, const uint32_t *hdr) {
  switch (HDR_GET(hdr, type)) {
  case PKT_WRITE:
    s->now.quiet = 0;
    s->now.write[HDR_GET(hdr, slot)]++;
    s->now.writes++;
    break;
  case PKT_IFETCH: take_fetch(&s->now.ifetch, hdr); break;
  case PKT_CFETCH: take_fetch(&s->now.cfetch, hdr); break;
  default: take_ack(s, hdr); break;
  }
}

static void see_output(state_t *s, const nsu_out_t *out) {
  session_t *now = &s->now;
  now->quiet++;
  if (out->probe_imiss) now->imiss = out->probe_imiss_addr;
  if (out->probe_cmiss) now->cmiss = out->probe_cmiss_addr;
  if (!out->out_valid) return;
  beat_put_phit(now->seen, now->phits_seen++, PortBits, out->out_phit);
  if (now->phits_seen < BEAT_PHITS) return;
  now->phits_seen = 0;
  now->owed[out->out_class]++;
  take_packet(s, now->seen + LINE_WORDS);
}

/* Output credits of this cycle, one bit for each message class. */
static uint64_t give_credits(state_t *s) {
  uint64_t credits = 0;
  s->now.silent = s->now.silent ? s->now.silent - 1 : s->profile == HUGE && rng_below(&s->rng, 8000) == 0 ? 6000 : 0;
  for (unsigned cls = 0; cls < 2; cls++) {
    if (knob(s)->wrong && rng_below(&s->rng, 200) == 0) credits |= 1u << cls;
    if (s->profile == BRIM && cls && s->now.brim.silent) continue;
    if (!s->now.owed[cls] || (cls && s->now.silent) || !often(s, s->now.choked ? 1 : knob(s)->credit)) continue;
    credits |= 1u << cls;
    s->now.owed[cls]--;
  }
  return credits;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_in_t *in = in_bytes;
  (void)cycle;
  see_output(s, out);
  if (s->profile == BRIM) play_brim(s, out);
  else if (often(s, 16)) start_block(s);
  in->stack_id = s->stack_id;
  in->out_credit = give_credits(s);
  drive_input(s, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  if (s->profile < ERRORS || cycle < s->next_reset) return false;
  begin_session(s);
  s->next_reset = cycle + session_length(s);
  return true;
}

/* Changes between profiles that keep the rules, or between those that break them. */
static unsigned turn(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  if ((s->profile >= ERRORS) == (profile >= ERRORS)) s->profile = profile;
  return s->profile;
}

/* A block that has everything it needs must end. */
static bool waiting(const void *state) {
  const state_t *s = state;
  return s->profile < ERRORS && s->now.blocks > 0;
}

STIM_DEFINE(nsu, .reset = reset, .turn = turn, .waiting = waiting, .patience = 50000, .legal = &nsu_legal)
