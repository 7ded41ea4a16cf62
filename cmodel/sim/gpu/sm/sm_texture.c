/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces at issue: whose handle it is, where the texels are, and what of that is
 * wrong.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page_profile.h"
#include "pager.h"
#include "simt_memory.h"
#include "sm.h"
#include "texels.h"
#include "texture_decode.h"

static uint32_t word(const simt_warp_t *w, uint32_t at, unsigned lane) {
  return ((const uint32_t *)simt_src(w, at))[lane];
}

static uint64_t handle(const simt_warp_t *w, uint32_t at, unsigned lane) {
  return ((const uint64_t *)simt_src(w, at))[lane];
}

static int fault(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static int fault(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, const char *format, ...) {
  const simt_run_t *run = &sm->sh->run->simt;
  const sm_warp_t *w = &sm->warps[warp];
  const ptx_instr_t *in = sm_instr(sm, op);
  char thread[96], what[200];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread + lane, thread, sizeof thread);
  return trouble_fail(sm->sh->fault, TROUBLE_INPUT, "%s:%d: kernel %s: %s %s ('%s')", sm_func(sm, op)->file, in->line,
                      run->kernel->func->name, thread, what, in->text);
}

/* ---- whose handle it is ---------------------------------------------------------------------- */

static unsigned shape_of(const rt_texture_t *t) {
  return rt_texture_dims(t) | (t->layers ? TEXTURE_LAYERED : 0);
}

static const char *shape_name(unsigned shape) {
  static const char *const names[] = {
      [1] = "1d", [2] = "2d", [3] = "3d", [1 | TEXTURE_LAYERED] = "a1d", [2 | TEXTURE_LAYERED] = "a2d"};
  return names[shape];
}

/* NULL: faulted. what: "texture", "surface". */
static const rt_texture_t *named(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint32_t at,
                                 const char *what) {
  const uint64_t h = handle(&sm->warps[warp].simt, at, lane);
  const rt_texture_t *t = texture_table_find(sm->sh->textures, h);
  if (t) return t;
  if (h) fault(sm, warp, op, lane, "uses handle 0x%" PRIx64 ", which is no %s's", h, what);
  else fault(sm, warp, op, lane, "uses a %s that is bound to nothing", what);
  return NULL;
}

static const rt_texture_t *texture_of(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane) {
  const rt_texture_t *t = named(sm, warp, op, lane, op->base, "texture");
  if (!t) return NULL;
  if (t->kind > RT_TEXTURE_PITCH)
    fault(sm, warp, op, lane, "reads a %s as a texture", t->kind == RT_SURFACE ? "surface" : "sampler");
  else if (shape_of(t) != op->src_bytes)
    fault(sm, warp, op, lane, "reads a %s texture as %s", shape_name(shape_of(t)), shape_name(op->src_bytes));
  else if (t->kind == RT_TEXTURE_LINEAR && !(op->flags & SIMT_SIGNED))
    fault(sm, warp, op, lane, "reads linear memory at a coordinate that is no whole number");
  else return t;
  return NULL;
}

/* ---- tex, tld4 ------------------------------------------------------------------------------- */

static void locate(const simt_warp_t *w, const simt_op_t *op, unsigned lane, texels_t *t) {
  texture_point_t p = {.whole = op->flags & SIMT_SIGNED};
  if (op->src_bytes & TEXTURE_LAYERED) p.layer = word(w, op->v[TEXTURE_LAYER], lane);
  for (unsigned i = 0; i < (op->src_bytes & TEXTURE_DIMS); i++) {
    const uint32_t x = word(w, op->v[TEXTURE_X + i], lane);
    const uint32_t offset = (const uint32_t[3]){op->d, op->e, op->x}[i];
    memcpy(&p.x.i[i], &x, 4);
    if (offset != SIMT_NO_OPERAND) p.offset[i] = (int32_t)word(w, offset, lane);
  }
  texture_locate(t->texture[lane], t->sampler[lane], &p, op->sub == TEXTURE_GATHER, &t->fetch[lane]);
}

