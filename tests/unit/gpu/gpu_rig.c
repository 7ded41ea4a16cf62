/* SPDX-License-Identifier: Apache-2.0
 *
 * The rig of gpu_rig.h: queues of stacks, an NSU by the definition of its instructions,
 * memory.
 *
 * The NSU's arithmetic is nsu_alu.c and nsu_fp64.c, those of the NSU's golden model.
 */
#include "gpu_rig.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_packet.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The GPU's own accesses, by physical addresses. */
static void mem_read(void *ctx, uint64_t paddr, void *data, size_t bytes) {
  memory_image_read(((gpu_rig_t *)ctx)->image, paddr, data, bytes);
}
static void mem_write(void *ctx, uint64_t paddr, const void *data, size_t bytes) {
  assert(memory_image_write(((gpu_rig_t *)ctx)->image, paddr, data, bytes));
}

/* The first broken promise is kept. */
static void note_broken(gpu_rig_t *r, const char *what) {
  if (!r->broken) r->broken = what;
}

/* A packet for stack s, due after `delay` core cycles, not before the one in front of it. */
static void enqueue(gpu_rig_t *r, unsigned s, packet_t *p, uint64_t delay) {
  if (r->count[s] == r->capacity[s]) {
    unsigned n = r->capacity[s] * 2 + 64;
    rig_event_t *q = malloc(n * sizeof *q);
    for (unsigned i = 0; i < r->count[s]; i++) q[i] = r->queue[s][(r->head[s] + i) % r->capacity[s]];
    free(r->queue[s]);
    r->queue[s] = q, r->capacity[s] = n, r->head[s] = 0;
  }
  uint64_t due = r->core + delay;
  if (due < r->line_time[s]) due = r->line_time[s];
  r->line_time[s] = due;
  r->queue[s][(r->head[s] + r->count[s]++) % r->capacity[s]] = (rig_event_t){p, due};
}

/* ---- NSU ------------------------------------------------------------------------------------- */

/* The place of the warp whose block the packet belongs to. */
static rig_nsu_warp_t *nsu_warp(gpu_rig_t *r, const packet_t *p) {
  return &r->nsu[(p->hdr.target * r->config.num_sms + p->hdr.sm) * GPU_MAX_WARPS + p->hdr.warp];
}

static uint64_t nsu_result(unsigned op, uint64_t a, uint64_t b, uint64_t c);

/* Data of a load's threads. A load takes one entry
 * of the buffer, however many packets it comes in. */
static void take_rdf_resp(gpu_rig_t *r, packet_t *p) {
  rig_nsu_warp_t *w = nsu_warp(r, p);
  unsigned seq = (unsigned)p->hdr.seq, s = (unsigned)p->hdr.target;
  if (!w->read[seq].there && ++r->used_rd[s] > r->config.nsu_rd_entries) note_broken(r, "read data buffer overflow");
  if (w->read[seq].there && w->read[seq].lmask != p->hdr.lmask) note_broken(r, "RDF_RESP with another lmask");
  if (w->read[seq].have & p->hdr.mask) note_broken(r, "RDF_RESP of the same thread twice");
  if (!p->hdr.mask) r->empties++;
  w->read[seq].there = true;
  w->read[seq].lmask = (uint32_t)p->hdr.lmask;
  w->read[seq].have |= (uint32_t)p->hdr.mask;
  for (unsigned i = 0; i < 32; i++)
    if (p->hdr.mask >> i & 1) w->read[seq].data[i] = p->data[0][i];
  packet_free(r->pool, p);
}

