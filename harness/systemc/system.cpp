// SPDX-License-Identifier: Apache-2.0
//
// SystemC modules around the C models. A module's method runs at the edges of its clocks and, at each, in this order:
//   1. packets that others have written into its channels go into the model, as far as that has room;
//   2. the model's clock ticks (where two clocks of a module coincide, in the order the model's header asks for);
//   3. packets that the model has ready go into the outgoing channels, as far as those have room.
// A module whose model is idle and whose channels are empty sleeps until one is written; it goes on at the next edge after that.

#include <systemc>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

extern "C" {
#include "clocks.h"
#include "system.h"
}

namespace {

using sc_core::sc_time;
using Channel = sc_core::sc_fifo<packet_t *>;

constexpr int kDepth = 4;       // packets a channel holds: enough never to limit a link
constexpr uint64_t kChunkNs = 2000;

struct Periods {                // in ticks
  uint64_t core, xbar, link, dram, nsu;
  uint64_t per_ns;
};

Periods make_periods(const system_config_t &config) {
  clocks_t clocks = {};
  const unsigned core = clocks_add_mhz(&clocks, config.core_mhz), xbar = clocks_add_mhz(&clocks, config.xbar_mhz);
  const unsigned link = clocks_add_mhz(&clocks, 1250), dram = clocks_add_ps(&clocks, 1500);
  const unsigned nsu = clocks_add_mhz(&clocks, config.nsu_mhz);
  return {clocks_period(&clocks, core), clocks_period(&clocks, xbar), clocks_period(&clocks, link),
          clocks_period(&clocks, dram), clocks_period(&clocks, nsu), clocks_ticks_per_ns(&clocks)};
}

uint64_t now() { return sc_core::sc_time_stamp().value(); }

// The first edge of a clock after an instant; edges are at multiples of the period.
uint64_t edge_after(uint64_t instant, uint64_t period) { return (instant / period + 1) * period; }

struct Channels {
  std::vector<std::unique_ptr<Channel>> all;
  Channel *add() {
    all.push_back(std::make_unique<Channel>(kDepth));
    return all.back().get();
  }
};

struct StackChannels {
  Channel *up[2], *down[2];     // GPU to stack, stack to GPU, by class
  Channel *to_nsu[2], *from_nsu[2];
};

class Gpu : public sc_core::sc_module {
 public:
  Gpu(sc_core::sc_module_name name, gpu_t *model, const Periods &p, std::vector<StackChannels> &stacks)
      : sc_module(name), model_(model), core_(p.core), xbar_(p.xbar), stacks_(stacks) {
    SC_HAS_PROCESS(Gpu);
    SC_METHOD(edge);
  }
  uint64_t cycles() const { return cycles_; }

 private:
  void edge() {
    const uint64_t t = now();
    if (t % core_ == 0) {
      if (gpu_running(model_)) {
        gpu_tick_core(model_);
        cycles_++;
      }
      if (!gpu_running(model_)) sc_core::sc_pause();
    }
    if (t % xbar_ == 0) {
      receive();
      gpu_tick_xbar(model_);
      send();
    }
    next_trigger(sc_time::from_value(std::min(edge_after(t, core_), edge_after(t, xbar_)) - t));
  }
  void receive() {
    for (unsigned s = 0; s < stacks_.size(); s++)
      for (Channel *in : stacks_[s].down) {
        packet_t *packet;
        while (gpu_can_push(model_, s) && in->nb_read(packet)) gpu_push(model_, s, packet);
      }
  }
  void send() {
    for (unsigned s = 0; s < stacks_.size(); s++)
      for (unsigned cls = 0; cls < 2; cls++)
        while (gpu_front(model_, s, cls) && stacks_[s].up[cls]->num_free() > 0)
          stacks_[s].up[cls]->nb_write(gpu_pop(model_, s, cls));
  }

