/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdio.h>

#include "simt_host.h"
#include "simt_module.h"

/* The status of a call: that of the first call that failed. */
static int host_status(const host_t *host) {
  return (int)host->trouble.kind;
}

static int host_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  *ptr = system_malloc(host->system, bytes, &host->trouble);
  return host_status(host);
}

static int host_free(void *ctx, rt_ptr_t ptr) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  system_release(host->system, ptr, &host->trouble);
  return host_status(host);
}

static int host_copy_in(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  system_copy_in(host->system, dst, src, bytes, &host->trouble);
  return host_status(host);
}

static int host_copy_out(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  system_copy_out(host->system, dst, src, bytes, &host->trouble);
  return host_status(host);
}

static int launch_by(host_t *host, const rt_launch_t *launch,
                     int (*begin)(system_t *, const rt_launch_t *, trouble_t *)) {
  if (host_status(host)) return host_status(host);
  if (!begin(host->system, launch, &host->trouble)) system_run(host->system, &host->trouble);
  return host_status(host);
}

static int host_launch(void *ctx, const rt_launch_t *launch) {
  return launch_by(ctx, launch, system_launch);
}

static int host_launch_cooperative(void *ctx, const rt_launch_t *launch) {
  return launch_by(ctx, launch, system_launch_cooperative);
}

static uint64_t host_cycles(void *ctx) {
  static uint64_t counts[COMPOSITION_PARTS][SYSTEM_COUNTS];
  host_t *host = ctx;
  system_counts(host->system, counts);
  return system_cycles(host->system, (const uint64_t(*)[SYSTEM_COUNTS])counts);
}

static int host_texture(void *ctx, const rt_texture_t *texture, uint64_t *handle) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  system_texture(host->system, texture, handle, &host->trouble);
  return host_status(host);
}

static int host_bind(void *ctx, const char *reference, uint64_t handle) {
  host_t *host = ctx;
  if (host_status(host)) return host_status(host);
  simt_bind(system_variables(host->system, host->module), host->module, reference, handle, &host->trouble);
  return host_status(host);
}

static char *host_printed(void *ctx, uint64_t *bytes) {
  host_t *host = ctx;
  uint64_t lost;
  size_t size;
  char *text = system_printed(host->system, &size, &lost);
  *bytes = size;
  if (lost) fprintf(stderr, "lockstack: " SIMT_HOST_LOST "\n", (unsigned long long)lost, SIMT_HOST_ROOM);
  return text;
}

runtime_t host_runtime(host_t *host, const ptx_module_t *module) {
  host->module = module;
  return (runtime_t){.ctx = host,
                     .malloc = host_malloc,
                     .free = host_free,
                     .memcpy_h2d = host_copy_in,
                     .memcpy_d2h = host_copy_out,
                     .launch = host_launch,
                     .pointer_bytes = module->address_bytes,
                     .cycles = host_cycles,
                     .texture = host_texture,
                     .bind = host_bind,
                     .printed = host_printed,
                     .launch_cooperative = host_launch_cooperative};
}
