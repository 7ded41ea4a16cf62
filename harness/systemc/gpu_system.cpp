// SPDX-License-Identifier: Apache-2.0
//
// Systems nsu and baseline: the GPU die, the memory stacks with their links and network, one NSU a stack.
//
// SystemC modules around the C models. A module's method runs at the edges of its clocks and, at each, in this order:
//   1. packets that others have written into its channels go into the model, as far as that has room;
//   2. the model's clock ticks (where two clocks of a module coincide, in the order the model's header asks for);
//   3. packets that the model has ready go into the outgoing channels, as far as those have room.
// A module whose model is idle and whose channels are empty sleeps until one is written; it goes on at the next edge after that.

#include <systemc>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "simulated_system.h"

extern "C" {
#include "clocks.h"
#include "memory_system.h"
#include "nsu_ports.h"
#include "offload.h"
#include "router_engine.h"
#include "systems.h"
}

namespace {

using sc_core::sc_time;
using Channel = sc_core::sc_fifo<packet_t *>;

constexpr int kDepth = 4;       // packets a channel holds: enough never to limit a link

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

enum Family { kNsu, kRouter };

outcome_t router_engines(const system_config_t *config, engines_config_t *engines, char text[SYSTEM_ENGINE_TEXT], char *error, size_t size) {
  const router_params_t params = network_router_params(&config->memory.network);
  return router_engine_config(engines, &params, text, error, size);
}

outcome_t nsu_engines(const system_config_t *, engines_config_t *engines, char *, char *, size_t) {
  engines->block = "nsu";
  engines->constant = "stack_id";
  engines->in_size = sizeof(nsu_in_t);
  engines->out_size = sizeof(nsu_out_t);
  return OUTCOME_PASS;
}

class GpuSystem : public simulated_system {
 public:
  explicit GpuSystem(const system_options_t &o)
      : simulated_system(o), periods_(make_periods(o.config)), stacks_(1u << o.config.memory.network.dims) {
    ticks_per_ns = periods_.per_ns;
  }
  ~GpuSystem() override;
  int make(char error[SYSTEM_ERROR]) override;

  int load(const ptx_module_t *module, gpu_error_t *err) override {
    if (nsus_ && !(offload_ = offload_compile(module))) return gpu_fail(err, 3, "out of memory for the offload compiler");
    return gpu_load(gpu_, module, offload_, err);
  }
  uint64_t malloc(uint64_t bytes, gpu_error_t *err) override { return gpu_malloc(gpu_, bytes, err); }
  // The device's allocator only grows: a run is short, and nothing is placed twice.
  int release(uint64_t, gpu_error_t *) override { return 0; }
  int copy_in(uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) override { return gpu_copy_in(gpu_, addr, data, bytes, err); }
  int copy_out(void *data, uint64_t addr, size_t bytes, gpu_error_t *err) override { return gpu_copy_out(gpu_, data, addr, bytes, err); }
  int launch(const rt_launch_t *launch, gpu_error_t *err) override;

  bool running() const override { return gpu_running(gpu_); }
  double progress() const override { return gpu_progress(gpu_); }
  uint64_t activity() const override;
  int check_rules(char error[SYSTEM_ERROR]) const override;
  size_t describe_waits(char *text, size_t size) const override;
  void stats(system_stats_t *stats) const override;

 private:
  int make_models(char error[SYSTEM_ERROR]);
  void make_channels();
  int make_nsu(unsigned k, char error[SYSTEM_ERROR]);
  int make_modules(char error[SYSTEM_ERROR]);