  gpu_t *model_;
  uint64_t core_, xbar_, cycles_ = 0;
  std::vector<StackChannels> &stacks_;
};

class Memory : public sc_core::sc_module {
 public:
  Memory(sc_core::sc_module_name name, memory_system_t *model, const Periods &p, std::vector<StackChannels> &stacks)
      : sc_module(name), model_(model), link_(p.link), dram_(p.dram), stacks_(stacks) {
    SC_HAS_PROCESS(Memory);
    for (auto &s : stacks_)
      for (unsigned cls = 0; cls < 2; cls++)
        written_ |= s.up[cls]->data_written_event(), written_ |= s.from_nsu[cls]->data_written_event();
    SC_METHOD(edge);
  }

 private:
  void edge() {
    const uint64_t t = now();
    if (t % dram_ == 0 && !asleep_) memory_system_tick_dram(model_, t / dram_);
    if (t % link_ == 0 && !asleep_) {
      receive();
      memory_system_tick(model_, t / link_);
      send();
    }
    if (!asleep_ && memory_system_idle(model_) && quiet()) {
      asleep_ = true;
      next_trigger(written_);
      return;
    }
    asleep_ = false;
    next_trigger(sc_time::from_value(std::min(edge_after(t, link_), edge_after(t, dram_)) - t));
  }
  bool quiet() const {
    for (auto &s : stacks_)
      for (unsigned cls = 0; cls < 2; cls++)
        if (s.up[cls]->num_available() || s.from_nsu[cls]->num_available()) return false;
    return true;
  }
  static void into(Channel *in, link_t *link, unsigned cls) {
    packet_t *packet;
    while (link_can_push(link, cls) && in->nb_read(packet)) link_push(link, packet);
  }
  static void out_of(link_t *link, unsigned cls, Channel *out) {
    while (link_peek(link, cls) && out->num_free() > 0) out->nb_write(link_pop(link, cls));
  }
  void receive() {
    for (unsigned s = 0; s < stacks_.size(); s++)
      for (unsigned cls = 0; cls < 2; cls++) {
        into(stacks_[s].up[cls], &model_->node[s].from_gpu, cls);
        into(stacks_[s].from_nsu[cls], &model_->node[s].nsu.from_nsu, cls);
      }
  }
  void send() {
    for (unsigned s = 0; s < stacks_.size(); s++)
      for (unsigned cls = 0; cls < 2; cls++) {
        out_of(&model_->node[s].to_gpu, cls, stacks_[s].down[cls]);
        out_of(&model_->node[s].nsu.to_nsu, cls, stacks_[s].to_nsu[cls]);
      }
  }

  memory_system_t *model_;
  uint64_t link_, dram_;
  std::vector<StackChannels> &stacks_;
  sc_core::sc_event_or_list written_;
  bool asleep_ = false;
};

class Nsu : public sc_core::sc_module {
 public:
  Nsu(sc_core::sc_module_name name, const Periods &p, StackChannels &channels)
      : sc_module(name), period_(p.nsu), channels_(channels) {
    SC_HAS_PROCESS(Nsu);
    written_ |= channels_.to_nsu[0]->data_written_event();
    written_ |= channels_.to_nsu[1]->data_written_event();
    SC_METHOD(edge);
  }
  nsu_node_t *model = nullptr;  // takes and gives packets through the two functions below

  static packet_t *take(void *ctx, unsigned cls) {
    packet_t *packet;
    return static_cast<Nsu *>(ctx)->channels_.to_nsu[cls]->nb_read(packet) ? packet : nullptr;
  }
  static bool give(void *ctx, packet_t *packet) {
    Channel *out = static_cast<Nsu *>(ctx)->channels_.from_nsu[pkt_type_class(static_cast<unsigned>(packet->hdr.type))];
    return out->num_free() > 0 && out->nb_write(packet);
  }

 private:
  void edge() {
    const uint64_t t = now();
    if (!asleep_) nsu_node_cycle(model);
    if (!asleep_ && nsu_node_idle(model) && !channels_.to_nsu[0]->num_available() && !channels_.to_nsu[1]->num_available()) {
      asleep_ = true;
      next_trigger(written_);
      return;
    }
    asleep_ = false;
    next_trigger(sc_time::from_value(edge_after(t, period_) - t));
  }