/* Addresses of a store's threads, one entry for each store. */
static void take_wta(gpu_rig_t *r, packet_t *p) {
  rig_nsu_warp_t *w = nsu_warp(r, p);
  unsigned seq = (unsigned)p->hdr.seq, s = (unsigned)p->hdr.target, bytes = 1u << p->hdr.size;
  if (!w->write[seq].there && ++r->used_wr[s] > r->config.nsu_wr_entries)
    note_broken(r, "write address buffer overflow");
  if (w->write[seq].have & p->hdr.mask) note_broken(r, "WTA of the same thread twice");
  if (!p->hdr.mask) r->empties++;
  w->write[seq].there = true;
  w->write[seq].lmask = (uint32_t)p->hdr.lmask;
  w->write[seq].have |= (uint32_t)p->hdr.mask;
  w->write[seq].size = (uint8_t)p->hdr.size;
  for (unsigned i = 0; i < 32; i++)
    if (p->hdr.mask >> i & 1) w->write[seq].addr[i] = p->hdr.addr + (p->hdr.aligned ? i * bytes : p->hdr.offs[i]);
  r->wta++;
  packet_free(r->pool, p);
}

/* The block's command. A warp has one block at a time. */
static void take_cmd(gpu_rig_t *r, packet_t *p) {
  rig_nsu_warp_t *w = nsu_warp(r, p);
  if (w->command) note_broken(r, "two commands of one warp");
  if (++r->used_cmd[p->hdr.target] > r->config.nsu_cmd_entries) note_broken(r, "command buffer overflow");
  w->command = p;
  r->cmd++;
}

typedef struct {
  uint32_t f[16][32];
} regs_t;

/* A loaded byte or half as a register of 32 bits. */
static uint32_t extend_load(unsigned op, uint32_t x) {
  switch (op) {
  case OP_LD_U8: return x & 0xff;
  case OP_LD_S8: return (uint32_t)(int32_t)(int8_t)x;
  case OP_LD_U16: return x & 0xffff;
  case OP_LD_S16: return (uint32_t)(int32_t)(int16_t)x;
  default: return x;
  }
}

/* Whether all packets of the block have come: it walks
 * through its code and looks at each load and store. */
static bool everything_there(gpu_rig_t *r, rig_nsu_warp_t *w) {
  uint64_t pc = w->command->hdr.addr, instr;
  for (unsigned seq = 0;; pc += 8) {
    memory_image_read(r->image, pc, &instr, 8);
    const isa_op_t *op = isa_op(isa_opcode(instr));
    if (!op) {
      note_broken(r, "illegal NSU instruction");
      return false;
    }
    if (op->kind == ISA_END) return true;
    if (op->kind == ISA_LD && (!w->read[seq].there || w->read[seq].have != w->read[seq].lmask)) return false;
    if (op->kind == ISA_ST && (!w->write[seq].there || w->write[seq].have != w->write[seq].lmask)) return false;
    if (op->kind == ISA_LD || op->kind == ISA_ST) seq++;
  }
}

/* Each line that the block writes is told to the GPU once. */
static void send_inval(gpu_rig_t *r, const packet_t *cmd, uint64_t line, uint64_t *sent, unsigned *count) {
  for (unsigned i = 0; i < *count; i++)
    if (sent[i] == line) return;
  sent[(*count)++] = line;
  packet_t *p = packet_new(r->pool, PKT_INVAL);
  unsigned s = stack_of(line);
  p->src = (uint16_t)s, p->dst = PKT_GPU, p->hdr.sm = cmd->hdr.sm, p->hdr.warp = cmd->hdr.warp;
  p->hdr.addr = r->lose_invals_addr ? line ^ 0x100000 : line;
  enqueue(r, s, p, r->latency);
}

/* A store of the block: its words to memory, INVALs for its lines. */
static void store_words(gpu_rig_t *r, rig_nsu_warp_t *w, unsigned seq, const uint32_t *value) {
  uint64_t sent[32];
  unsigned count = 0;
  for (unsigned i = 0; i < 32; i++) {
    if (!(w->write[seq].have >> i & 1)) continue;
    assert(memory_image_write(r->image, w->write[seq].addr[i], &value[i], 1u << w->write[seq].size));
    send_inval(r, w->command, w->write[seq].addr[i] & ~127ull, sent, &count);
  }
}

