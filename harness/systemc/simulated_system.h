// SPDX-License-Identifier: Apache-2.0
//
// What a system has to give to be one of `systems`: a class for each machine, allocated by its kind. system.cpp calls it.
//
// Its SystemC modules stay when it is destroyed: the kernel still points to them, and the process ends with them.
#ifndef SIMULATED_SYSTEM_H
#define SIMULATED_SYSTEM_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
#include "system.h"
}

struct simulated_system {
  explicit simulated_system(const system_options_t &o) : options(o) {}
  simulated_system(const simulated_system &) = delete;
  virtual ~simulated_system() {
    for (engines_t *e : engines) engines_close(e);
  }

  virtual int make(char error[SYSTEM_ERROR]) = 0; // with `engines` there: 0, or the exit status
  virtual int load(const ptx_module_t *module, gpu_error_t *err) = 0;
  virtual uint64_t malloc(uint64_t bytes, gpu_error_t *err) = 0;
  virtual int release(uint64_t addr, gpu_error_t *err) = 0;
  virtual int copy_in(uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) = 0;
  virtual int copy_out(void *data, uint64_t addr, size_t bytes, gpu_error_t *err) = 0;
  virtual int launch(const rt_launch_t *launch, gpu_error_t *err) = 0;

  virtual bool running() const = 0;
  virtual double progress() const = 0;
  virtual uint64_t activity() const = 0;                                // anything that moves moves this
  virtual int check_rules(char error[SYSTEM_ERROR]) const = 0;          // 0, or the exit status: a fault, a broken rule
  virtual size_t describe_waits(char *text, size_t size) const = 0;     // as snprintf
  virtual void stats(system_stats_t *stats) const = 0;                  // all but those of the instances

  system_options_t options;
  engines_t *engines[SYSTEM_FAMILIES] = {};
  std::vector<std::string> replay[SYSTEM_FAMILIES];                     // files of instances that diverged
  uint64_t ticks_per_ns = 1;
};

inline int system_fail(char error[SYSTEM_ERROR], int status, const char *text) {
  std::snprintf(error, SYSTEM_ERROR, "%s", text);
  return status;
}

inline int system_status(outcome_t outcome) { return outcome == OUTCOME_PASS ? 0 : outcome == OUTCOME_BAD_INPUT ? 2 : 3; }

#endif