  uint64_t period_;
  StackChannels &channels_;
  sc_core::sc_event_or_list written_;
  bool asleep_ = false;
};

void read_image(void *ctx, uint64_t addr, void *data, size_t bytes) {
  memory_image_read(static_cast<memory_image_t *>(ctx), addr, data, bytes);
}

void write_image(void *ctx, uint64_t addr, const void *data, size_t bytes) {
  memory_image_write(static_cast<memory_image_t *>(ctx), addr, data, bytes);
}

}  // namespace

struct simulated_system {
  system_options_t options;
  Periods periods;
  unsigned stacks;
  packet_pool_t *pool = nullptr;
  memory_image_t *image = nullptr;
  router_engines_t *routers = nullptr;
  memory_system_t *memory = nullptr;
  char router_replay[SYSTEM_MAX_STACKS][512] = {};
  gpu_t *gpu = nullptr;
  Channels channels;
  std::vector<StackChannels> stack;
  std::unique_ptr<Gpu> gpu_module;
  std::unique_ptr<Memory> memory_module;
  std::vector<std::unique_ptr<Nsu>> nsu;
};

namespace {

int fail(char error[SYSTEM_ERROR], int status, const char *text) {
  std::snprintf(error, SYSTEM_ERROR, "%s", text);
  return status;
}

int exit_status(outcome_t outcome) { return outcome == OUTCOME_PASS ? 0 : outcome == OUTCOME_BAD_INPUT ? 2 : 3; }

// What the routers are: params is filled in.
router_engines_config_t routers_of(const system_options_t &o, router_params_t *params) {
  *params = network_router_params(&o.config.memory.network);
  router_engines_config_t config = {};
  config.places = &o.places;
  config.rtl = o.router_rtl;
  config.params = params;
  config.engine = o.router;
  config.routers = 1u << o.config.memory.network.dims;
  return config;
}

int make_models(system_t *s, char error[SYSTEM_ERROR]) {
  const system_config_t &config = s->options.config;
  router_params_t params;
  const router_engines_config_t routers = routers_of(s->options, &params);
  if (int status = exit_status(router_engines_open(&s->routers, &routers, error, SYSTEM_ERROR))) return status;
  std::snprintf(error, SYSTEM_ERROR, "out of memory");
  s->pool = packet_pool_new();
  s->image = memory_image_new();
  if (!s->pool || !s->image) return 3;
  s->memory = memory_system_new(&config.memory, s->image, s->pool, router_engines_table(s->routers), error, SYSTEM_ERROR);
  if (!s->memory) return 3;
  gpu_error_t err = {};
  const gpu_memory_t memory = {s->image, read_image, write_image};
  s->gpu = gpu_new(&config.gpu, &memory, s->pool, &err);
  return s->gpu ? 0 : fail(error, err.status, err.text);
}

void make_channels(system_t *s) {
  for (unsigned k = 0; k < s->stacks; k++) {
    StackChannels c;
    for (unsigned cls = 0; cls < 2; cls++) {
      c.up[cls] = s->channels.add();
      c.down[cls] = s->channels.add();
      c.to_nsu[cls] = s->channels.add();
      c.from_nsu[cls] = s->channels.add();
    }
    s->stack.push_back(c);
  }
}

int make_nsu(system_t *s, const nsu_object_t *object, unsigned k, char error[SYSTEM_ERROR]) {
  const char *why;
  char name[16];
  std::snprintf(name, sizeof name, "nsu%u", k);
  auto module = std::make_unique<Nsu>(name, s->periods, s->stack[k]);
  const nsu_peer_t peer = {module.get(), Nsu::take, Nsu::give};
  module->model = nsu_node_new(object, s->options.engine[k], k, s->pool, &peer, &why);
  if (!module->model) return fail(error, 3, why);
  s->nsu[k] = std::move(module);
  return 0;
}

int make_modules(system_t *s, char error[SYSTEM_ERROR]) {
  const nsu_object_t *object = nullptr;
  const char *why;
  if (s->options.nsu_object && !(object = nsu_object_load(s->options.nsu_object, &why))) {
    std::snprintf(error, SYSTEM_ERROR, "%s: %s", s->options.nsu_object, why);
    return 3;
  }
  const bool reversed = s->options.reversed;
  if (!reversed) s->gpu_module = std::make_unique<Gpu>("gpu", s->gpu, s->periods, s->stack);
  if (!reversed) s->memory_module = std::make_unique<Memory>("memory", s->memory, s->periods, s->stack);
  s->nsu.resize(object ? s->stacks : 0);
  for (unsigned i = 0; i < s->nsu.size(); i++)
    if (int status = make_nsu(s, object, reversed ? s->stacks - 1 - i : i, error)) return status;
  if (reversed) s->memory_module = std::make_unique<Memory>("memory", s->memory, s->periods, s->stack);
  if (reversed) s->gpu_module = std::make_unique<Gpu>("gpu", s->gpu, s->periods, s->stack);
  return 0;
}

size_t describe_nsus(const system_t *s, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < s->nsu.size(); k++) {
    if (nsu_node_idle(s->nsu[k]->model)) continue;
    const int n = std::snprintf(text + used, used < size ? size - used : 0, "nsu%u: not idle\n", k);
    used += static_cast<size_t>(n);
  }
  return used;
}

