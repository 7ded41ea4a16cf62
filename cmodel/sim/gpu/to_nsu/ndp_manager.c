/* SPDX-License-Identifier: Apache-2.0
 *
 * The NDP buffer manager: a queue and free entries for each NSU.
 */
#include "ndp_manager.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One entry for each NSU, by stack and unit. */
static void list_nsus(ndp_manager_t *m, const gpu_config_t *config) {
  unsigned n = 0;
  for (unsigned s = 0; s < GPU_MAX_NSU_STACKS; s++) {
    m->first[s] = n;
    for (unsigned left = s < config->num_stacks ? config->nsu_units[s] : 0; left; left &= left - 1, n++)
      m->nsu[n] = (ndp_nsu_t){
          .stack = s, .unit = (unsigned)__builtin_ctz(left), .cmd = m->max_cmd, .rd = m->max_rd, .wr = m->max_wr};
  }
  m->first[GPU_MAX_NSU_STACKS] = n;
}

/* Each warp has at most one request, so a queue never overflows. */
int ndp_manager_init(ndp_manager_t *m, const gpu_config_t *config) {
  memset(m, 0, sizeof *m);
  m->queue_size = config->num_sms * GPU_MAX_WARPS;
  m->max_cmd = config->nsu_cmd_entries;
  m->max_rd = config->nsu_rd_entries;
  m->max_wr = config->nsu_wr_entries;
  for (unsigned s = 0; s < GPU_MAX_NSU_STACKS && s < config->num_stacks; s++)
    m->nsus += (unsigned)__builtin_popcount(config->nsu_units[s]);
  m->nsu = calloc(m->nsus + 1, sizeof *m->nsu);
  m->asked = calloc(m->queue_size, 1);
  m->queue = calloc((size_t)m->nsus * m->queue_size + 1, sizeof *m->queue);
  if (!m->nsu || !m->asked || !m->queue) return -1;
  list_nsus(m, config);
  return 0;
}

int ndp_manager_hardware(ndp_manager_t *m, const struct block_engine *const *engines) {
  m->instances = true;
  for (unsigned k = 0; k < m->nsus; k++)
    if (offload_credits_init(&m->nsu[k].hardware, engines, k)) return -1;
  return 0;
}

void ndp_manager_deinit(ndp_manager_t *m) {
  for (unsigned k = 0; m->nsu && k < m->nsus; k++) offload_credits_deinit(&m->nsu[k].hardware);
  free(m->nsu);
  free(m->queue);
  free(m->asked);
}

/* The request number `which` in an NSU's queue. */
static ndp_request_t *request_at(const ndp_manager_t *m, const ndp_nsu_t *n, unsigned which) {
  return &m->queue[(size_t)(n - m->nsu) * m->queue_size + (n->head + which) % m->queue_size];
}

bool ndp_manager_fits(const ndp_manager_t *m, unsigned rd, unsigned wr) {
  return rd <= m->max_rd && wr <= m->max_wr;
}

/* Blocks before a new one: waiting requests, and used command entries. */
static unsigned count_blocks_before(const ndp_manager_t *m, const ndp_nsu_t *n) {
  return n->count + m->max_cmd - n->cmd;
}

void ndp_manager_request(ndp_manager_t *m, unsigned stack, ndp_request_t request) {
  ndp_nsu_t *best = &m->nsu[m->first[stack]];
  for (ndp_nsu_t *n = best; n < &m->nsu[m->first[stack + 1]]; n++)
    if (count_blocks_before(m, n) < count_blocks_before(m, best)) best = n;
  assert(m->first[stack] < m->first[stack + 1] && best->count < m->queue_size &&
         ndp_manager_fits(m, request.rd, request.wr));
  *request_at(m, best, best->count++) = request;
  m->asked[request.sm * GPU_MAX_WARPS + request.warp] = (uint8_t)best->unit;
}

/* A warp's number in the instance. */
static unsigned request_tag(const ndp_request_t *r) {
  return (unsigned)r->sm * GPU_MAX_WARPS + r->warp;
}

/* True if the entries of a request are free. */
static bool entries_are_free(const ndp_nsu_t *n, const ndp_request_t *r) {
  return n->cmd >= 1 && n->rd >= r->rd && n->wr >= r->wr;
}

/* Passes on one request a cycle, in the order of the queue. A grant must be for the first
 * request, and its entries must be free here, too; otherwise the instance is broken. */
static void tick_instance(ndp_manager_t *m, ndp_nsu_t *n, trouble_t *fault) {
  const ndp_request_t *next = request_at(m, n, n->fed), *first = request_at(m, n, 0);
  unsigned tag;
  if (n->fed < n->count && offload_credits_ask(&n->hardware, request_tag(next), next->rd, next->wr)) n->fed++;
  n->granted = offload_credits_tick(&n->hardware, &tag, fault);
  if (!n->granted || (n->fed && tag == request_tag(first) && entries_are_free(n, first))) return;
  trouble_fail(fault, TROUBLE_BROKEN, "the manager of the NSU of stack %u grants %s", n->stack,
               n->fed && tag == request_tag(first) ? "entries that are not free"
                                                   : "a block that is not the first of those that wait");
  n->granted = false;
}

/* An NSU without requests and events skips its instance's step. */
void ndp_manager_tick(ndp_manager_t *m, trouble_t *fault) {
  for (unsigned k = 0; m->instances && k < m->nsus; k++) {
    ndp_nsu_t *n = &m->nsu[k];
    if (n->count || !offload_credits_idle(&n->hardware)) tick_instance(m, n, fault);
  }
}

bool ndp_manager_grant(ndp_manager_t *m, unsigned nsu, ndp_request_t *granted) {
  ndp_nsu_t *n = &m->nsu[nsu];
  if (!n->count) return false;
  const ndp_request_t *r = request_at(m, n, 0);
  if (m->instances ? !n->granted : !entries_are_free(n, r)) return false;
  n->cmd -= 1;
  n->rd -= r->rd;
  n->wr -= r->wr;
  *granted = *r;
  n->head = (n->head + 1) % m->queue_size;
  n->count--;
  n->granted = false;
  if (n->fed) n->fed--;
  return true;
}

unsigned ndp_manager_unit(const ndp_manager_t *m, unsigned sm, unsigned warp) {
  return m->asked[sm * GPU_MAX_WARPS + warp];
}

bool ndp_manager_credit(ndp_manager_t *m, unsigned stack, unsigned unit, unsigned cmd, unsigned rd, unsigned wr) {
  if (stack >= GPU_MAX_NSU_STACKS) return false;
  for (ndp_nsu_t *n = &m->nsu[m->first[stack]]; n < &m->nsu[m->first[stack + 1]]; n++) {
    if (n->unit != unit) continue;
    if (n->cmd + cmd > m->max_cmd || n->rd + rd > m->max_rd || n->wr + wr > m->max_wr) return false;
    n->cmd += cmd;
    n->rd += rd;
    n->wr += wr;
    if (m->instances) offload_credits_back(&n->hardware, cmd, rd, wr);
    return true;
  }
  return false;
}
