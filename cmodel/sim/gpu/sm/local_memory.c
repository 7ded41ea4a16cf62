/* SPDX-License-Identifier: Apache-2.0 */
#include "local_memory.h"

#include <inttypes.h>

#include "simt_call.h"

int local_place(const gpu_shared_t *sh, const simt_store_t *store, unsigned slots, trouble_t *err) {
  gpu_run_t *r = sh->run;
  const uint64_t bytes = simt_stack_bytes(r->simt.kernel, sh->config->sm.stack);
  r->local_words = local_words(bytes);
  const uint64_t need = r->local_words * slots * sh->config->num_sms * LOCAL_ROW;
  if (sh->config->local_ideal || need <= r->local_room) return 0;
  if (r->local) page_table_release(sh->pages, r->local);
  trouble_t why = {0};
  r->local = store->allocate(store->machine, need, &why);
  r->local_room = r->local ? need : 0;
  if (r->local) return 0;
  return trouble_fail(err, why.kind, "kernel %s, local memory of %" PRIu64 " bytes a thread: %s",
                      r->simt.kernel->func->name, bytes, why.text);
}