int deadlock(const system_t *s, char error[SYSTEM_ERROR]) {
  int n = std::snprintf(error, SYSTEM_ERROR, "deadlock: nothing has moved for %llu us; waiting:\n",
                        static_cast<unsigned long long>(s->options.config.watchdog_us));
  size_t used = static_cast<size_t>(n);
  const auto room = [&] { return used < SYSTEM_ERROR ? SYSTEM_ERROR - used : 0; };
  used += gpu_describe_waits(s->gpu, error + std::min<size_t>(used, SYSTEM_ERROR), room());
  used += memory_system_describe_waits(s->memory, error + std::min<size_t>(used, SYSTEM_ERROR), room());
  describe_nsus(s, error + std::min<size_t>(used, SYSTEM_ERROR), room());
  return 1;
}

// Anything that moves moves this: instructions, and what passes the crossbar, the links, the network and the vaults.
uint64_t activity(const system_t *s) {
  const gpu_stats_t g = gpu_stats(s->gpu);
  uint64_t sum = g.warp_instructions + g.nsu_skipped + g.xbar_up_bytes + g.xbar_down_bytes;
  for (unsigned t = 0; t < 16; t++) sum += g.sent_packets[t] + g.got_packets[t];
  sum += network_stats(s->memory->network).link_flits;
  for (unsigned k = 0; k < s->stacks; k++) {
    const vault_stats_t v = mem_stack_vault_stats(s->memory->node[k].stack);
    sum += v.read_bursts + v.write_bursts;
  }
  for (auto &n : s->nsu) sum += nsu_node_stats(n->model).instructions;
  return sum;
}

int check_rules(const system_t *s, char error[SYSTEM_ERROR]) {
  if (const gpu_error_t *fault = gpu_fault(s->gpu)) return fail(error, fault->status, fault->text);
  if (const char *broken = memory_system_error(s->memory)) return fail(error, 1, broken);
  for (unsigned k = 0; k < s->nsu.size(); k++) {
    const nsu_node_stats_t stats = nsu_node_stats(s->nsu[k]->model);
    const char *broken = nsu_node_error(s->nsu[k]->model);
    if (!broken && !stats.errors) continue;
    std::snprintf(error, SYSTEM_ERROR, "nsu[%u]: %s", k,
                  broken ? broken : pkt_err_name(static_cast<unsigned>(__builtin_ctzll(stats.errors))));
    return 1;
  }
  return 0;
}

}  // namespace

// libsystemc's own main would call this; ours is in the command.
int sc_main(int, char **) { return 0; }

