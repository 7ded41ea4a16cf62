/* SPDX-License-Identifier: Apache-2.0 */
#include "ndp_manager.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int ndp_manager_init(ndp_manager_t *m, const gpu_config_t *config) {
  memset(m, 0, sizeof *m);
  m->num_stacks = config->num_stacks;
  m->queue_size = config->num_sms * GPU_MAX_WARPS;
  m->max_cmd = config->nsu_cmd_entries;
  m->max_rd = config->nsu_rd_entries;
  m->max_wr = config->nsu_wr_entries;
  for (unsigned s = 0; s < m->num_stacks; s++) {
    m->stack[s] = (ndp_stack_t){.cmd = m->max_cmd, .rd = m->max_rd, .wr = m->max_wr};
    if (!(m->stack[s].queue = calloc(m->queue_size, sizeof(ndp_request_t)))) return -1;
  }
  return 0;
}

void ndp_manager_deinit(ndp_manager_t *m) {
  for (unsigned s = 0; s < m->num_stacks; s++) free(m->stack[s].queue);
}

bool ndp_manager_fits(const ndp_manager_t *m, unsigned rd, unsigned wr) {
  return rd <= m->max_rd && wr <= m->max_wr;
}

void ndp_manager_request(ndp_manager_t *m, unsigned stack, ndp_request_t request) {
  ndp_stack_t *s = &m->stack[stack];
  assert(s->count < m->queue_size && ndp_manager_fits(m, request.rd, request.wr));
  s->queue[(s->head + s->count++) % m->queue_size] = request;
}

bool ndp_manager_grant(ndp_manager_t *m, unsigned stack, ndp_request_t *granted) {
  ndp_stack_t *s = &m->stack[stack];
  if (!s->count) return false;
  const ndp_request_t *r = &s->queue[s->head];
  if (s->cmd < 1 || s->rd < r->rd || s->wr < r->wr) return false;
  s->cmd -= 1;
  s->rd -= r->rd;
  s->wr -= r->wr;
  *granted = *r;
  s->head = (s->head + 1) % m->queue_size;
  s->count--;
  return true;
}

bool ndp_manager_credit(ndp_manager_t *m, unsigned stack, unsigned cmd, unsigned rd, unsigned wr) {
  ndp_stack_t *s = &m->stack[stack];
  if (s->cmd + cmd > m->max_cmd || s->rd + rd > m->max_rd || s->wr + wr > m->max_wr) return false;
  s->cmd += cmd;
  s->rd += rd;
  s->wr += wr;
  return true;
}