/* A register, and the one after it: the high word if they are a pair. */
static uint64_t register_pair(const regs_t *x, unsigned reg, unsigned thread) {
  return x->f[reg][thread] | (uint64_t)x->f[reg | 1][thread] << 32;
}

/* An instruction on all threads of the mask whose guard holds. */
static void execute_alu(uint64_t in, regs_t *x, uint32_t mask) {
  for (unsigned i = 0; i < 32; i++) {
    bool on = mask >> i & 1;
    if (isa_guard(in)) on &= (x->f[isa_rg(in)][i] != 0) != (isa_ginv(in) != 0);
    const uint64_t b = isa_immb(in) ? isa_imm(in) : register_pair(x, isa_rb(in), i);
    const uint64_t d = nsu_result(isa_opcode(in), register_pair(x, isa_ra(in), i), b, register_pair(x, isa_rc(in), i));
    if (!on) continue;
    x->f[isa_rd(in)][i] = (uint32_t)d;
    if (isa_pairs(isa_opcode(in)) & ISA_PAIR_D) x->f[isa_rd(in) | 1][i] = (uint32_t)(d >> 32);
  }
}

/* The command becomes its own answer: registers of the list, entries that are free again.
 * list: the number of registers in bits 31:28, then four bits each. */
static void finish_block(gpu_rig_t *r, rig_nsu_warp_t *w, const regs_t *x, uint32_t list, unsigned reads,
                         unsigned writes) {
  packet_t *p = w->command;
  unsigned s = (unsigned)p->hdr.target;
  p->hdr.type = PKT_OFLD_ACK;
  p->src = (uint16_t)s, p->dst = PKT_GPU;
  p->hdr.count = list >> 28;
  for (unsigned k = 0; k < p->hdr.count; k++) memcpy(p->data[k], x->f[list >> 4 * k & 15], 128);
  p->hdr.cr_cmd = 1, p->hdr.cr_rd = reads, p->hdr.cr_wr = writes;
  r->used_cmd[s]--, r->used_rd[s] -= reads, r->used_wr[s] -= writes;
  memset(w, 0, sizeof *w);
  enqueue(r, s, p, r->latency + r->hold_cycles);
}

/* The whole block at once, when everything is there.
 * Registers that nobody set have 0xee in each byte. */