int system_prepare(const system_options_t *options, char error[SYSTEM_ERROR]) {
  router_params_t params;
  const router_engines_config_t routers = routers_of(*options, &params);
  return exit_status(router_engines_build(&routers, error, SYSTEM_ERROR));
}

system_t *system_new(const system_options_t *options, int *status, char error[SYSTEM_ERROR]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);  // one "picosecond" is one tick
  auto *s = new simulated_system;
  s->options = *options;
  s->periods = make_periods(options->config);
  s->stacks = 1u << options->config.memory.network.dims;
  *status = make_models(s, error);
  if (!*status) {
    make_channels(s);
    *status = make_modules(s, error);
  }
  if (!*status) return s;
  system_free(s);
  return nullptr;
}

void system_free(system_t *s) {
  if (!s) return;
  for (auto &n : s->nsu)
    if (n) nsu_node_free(n->model);
  gpu_free(s->gpu);
  memory_system_free(s->memory);
  router_engines_close(s->routers);
  if (s->image) memory_image_free(s->image);
  packet_pool_free(s->pool);
  // SystemC's modules stay: its kernel still points to them, and the process ends with them.
  for (auto &n : s->nsu) n.release();
  s->gpu_module.release();
  s->memory_module.release();
  for (auto &c : s->channels.all) c.release();
  delete s;
}

gpu_t *system_gpu(system_t *s) { return s->gpu; }

int system_run(system_t *s, char error[SYSTEM_ERROR]) {
  const uint64_t patience = s->options.config.watchdog_us * 1000 * s->periods.per_ns;
  uint64_t last = activity(s), since = now();
  while (gpu_running(s->gpu)) {
    sc_core::sc_start(sc_time::from_value(kChunkNs * s->periods.per_ns));
    if (int status = check_rules(s, error)) return status;
    if (s->options.interrupted && *s->options.interrupted) return fail(error, 3, "interrupted");
    if (s->options.progress) s->options.progress(s->options.progress_ctx, gpu_progress(s->gpu));
    const uint64_t moved = activity(s);
    if (moved != last) last = moved, since = now();
    else if (now() - since >= patience) return deadlock(s, error);
  }
  router_engines_settle(s->routers);
  return check_rules(s, error);
}

const char *system_capture(system_t *s, const capture_t *capture) {
  const char *failed = nullptr;
  for (auto &n : s->nsu)
    if (nsu_node_stats(n->model).divergences)
      if (const char *why = nsu_node_capture(n->model, capture)) failed = why;
  for (unsigned k = 0; k < s->stacks; k++) {
    router_report_t report;
    router_engines_report(s->routers, k, &report);
    if (!report.diverged) continue;
    if (const char *why = router_engines_capture(s->routers, k, capture, s->router_replay[k], sizeof s->router_replay[k])) {
      failed = why;
      s->router_replay[k][0] = 0;
    }
  }
  return failed;
}

void system_stats(const system_t *s, system_stats_t *stats) {
  *stats = {};
  stats->cycles = s->gpu_module->cycles();
  stats->gpu = gpu_stats(s->gpu);
  stats->nsu_cycles = now() / s->periods.nsu;
  const network_stats_t network = network_stats(s->memory->network);
  std::copy(network.bytes, network.bytes + 16, stats->network_bytes);
  stats->network_link_flits = network.link_flits;
  for (unsigned k = 0; k < s->stacks; k++) {
    router_engines_report(s->routers, k, &stats->router[k].report);
    std::snprintf(stats->router[k].replay, sizeof stats->router[k].replay, "%s", s->router_replay[k]);
  }
  for (unsigned k = 0; k < s->stacks; k++) {
    const vault_stats_t v = mem_stack_vault_stats(s->memory->node[k].stack);
    stats->row_hits += v.row_hits;
    stats->row_misses += v.row_misses;
    stats->row_conflicts += v.row_conflicts;
    stats->refreshes += v.refreshes;
    stats->vault_reads += v.reads;
    stats->vault_writes += v.writes;
  }
  for (unsigned k = 0; k < s->nsu.size(); k++) stats->nsu[k] = nsu_node_stats(s->nsu[k]->model);
}