/* Textures, samplers and virtual addresses of all threads. -1: faulted. */
static int look_up(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, texels_t *t) {
  t->mask = mask, t->lines = 0;
  for (; mask; mask &= mask - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    if (!(t->texture[lane] = texture_of(sm, warp, op, lane))) return -1;
    t->sampler[lane] = op->c == SIMT_NO_OPERAND ? t->texture[lane] : named(sm, warp, op, lane, op->c, "sampler");
    if (!t->sampler[lane]) return -1;
    if (t->sampler[lane]->filter == RT_FILTER_LINEAR && !t->texture[lane]->unit &&
        rt_texel_kind(t->texture[lane]->format) != 'f')
      return fault(sm, warp, op, lane, "filters whole numbers");
    locate(&sm->warps[warp].simt, op, lane, t);
  }
  return 0;
}

/* Where a texel is in memory, and who has its page. */
static int place(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, unsigned tap, texels_t *t) {
  const uint64_t vaddr = t->fetch[lane].at[tap];
  const page_table_t *pages = sm->sh->pages;
  const page_entry_t *page = page_table_find(pages, vaddr);
  if (!page || (vaddr & (PAGE_BYTES - 1)) + rt_texture_texel(t->texture[lane]) > page->valid)
    return fault(sm, warp, op, lane,
                 "reads a texel at address 0x%" PRIx64 ", which is out of bounds of every allocation", vaddr);
  const uint64_t frame = page->frame | (vaddr & (PAGE_BYTES - 1)),
                 paddr = pages->map->line ? page_table_physical(pages, frame) : frame;
  if (sm->sh->profile && !page_profile_access(sm->sh->profile, sm->sh->nodes->of_sm[sm->id], 1, pages, &vaddr, &paddr))
    return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for the profile of pages");
  texels_place(t, lane, tap, paddr);
  return 0;
}

static int issue_fetch(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  const gpu_config_t *c = sm->sh->config;
  sm_warp_t *w = &sm->warps[warp];
  texels_t t;
  if (look_up(sm, warp, op, mask, &t)) return -1;
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    for (unsigned k = 0; k < t.fetch[lane].taps; k++)
      if (texels_wants(&t, lane, k) && place(sm, warp, op, lane, k, &t)) return -1;
  }
  sm->sh->stats->texture_fetches++;
  if (!t.lines) texels_write(&t, op, &w->simt); /* all is outside */
  else if (ldst_issue_texture(&sm->ldst, warp, &w->simt, op, &t))
    return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for textures");
  for (unsigned i = 0; i < op->num_dsts; i++)
    w->ready[op->dep[i]] = t.lines ? SM_NEVER : sm->now + c->l1.latency + c->sm.texture_latency;
  return 0;
}

/* ---- txq, suq -------------------------------------------------------------------------------- */

static int issue_query(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  sm_warp_t *w = &sm->warps[warp];
  for (; mask; mask &= mask - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const rt_texture_t *t = named(sm, warp, op, lane, op->base, "texture");
    if (!t) return -1;
    if (op->v[0] != SIMT_NO_OPERAND) ((uint32_t *)simt_dst(&w->simt, op->v[0]))[lane] = texture_query(t, op->round);
  }
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
  return 0;
}