static void execute_block(gpu_rig_t *r, rig_nsu_warp_t *w) {
  if (!w->command || !everything_there(r, w)) return;
  regs_t x;
  memset(&x, 0xee, sizeof x);
  uint64_t pc = w->command->hdr.addr, in;
  unsigned seq = 0, reads = 0, writes = 0;
  uint32_t mask = (uint32_t)w->command->hdr.mask, word;
  for (;; pc += 8) {
    memory_image_read(r->image, pc, &in, 8);
    unsigned op = isa_opcode(in);
    switch (isa_op(op)->kind) {
    case ISA_BEG:
      if (isa_imm(in) >> 28 != w->command->hdr.count) note_broken(r, "command with the wrong number of registers");
      for (unsigned k = 0; k < isa_imm(in) >> 28; k++) memcpy(x.f[isa_imm(in) >> 4 * k & 15], w->command->data[k], 128);
      break;
    case ISA_LD:
      for (unsigned i = 0; i < 32; i++)
        if (w->read[seq].have >> i & 1) x.f[isa_rd(in)][i] = extend_load(op, w->read[seq].data[i]);
      seq++, reads++;
      break;
    case ISA_ST:
      store_words(r, w, seq++, x.f[isa_ra(in)]);
      writes++;
      break;
    case ISA_LDC:
      memory_image_read(r->image, w->command->hdr.cbase + isa_imm(in), &word, 4);
      for (unsigned i = 0; i < 32; i++) x.f[isa_rd(in)][i] = word;
      break;
    case ISA_ALU: execute_alu(in, &x, mask); break;
    case ISA_END: finish_block(r, w, &x, isa_imm(in), reads, writes); return;
    }
  }
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* What a stack makes of a packet. False: the GPU has no room for the answer. */
static bool answer_packet(gpu_rig_t *r, unsigned s, packet_t *p) {
  unsigned bytes = 1u << p->hdr.size;
  uint8_t *line;
  bool to_gpu =
      p->hdr.type != PKT_RDF && p->hdr.type != PKT_RDF_RESP && p->hdr.type != PKT_WTA && p->hdr.type != PKT_CMD;
  if (to_gpu && !gpu_can_push(r->gpu, s)) return false;
  rig_nsu_warp_t *w = nsu_warp(r, p);
  switch (p->hdr.type) {
  case PKT_READ:
    memcpy(p->data[0], memory_image_line(r->image, p->hdr.addr), 128);
    p->hdr.type = PKT_READ_RESP;
    if (!r->slow_reads || r->num_late == 4096) break;
    p->dst = PKT_GPU, p->src = (uint16_t)s;
    r->late[r->num_late++] = (rig_event_t){p, r->core + r->slow_reads};
    return true;
  case PKT_WRITE:
    line = memory_image_line_to_write(r->image, p->hdr.addr);
    for (unsigned i = 0; i < 32; i++)
      if (p->hdr.mask >> i & 1) memcpy(line + (p->hdr.aligned ? i * bytes : p->hdr.offs[i]), &p->data[0][i], bytes);
    p->hdr.type = PKT_WRITE_ACK;
    break;
  case PKT_RDF:
    line = (uint8_t *)(uintptr_t)memory_image_line(r->image, p->hdr.addr);
    memset(p->data[0], 0, 128);
    for (unsigned i = 0; i < 32; i++)
      if (p->hdr.mask >> i & 1) memcpy(&p->data[0][i], line + (p->hdr.aligned ? i * bytes : p->hdr.offs[i]), bytes);
    r->rdf++;
    take_rdf_resp(r, p);
    execute_block(r, w);
    return true;
  case PKT_RDF_RESP:
    r->rdf_resp++;
    ni_lines_take(&r->lines[s], p);
    take_rdf_resp(r, p);
    execute_block(r, w);
    return true;
  case PKT_WTA:
    take_wta(r, p);
    execute_block(r, w);
    return true;
  case PKT_CMD:
    take_cmd(r, p);
    execute_block(r, w);
    return true;
  default: break; /* OFLD_ACK, INVAL: made here */
  }
  p->dst = PKT_GPU, p->src = (uint16_t)s;
  gpu_push(r->gpu, s, p);
  return true;
}

/* Requests go to the stack that has the address, packets of blocks to their target's. */
static void check_packet(gpu_rig_t *r, unsigned s, unsigned cls, const packet_t *p) {
  if (pkt_type_class((unsigned)p->hdr.type) != (int)cls) note_broken(r, "packet in the wrong class");
  if (p->src != PKT_GPU || p->dst != s) note_broken(r, "wrong src or dst");
  bool home = p->hdr.type == PKT_READ || p->hdr.type == PKT_WRITE || p->hdr.type == PKT_RDF;
  if (home && stack_of(p->hdr.addr) != s) note_broken(r, "request to a stack that has not the address");
  if (!home && p->hdr.target != s) note_broken(r, "packet for an NSU on another link than its target's");
}

/* READ_RESPs that slow_reads held back. */
static void step_late(gpu_rig_t *r) {
  unsigned kept = 0;
  for (unsigned i = 0; i < r->num_late; i++) {
    rig_event_t e = r->late[i];
    unsigned s = e.packet->src;
    if (e.due <= r->core && gpu_can_push(r->gpu, s)) gpu_push(r->gpu, s, e.packet);
    else r->late[kept++] = e;
  }
  r->num_late = kept;
}

/* One packet of each class in a cycle; answers of all that are due. */
static void step_stack(gpu_rig_t *r, unsigned s) {
  for (unsigned cls = 0; cls < 2; cls++) {
    if (!gpu_front(r->gpu, s, cls)) continue;
    packet_t *p = gpu_pop(r->gpu, s, cls);
    check_packet(r, s, cls, p);
    uint64_t delay = r->latency;
    if (r->random) delay += (r->random = r->random * 6364136223846793005u + 1442695040888963407u) >> 33 & 63;
    enqueue(r, s, p, delay);
  }
  while (r->count[s] && r->queue[s][r->head[s]].due <= r->core) {
    packet_t *p = r->queue[s][r->head[s]].packet;
    bool mine =
        p->hdr.type == PKT_RDF || p->hdr.type == PKT_RDF_RESP || p->hdr.type == PKT_WTA || p->hdr.type == PKT_CMD;
    if (!mine && !gpu_can_push(r->gpu, s)) return;
    r->head[s] = (r->head[s] + 1) % r->capacity[s]; /* off the queue first: execution may append to it */
    r->count[s]--;
    answer_packet(r, s, p);
  }
}

/* ---- Between nodes --------------------------------------------------------------------------- */

/* Onto the network: a cycle, or up to `unruly` cycles, whatever was sent before. */
static void depart_node(gpu_rig_t *r, packet_t *p) {
  if (r->in_flight == r->flights) {
    r->flights = 2 * r->flights + 64;
    r->flight = realloc(r->flight, r->flights * sizeof *r->flight);
  }
  r->unruly_random = r->unruly_random * 6364136223846793005u + 1442695040888963407u;
  r->flight[r->in_flight++] = (rig_event_t){p, r->core + 1 + (r->unruly ? (r->unruly_random >> 33) % r->unruly : 0)};
}

/* Packets between nodes: all that leave, and those due that their node has room for. */
static void step_nodes(gpu_rig_t *r) {
  unsigned kept = 0;
  for (unsigned k = 0; k < r->config.num_stacks; k++)
    for (unsigned cls = 0; cls < 2; cls++)
      while (gpu_node_front(r->gpu, k, cls)) depart_node(r, gpu_node_pop(r->gpu, k, cls));
  for (unsigned i = 0; i < r->in_flight; i++) {
    const rig_event_t e = r->flight[i];
    const unsigned to = e.packet->dst;
    if (to == e.packet->src) note_broken(r, "a packet for its own node over the network");
    if (e.due <= r->core && gpu_node_can_push(r->gpu, to, (unsigned)packet_class(e.packet)))
      gpu_node_push(r->gpu, to, e.packet);
    else r->flight[kept++] = e;
  }
  r->in_flight = kept;
}

/* 700 MHz and 1250 MHz: 14 core ticks to 25 of the crossbar. */
static void tick_rig(gpu_rig_t *r) {
  gpu_tick_core(r->gpu);
  gpu_tick_l2(r->gpu);
  r->core++;
  while (r->xbar * 14 < r->core * 25) {
    gpu_tick_xbar(r->gpu);
    r->xbar++;
  }
  if (r->config.nodes) step_nodes(r);
  for (unsigned s = 0; s < r->config.num_stacks; s++) step_stack(r, s);
  if (r->num_late) step_late(r);
}

/* At the end it runs on for ten latencies and 1000 cycles, so that credits come home. */
int rig_run(gpu_rig_t *r, const gpu_launch_t *launch, uint64_t max_cycles) {
  memset(&r->err, 0, sizeof r->err);
  if (gpu_launch(r->gpu, launch, &r->err)) return r->err.kind;
  for (uint64_t i = 0; gpu_running(r->gpu); i++) {
    if (i == max_cycles) {
      char text[20000];
      gpu_describe_waits(r->gpu, text, sizeof text);
      snprintf(r->err.text, sizeof r->err.text, "not done after %llu cycles", (unsigned long long)max_cycles);
      fprintf(stderr, "%s\n%s", r->err.text, text);
      return r->err.kind = TROUBLE_BROKEN;
    }
    tick_rig(r);
  }
  if (gpu_fault(r->gpu)) r->err = *gpu_fault(r->gpu);
  for (unsigned i = 0; !r->err.kind && i < 10 * r->latency + 1000; i++) tick_rig(r); /* credits come home */
  return r->err.kind;
}

/* ---- Runtime --------------------------------------------------------------------------------- */

/* The runtime (runtime.h) that workloads get: each call is the GPU's. */
static int rt_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  gpu_rig_t *r = ctx;
  *ptr = gpu_malloc(r->gpu, bytes, &r->err);
  return r->err.kind;
}
static int rt_free(void *ctx, rt_ptr_t ptr) {
  gpu_rig_t *r = ctx;
  gpu_release(r->gpu, ptr, &r->err);
  return r->err.kind;
}
static int rt_h2d(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  gpu_rig_t *r = ctx;
  gpu_copy_in(r->gpu, dst, src, bytes, &r->err);
  return r->err.kind;
}
static int rt_d2h(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  gpu_rig_t *r = ctx;
  gpu_copy_out(r->gpu, dst, src, bytes, &r->err);
  return r->err.kind;
}
static int rt_launch(void *ctx, const rt_launch_t *l) {
  gpu_launch_t g = {.kernel = l->kernel,
                    .grid = {l->grid.x, l->grid.y, l->grid.z},
                    .block = {l->block.x, l->block.y, l->block.z},
                    .shared_bytes = l->shared_bytes,
                    .params = l->params,
                    .param_bytes = l->param_bytes};
  return rig_run(ctx, &g, 100000000);
}

