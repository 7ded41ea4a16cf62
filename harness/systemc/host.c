/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdio.h>

static int failed(host_t *host, const gpu_error_t *err) {
  host->status = err->status;
  snprintf(host->error, sizeof host->error, "%s", err->text);
  return host->status;
}

static int host_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  host_t *host = ctx;
  gpu_error_t err = {0};
  if (host->status) return host->status;
  *ptr = gpu_malloc(system_gpu(host->system), bytes, &err);
  return *ptr ? 0 : failed(host, &err);
}

/* The device's allocator only grows: a run is short, and nothing is placed twice. */
static int host_free(void *ctx, rt_ptr_t ptr) {
  (void)ptr;
  return ((host_t *)ctx)->status;
}

static int host_copy_in(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  host_t *host = ctx;
  gpu_error_t err = {0};
  if (host->status) return host->status;
  return gpu_copy_in(system_gpu(host->system), dst, src, bytes, &err) ? failed(host, &err) : 0;
}

static int host_copy_out(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  host_t *host = ctx;
  gpu_error_t err = {0};
  if (host->status) return host->status;
  return gpu_copy_out(system_gpu(host->system), dst, src, bytes, &err) ? failed(host, &err) : 0;
}

static int host_launch(void *ctx, const rt_launch_t *launch) {
  host_t *host = ctx;
  gpu_error_t err = {0};
  const gpu_launch_t l = {.kernel = launch->kernel,
                          .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
                          .block = {launch->block.x, launch->block.y, launch->block.z},
                          .shared_bytes = launch->shared_bytes,
                          .params = launch->params,
                          .param_bytes = launch->param_bytes};
  if (host->status) return host->status;
  if (gpu_launch(system_gpu(host->system), &l, &err)) return failed(host, &err);
  return host->status = system_run(host->system, host->error);
}

runtime_t host_runtime(host_t *host) {
  return (runtime_t){host, host_malloc, host_free, host_copy_in, host_copy_out, host_launch};
}
