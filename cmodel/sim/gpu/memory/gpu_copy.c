/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_copy.h"

#include <inttypes.h>
#include <string.h>

#include "l2.h"
#include "pager.h"
#include "read_only.h"
#include "stack_address.h"

/* The L2 drops what the host overwrites. L1s are empty when a launch begins. */
static void drop_l2_lines(const gpu_shared_t *sh, uint64_t paddr, size_t bytes) {
  for (uint64_t line = paddr - paddr % GPU_LINE_BYTES; line < paddr + bytes; line += GPU_LINE_BYTES)
    cache_invalidate(&sh->slices[gpu_slice(sh->config, stack_of(line), line)].cache, line);
}

/* Copies a page at a time, or a line if lines of a page are apart. */
int gpu_copy(const gpu_shared_t *sh, uint64_t vaddr, const uint8_t *in, uint8_t *out, size_t bytes, trouble_t *err) {
  for (size_t done = 0; done < bytes;) {
    uint64_t at = vaddr + done, offset = at & (PAGE_BYTES - 1);
    size_t n = bytes - done < PAGE_BYTES - offset ? bytes - done : PAGE_BYTES - offset;
    const page_entry_t *page = page_table_find(sh->pages, at);
    if (!page || offset + n > page->valid)
      return trouble_fail(err, TROUBLE_INPUT, "copy of %zu bytes at 0x%" PRIx64 " is out of bounds of every allocation",
                          bytes, vaddr);
    if (sh->pages->map->line && n > GPU_LINE_BYTES - offset % GPU_LINE_BYTES)
      n = GPU_LINE_BYTES - offset % GPU_LINE_BYTES;
    const uint64_t paddr = page_table_physical(sh->pages, page->frame | offset);
    uint8_t *host = sh->pager ? pager_host_page(sh->pager, at) : NULL;
    if (host && in) memcpy(host + offset, in + done, n);
    else if (host) memcpy(out + done, host + offset, n);
    else if (in) {
      sh->memory->write(sh->memory->ctx, paddr, in + done, n);
      drop_l2_lines(sh, paddr, n);
      if (sh->read_only) read_only_write(sh->read_only, paddr);
    } else sh->memory->read(sh->memory->ctx, paddr, out + done, n);
    done += n;
  }
  return 0;
}