gpu_config_t rig_two_sms(void) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = c.num_stacks = 2;
  return c;
}

gpu_rig_t *rig_new(const gpu_config_t *config, const char *ptx, size_t size, const char *name, bool offload) {
  const gpu_parts_t parts = gpu_parts_of(config);
  return rig_new_of(config, &parts, ptx, size, name, offload);
}

gpu_rig_t *rig_new_of(const gpu_config_t *config, const gpu_parts_t *parts, const char *ptx, size_t size,
                      const char *name, bool offload) {
  gpu_rig_t *r = calloc(1, sizeof *r);
  ptx_error_t perr = {0};
  gpu_memory_t memory = {r, mem_read, mem_write};
  r->config = *config;
  r->policy = parts->policy;
  r->latency = 100;
  r->runtime = (runtime_t){r, rt_malloc, rt_free, rt_h2d, rt_d2h, rt_launch, 8, NULL, NULL, NULL, NULL, NULL};
  r->image = memory_image_new();
  r->pool = packet_pool_new();
  r->nsu = calloc((size_t)config->num_stacks * config->num_sms * GPU_MAX_WARPS, sizeof *r->nsu);
  r->gpu = gpu_new_of(config, parts, &memory, r->pool, &r->err);
  if (!r->gpu) return r;
  r->module = ptx_parse(ptx, size, name, &perr);
  if (!r->module) {
    r->err = perr.trouble;
    return r;
  }
  r->runtime.pointer_bytes = r->module->address_bytes;
  if (offload) r->offload = parts->policy->compile(r->module, config);
  gpu_load(r->gpu, r->module, r->offload, &r->err);
  return r;
}

void rig_free(gpu_rig_t *r) {
  gpu_free(r->gpu);
  if (r->offload) r->policy->discard(r->offload);
  ptx_free(r->module);
  packet_pool_free(r->pool);
  memory_image_free(r->image);
  for (unsigned s = 0; s < 8; s++) free(r->queue[s]);
  free(r->nsu);
  free(r->flight);
  free(r);
}

#include "nsu_alu.h"
#include "nsu_fp64.h"
static uint64_t nsu_result(unsigned op, uint64_t a, uint64_t b, uint64_t c) {
  return isa_pairs(op) ? nsu_fp64(op, a, b, c) : nsu_alu(op, (uint32_t)a, (uint32_t)b, (uint32_t)c);
}