int sm_issue_texture(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  if (!mask) {
    for (unsigned i = 0; i < op->num_dsts; i++)
      sm->warps[warp].ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
    return 0;
  }
  return op->sub == TEXTURE_QUERY ? issue_query(sm, warp, op, mask) : issue_fetch(sm, warp, op, mask);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* A coordinate within its size, if the instruction wants it so; false: outside. */
static bool within(int64_t *x, int64_t size, int64_t last, bool clamp) {
  if (*x >= 0 && *x < size) return true;
  if (clamp) *x = *x < 0 ? 0 : last;
  return clamp;
}

/* 1: at *vaddr; 0: outside, where a load gives zeros and a store does nothing; -1: faulted. */
static int spot(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t *vaddr) {
  const simt_warp_t *w = &sm->warps[warp].simt;
  const unsigned dims = op->src_bytes & TEXTURE_DIMS, bytes = op->bytes * op->vec;
  const bool clamp = op->round == SURFACE_CLAMP, layered = op->src_bytes & TEXTURE_LAYERED;
  const rt_texture_t *t = named(sm, warp, op, lane, op->base, "surface");
  if (!t) return -1;
  if (t->kind != RT_SURFACE) return fault(sm, warp, op, lane, "uses a texture as a surface");
  if (shape_of(t) != op->src_bytes)
    return fault(sm, warp, op, lane, "uses a %s surface as %s", shape_name(shape_of(t)), shape_name(op->src_bytes));
  const int64_t row = (int64_t)t->width * rt_texture_texel(t), deep = layered ? t->layers : t->depth;
  int64_t x = (int32_t)word(w, op->a, lane), y = dims > 1 ? (int32_t)word(w, op->b, lane) : 0, z = 0;
  if (layered) z = word(w, op->d, lane);
  else if (dims > 2) z = (int32_t)word(w, op->c, lane);
  if (x % bytes)
    return fault(sm, warp, op, lane, "is at byte %" PRId64 " of a surface's row, which is misaligned for %u bytes", x,
                 bytes);
  const bool in = within(&x, row - bytes + 1, (row - bytes) / bytes * bytes, clamp) &&
                  (dims < 2 || within(&y, t->height, t->height - 1, clamp)) &&
                  (!deep || within(&z, deep, deep - 1, clamp));
  if (!in && op->round == SURFACE_TRAP)
    return fault(sm, warp, op, lane,
                 "is at byte %" PRId64 ", row %" PRId64 ", slice %" PRId64 " of a surface, which is outside of it", x,
                 y, z);
  *vaddr = t->at + (uint64_t)z * t->slice + (uint64_t)y * t->pitch + (uint64_t)x;
  return in;
}

/* Those of the threads that access memory. -1: faulted. */
static int spots(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, uint64_t vaddr[32],
                 uint32_t *lanes) {
  for (*lanes = 0; mask; mask &= mask - 1) {
    const int in = spot(sm, warp, op, (unsigned)__builtin_ctz(mask), &vaddr[__builtin_ctz(mask)]);
    if (in < 0) return -1;
    if (in) *lanes |= mask & -mask;
  }
  return 0;
}

int sm_issue_surface(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  static const uint8_t zeros[32];
  sm_warp_t *w = &sm->warps[warp];
  uint64_t vaddr[32];
  uint32_t lanes;
  if (spots(sm, warp, op, mask, vaddr, &lanes)) return -1;
  for (uint32_t m = op->kind == SIMT_LOAD ? mask & ~lanes : 0; m; m &= m - 1)
    for (unsigned k = 0; k < op->vec; k++) simt_write_element(&w->simt, op, k, (unsigned)__builtin_ctz(m), zeros);
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
  if (mask) sm->sh->stats->surface_accesses++;
  return lanes ? sm_issue_global(sm, warp, op, lanes, vaddr) : 0;
}

/* ---- pages that come from the host ----------------------------------------------------------- */

bool sm_need_texels(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  texels_t t;
  uint64_t vaddr[32];
  uint32_t lanes;
  bool all = true;
  if (!sm->sh->pager || (op->kind == SIMT_TEXTURE && op->sub == TEXTURE_QUERY)) return true;
  if (op->kind != SIMT_TEXTURE) {
    if (spots(sm, warp, op, mask, vaddr, &lanes)) return true; /* faulted */
    for (; lanes; lanes &= lanes - 1) all &= pager_need(sm->sh->pager, vaddr[__builtin_ctz(lanes)]);
    return all;
  }
  if (look_up(sm, warp, op, mask, &t)) return true;
  for (; mask; mask &= mask - 1)
    for (unsigned lane = (unsigned)__builtin_ctz(mask), k = 0; k < t.fetch[lane].taps; k++)
      if (texels_wants(&t, lane, k)) all &= pager_need(sm->sh->pager, t.fetch[lane].at[k]);
  return all;
}