  Periods periods_;
  unsigned stacks_;
  bool nsus_ = system_instances(&options, kNsu) > 0;
  packet_pool_t *pool_ = nullptr;
  memory_image_t *image_ = nullptr;
  memory_system_t *memory_ = nullptr;
  offload_t *offload_ = nullptr;
  gpu_t *gpu_ = nullptr;
  Channels channels_;
  std::vector<StackChannels> stack_;
  std::unique_ptr<Gpu> gpu_module_;
  std::unique_ptr<Memory> memory_module_;
  std::vector<std::unique_ptr<Nsu>> nsu_;
};

int GpuSystem::make_models(char error[SYSTEM_ERROR]) {
  const system_config_t &config = options.config;
  std::snprintf(error, SYSTEM_ERROR, "out of memory");
  pool_ = packet_pool_new();
  image_ = memory_image_new();
  if (!pool_ || !image_) return 3;
  memory_ = memory_system_new(&config.memory, image_, pool_, engines_table(engines[kRouter]), error, SYSTEM_ERROR);
  if (!memory_) return 3;
  gpu_error_t err = {};
  const gpu_memory_t memory = {image_, read_image, write_image};
  gpu_ = gpu_new(&config.gpu, &memory, pool_, &err);
  return gpu_ ? 0 : system_fail(error, err.status, err.text);
}

void GpuSystem::make_channels() {
  for (unsigned k = 0; k < stacks_; k++) {
    StackChannels c;
    for (unsigned cls = 0; cls < 2; cls++) {
      c.up[cls] = channels_.add();
      c.down[cls] = channels_.add();
      c.to_nsu[cls] = channels_.add();
      c.from_nsu[cls] = channels_.add();
    }
    stack_.push_back(c);
  }
}

int GpuSystem::make_nsu(unsigned k, char error[SYSTEM_ERROR]) {
  char name[16];
  std::snprintf(name, sizeof name, "nsu%u", k);
  auto module = std::make_unique<Nsu>(name, periods_, stack_[k]);
  const nsu_peer_t peer = {module.get(), Nsu::take, Nsu::give};
  module->model = nsu_node_new(engines_table(engines[kNsu])[k], k, pool_, &peer);
  if (!module->model) return system_fail(error, 3, "out of memory, or an NSU could not be made");
  nsu_[k] = std::move(module);
  return 0;
}

int GpuSystem::make_modules(char error[SYSTEM_ERROR]) {
  const bool reversed = options.reversed;
  if (!reversed) gpu_module_ = std::make_unique<Gpu>("gpu", gpu_, periods_, stack_);
  if (!reversed) memory_module_ = std::make_unique<Memory>("memory", memory_, periods_, stack_);
  nsu_.resize(nsus_ ? stacks_ : 0);
  for (unsigned i = 0; i < nsu_.size(); i++)
    if (int status = make_nsu(reversed ? stacks_ - 1 - i : i, error)) return status;
  if (reversed) memory_module_ = std::make_unique<Memory>("memory", memory_, periods_, stack_);
  if (reversed) gpu_module_ = std::make_unique<Gpu>("gpu", gpu_, periods_, stack_);
  return 0;
}

int GpuSystem::make(char error[SYSTEM_ERROR]) {
  if (int status = make_models(error)) return status;
  make_channels();
  return make_modules(error);
}

GpuSystem::~GpuSystem() {
  for (auto &n : nsu_)
    if (n) nsu_node_free(n->model);
  gpu_free(gpu_);
  memory_system_free(memory_);
  if (image_) memory_image_free(image_);
  packet_pool_free(pool_);
  offload_free(offload_);
  for (auto &n : nsu_) n.release();
  gpu_module_.release();
  memory_module_.release();
  for (auto &c : channels_.all) c.release();
}

int GpuSystem::launch(const rt_launch_t *launch, gpu_error_t *err) {
  gpu_launch_t l = {};
  l.kernel = launch->kernel;
  l.grid[0] = launch->grid.x, l.grid[1] = launch->grid.y, l.grid[2] = launch->grid.z;
  l.block[0] = launch->block.x, l.block[1] = launch->block.y, l.block[2] = launch->block.z;
  l.shared_bytes = launch->shared_bytes;
  l.params = launch->params;
  l.param_bytes = launch->param_bytes;
  return gpu_launch(gpu_, &l, err);
}

size_t GpuSystem::describe_waits(char *text, size_t size) const {
  size_t used = 0;
  const auto at = [&] { return text + std::min(used, size); };
  const auto room = [&] { return used < size ? size - used : 0; };
  used += gpu_describe_waits(gpu_, at(), room());
  used += memory_system_describe_waits(memory_, at(), room());
  for (unsigned k = 0; k < nsu_.size(); k++)
    if (!nsu_node_idle(nsu_[k]->model)) used += static_cast<size_t>(std::snprintf(at(), room(), "nsu%u: not idle\n", k));
  return used;
}

// Instructions, and what passes the crossbar, the links, the network and the vaults.
uint64_t GpuSystem::activity() const {
  const gpu_stats_t g = gpu_stats(gpu_);
  uint64_t sum = g.warp_instructions + g.nsu_skipped + g.xbar_up_bytes + g.xbar_down_bytes;
  for (unsigned t = 0; t < 16; t++) sum += g.sent_packets[t] + g.got_packets[t];
  sum += network_stats(memory_->network).link_flits;
  for (unsigned k = 0; k < stacks_; k++) {
    const vault_stats_t v = mem_stack_vault_stats(memory_->node[k].stack);
    sum += v.read_bursts + v.write_bursts;
  }
  for (auto &n : nsu_) sum += nsu_node_stats(n->model).instructions;
  return sum;
}

int GpuSystem::check_rules(char error[SYSTEM_ERROR]) const {
  if (const gpu_error_t *fault = gpu_fault(gpu_)) return system_fail(error, fault->status, fault->text);
  if (const char *broken = memory_system_error(memory_)) return system_fail(error, 1, broken);
  for (unsigned k = 0; k < nsu_.size(); k++) {
    const nsu_node_stats_t stats = nsu_node_stats(nsu_[k]->model);
    const char *broken = nsu_node_error(nsu_[k]->model);
    if (!broken && !stats.errors) continue;
    std::snprintf(error, SYSTEM_ERROR, "nsu[%u]: %s", k,
                  broken ? broken : pkt_err_name(static_cast<unsigned>(__builtin_ctzll(stats.errors))));
    return 1;
  }
  return 0;
}

void GpuSystem::stats(system_stats_t *stats) const {
  gpu_machine_stats_t &g = stats->gpu;
  stats->cycles = gpu_module_->cycles();
  stats->cores = options.config.gpu.num_sms;
  g.die = gpu_stats(gpu_);
  stats->warp_instructions = g.die.warp_instructions;
  g.nsu_cycles = now() / periods_.nsu;
  const network_stats_t network = network_stats(memory_->network);
  std::copy(network.bytes, network.bytes + 16, g.network_bytes);
  g.network_link_flits = network.link_flits;
  for (unsigned k = 0; k < stacks_; k++) {
    const vault_stats_t v = mem_stack_vault_stats(memory_->node[k].stack);
    g.row_hits += v.row_hits;
    g.row_misses += v.row_misses;
    g.row_conflicts += v.row_conflicts;
    g.refreshes += v.refreshes;
    g.vault_reads += v.reads;
    g.vault_writes += v.writes;
    g.read_bursts += v.read_bursts;
    g.write_bursts += v.write_bursts;
  }
  for (unsigned k = 0; k < nsu_.size(); k++) g.nsu[k] = nsu_node_stats(nsu_[k]->model);
}

system_t *allocate(const system_options_t *options) { return new GpuSystem(*options); }

unsigned count_stacks(const system_config_t *config) { return 1u << config->memory.network.dims; }
unsigned count_none(const system_config_t *) { return 0; }

// The GPU of the paper without near-data processing; nothing crosses its network, so that its routers may be models.
void without_nsus(system_options_t *o) {
  o->config.gpu.offload_ratio = 0;
  for (engine_t &engine : o->engine[kRouter]) engine = ENGINE_MODEL;
}

const system_family_t kWithNsus[SYSTEM_FAMILIES] = {{"nsu", count_stacks, nsu_engines}, {"router", count_stacks, router_engines}};
const system_family_t kWithoutNsus[SYSTEM_FAMILIES] = {{"nsu", count_none, nsu_engines}, {"router", count_stacks, router_engines}};

}  // namespace

const system_kind_t system_baseline = {"baseline", MACHINE_GPU, &config_gpu, kWithoutNsus, nullptr, nullptr, allocate};
const system_kind_t system_nsu = {"nsu", MACHINE_GPU, &config_gpu, kWithNsus, &system_baseline, without_nsus, allocate};
