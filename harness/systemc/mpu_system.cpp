// SPDX-License-Identifier: Apache-2.0
//
// System mpu: the near-bank SIMT processor of papers/001.
//
// SystemC modules around the C models: one a core (1 GHz), one for the network (2 GHz), one that hands out blocks of threads. An instant at which all
// clocks have an edge has two deltas:
//   1. every core that is awake takes the packets that the network had for it, ticks, and gives the network what it has room for. Cores touch
//      only what is their own, also in the network: its source and sink queues of this core;
//   2. the network ticks, and blocks are handed out; a core that got something and sleeps is woken, and goes on at the next edge.
// At the edges of the network's clock alone there is only the network's. So everybody reads what was there before the instant.

#include <systemc>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "simulated_system.h"

extern "C" {
#include "lsu_ext_ports.h"
#include "mpu_net.h"
#include "router_engine.h"
#include "systems.h"
}

namespace {

using sc_core::sc_event;
using sc_core::sc_time;

constexpr uint64_t kTicksPerNs = 2;  // a tick is a cycle of 2 GHz
constexpr unsigned kWords = MPU_MAX_CORES / 64;

struct Edges {
  sc_event core, net, blocks;
};

class Clock : public sc_core::sc_module {
 public:
  Clock(sc_core::sc_module_name name, Edges &edges) : sc_module(name), edges_(edges) {
    SC_HAS_PROCESS(Clock);
    SC_METHOD(edge);
  }

 private:
  void edge() {
    if (sc_core::sc_time_stamp().value() % kTicksPerNs == 0) {
      edges_.core.notify();
      edges_.blocks.notify(sc_core::SC_ZERO_TIME);
    }
    edges_.net.notify(sc_core::SC_ZERO_TIME);
    next_trigger(sc_time::from_value(1));
  }
  Edges &edges_;
};

// Cores that sleep, and their events.
struct Sleepers {
  uint64_t asleep[kWords] = {};
  std::vector<sc_event *> wake = std::vector<sc_event *>(MPU_MAX_CORES);

  void wake_those(unsigned word, uint64_t which) {
    for (which &= asleep[word]; which; which &= which - 1)
      wake[64 * word + static_cast<unsigned>(__builtin_ctzll(which))]->notify(sc_core::SC_ZERO_TIME);
  }
};

class Core : public sc_core::sc_module {
 public:
  Core(sc_core::sc_module_name name, mpu_t *mpu, mpu_net_t *net, unsigned id, Edges &edges, Sleepers &sleepers)
      : sc_module(name), mpu_(mpu), net_(net), id_(id), bit_(UINT64_C(1) << id % 64), sleepers_(sleepers), asleep_(sleepers.asleep[id / 64]) {
    sleepers_.wake[id] = &wake_;
    SC_HAS_PROCESS(Core);
    SC_METHOD(edge);
    sensitive << edges.core;
    dont_initialize();
  }

 private:
  void edge() {
    if (asleep_ & bit_) {
      asleep_ &= ~bit_;
      next_trigger();
      return;
    }
    if (arrived()) receive();
    mpu_core_tick(mpu_, id_);
    send();
    if (!mpu_core_idle(mpu_, id_) || arrived()) return;
    asleep_ |= bit_;
    next_trigger(wake_);
  }
  bool arrived() const { return mpu_net_arrived(net_, id_ / 64) & bit_; }
  void receive() {
    for (unsigned cls = 0; cls < 2; cls++)
      while (const mpu_packet_t *packet = mpu_net_front(net_, id_, cls)) {
        if (!mpu_core_can_push(mpu_, id_, cls)) break;
        mpu_core_push(mpu_, id_, cls, packet);
        mpu_net_pop(net_, id_, cls);
      }
  }
  void send() {
    for (unsigned cls = 0; cls < 2; cls++)
      while (const mpu_packet_t *packet = mpu_core_front(mpu_, id_, cls)) {
        if (!mpu_net_can_push(net_, id_, cls)) break;
        mpu_net_push(net_, id_, cls, packet);
        mpu_core_pop(mpu_, id_, cls);
      }
  }

  mpu_t *mpu_;
  mpu_net_t *net_;
  const unsigned id_;
  const uint64_t bit_;
  Sleepers &sleepers_;
  uint64_t &asleep_;
  sc_event wake_;
};

class Network : public sc_core::sc_module {
 public:
  Network(sc_core::sc_module_name name, mpu_net_t *net, Edges &edges, Sleepers &sleepers) : sc_module(name), net_(net), sleepers_(sleepers) {
    SC_HAS_PROCESS(Network);
    SC_METHOD(edge);
    sensitive << edges.net;
    dont_initialize();
  }

 private:
  void edge() {
    if (mpu_net_idle(net_)) return;
    mpu_net_tick(net_, sc_core::sc_time_stamp().value());
    for (unsigned w = 0; w < kWords; w++) sleepers_.wake_those(w, mpu_net_arrived(net_, w));
  }
  mpu_net_t *net_;
  Sleepers &sleepers_;
};

class Blocks : public sc_core::sc_module {
 public:
  Blocks(sc_core::sc_module_name name, mpu_t *mpu, Edges &edges, Sleepers &sleepers) : sc_module(name), mpu_(mpu), sleepers_(sleepers) {
    SC_HAS_PROCESS(Blocks);
    SC_METHOD(edge);
    sensitive << edges.blocks;
    dont_initialize();
  }

 private:
  void edge() {
    mpu_tick(mpu_);
    for (unsigned w = 0; w < kWords; w++) sleepers_.wake_those(w, mpu_given(mpu_, w));
    if (!mpu_running(mpu_)) sc_core::sc_pause();
  }
  mpu_t *mpu_;
  Sleepers &sleepers_;
};

enum Family { kLsuExt, kRouter };

outcome_t router_engines(const system_config_t *config, engines_config_t *engines, char text[SYSTEM_ENGINE_TEXT], char *error, size_t size) {
  const router_params_t params = mpu_net_router_params(&config->mpu);
  return router_engine_config(engines, &params, text, error, size);
}

// rtl/lsu/lsu_ext.ports: rows that were asked for in the cycle before, beats without valid.
constexpr engines_lane_t kUnitLanes[] = {{"dn_beat", "dn_valid", false}, {"rf_rd_data", "rf_rd_valid", true}, {"sm_rdata", "sm_req", true},
                                         {nullptr, nullptr, false}};

outcome_t unit_engines(const system_config_t *, engines_config_t *engines, char *, char *, size_t) {
  engines->block = "lsu_ext";
  engines->constant = "nbu_id";
  engines->lanes = kUnitLanes;
  engines->in_size = sizeof(lsu_ext_in_t);
  engines->out_size = sizeof(lsu_ext_out_t);
  return OUTCOME_PASS;
}

class MpuSystem : public simulated_system {
 public:
  explicit MpuSystem(const system_options_t &o) : simulated_system(o), cores_(mpu_config_cores(&o.config.mpu)) { ticks_per_ns = kTicksPerNs; }
  ~MpuSystem() override;
  int make(char error[SYSTEM_ERROR]) override;

  int load(const ptx_module_t *module, gpu_error_t *err) override { return mpu_load(mpu_, module, err); }
  uint64_t malloc(uint64_t bytes, gpu_error_t *err) override { return mpu_malloc(mpu_, bytes, err); }
  int release(uint64_t addr, gpu_error_t *err) override { return mpu_release(mpu_, addr, err); }
  int copy_in(uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) override { return mpu_copy_in(mpu_, addr, data, bytes, err); }
  int copy_out(void *data, uint64_t addr, size_t bytes, gpu_error_t *err) override { return mpu_copy_out(mpu_, data, addr, bytes, err); }
  int launch(const rt_launch_t *launch, gpu_error_t *err) override;

  bool running() const override { return mpu_running(mpu_); }
  double progress() const override { return mpu_progress(mpu_); }
  uint64_t activity() const override;
  int check_rules(char error[SYSTEM_ERROR]) const override;
  size_t describe_waits(char *text, size_t size) const override;
  void stats(system_stats_t *stats) const override;

 private:
  int make_models(char error[SYSTEM_ERROR]);
  void make_modules();
  void count_links(mpu_machine_stats_t *stats) const;

  unsigned cores_;
  mpu_t *mpu_ = nullptr;
  mpu_net_t *net_ = nullptr;
  struct Modules {  // stay, as all SystemC objects do
    Edges edges;
    Sleepers sleepers;
    std::unique_ptr<Clock> clock;
    std::vector<std::unique_ptr<Core>> core;
    std::unique_ptr<Network> network;
    std::unique_ptr<Blocks> blocks;
  } *modules_ = nullptr;
};

int MpuSystem::make_models(char error[SYSTEM_ERROR]) {
  const mpu_config_t &config = options.config.mpu;
  if (!(net_ = mpu_net_new(&config, engines_table(engines[kRouter]), error, SYSTEM_ERROR))) return 3;
  gpu_error_t err = {};
  mpu_ = mpu_new(&config, engines_table(engines[kLsuExt]), &err);
  return mpu_ ? 0 : system_fail(error, err.status, err.text);
}

void MpuSystem::make_modules() {
  const bool reversed = options.reversed;
  modules_ = new Modules;
  Modules &m = *modules_;
  m.clock = std::make_unique<Clock>("clock", m.edges);
  if (reversed) m.blocks = std::make_unique<Blocks>("blocks", mpu_, m.edges, m.sleepers);
  if (!reversed) m.network = std::make_unique<Network>("network", net_, m.edges, m.sleepers);
  for (unsigned i = 0; i < cores_; i++) {
    const unsigned id = reversed ? cores_ - 1 - i : i;
    m.core.push_back(std::make_unique<Core>(("core" + std::to_string(id)).c_str(), mpu_, net_, id, m.edges, m.sleepers));
  }
  if (reversed) m.network = std::make_unique<Network>("network", net_, m.edges, m.sleepers);
  if (!reversed) m.blocks = std::make_unique<Blocks>("blocks", mpu_, m.edges, m.sleepers);
}

int MpuSystem::make(char error[SYSTEM_ERROR]) {
  if (int status = make_models(error)) return status;
  make_modules();
  return 0;
}

MpuSystem::~MpuSystem() {
  mpu_free(mpu_);
  mpu_net_free(net_);
}

int MpuSystem::launch(const rt_launch_t *launch, gpu_error_t *err) {
  mpu_launch_t l = {};
  l.kernel = launch->kernel;
  l.grid[0] = launch->grid.x, l.grid[1] = launch->grid.y, l.grid[2] = launch->grid.z;
  l.block[0] = launch->block.x, l.block[1] = launch->block.y, l.block[2] = launch->block.z;
  l.shared_bytes = launch->shared_bytes;
  l.params = launch->params;
  l.param_bytes = launch->param_bytes;
  return mpu_launch(mpu_, &l, err);
}

// Instructions, and what passes the TSVs, the controllers and the network.
uint64_t MpuSystem::activity() const {
  const mpu_stats_t s = mpu_stats(mpu_);
  const fabric_stats_t f = fabric_stats(mpu_net_fabric(net_));
  return s.warp_instructions + s.tsv_busy + s.dram_reads + s.dram_writes + f.hops + f.received;
}

int MpuSystem::check_rules(char error[SYSTEM_ERROR]) const {
  if (const gpu_error_t *fault = mpu_fault(mpu_)) return system_fail(error, fault->status, fault->text);
  if (const char *broken = fabric_error(mpu_net_fabric(net_))) return system_fail(error, 1, broken);
  return 0;
}

size_t MpuSystem::describe_waits(char *text, size_t size) const {
  const size_t used = mpu_describe_waits(mpu_, text, size);
  return used + mpu_net_describe_waits(net_, text + std::min(used, size), used < size ? size - used : 0);
}

void MpuSystem::count_links(mpu_machine_stats_t *stats) const {
  const mpu_config_t &c = options.config.mpu;
  const unsigned width = c.cubes_x * c.cores_x;
  const auto cube = [&](unsigned r) { return r % width / c.cores_x + r / width / c.cores_y * c.cubes_x; };
  for (unsigned r = 0; r < cores_; r++) {
    const unsigned x = r % width, y = r / width;
    const unsigned peer[] = {x ? r - 1 : r, x + 1 < width ? r + 1 : r, y ? r - width : r, r + width < cores_ ? r + width : r};
    for (unsigned port = 1; port < 5; port++)
      stats->link_flits[cube(r) != cube(peer[port - 1])] += fabric_port_stats(mpu_net_fabric(net_), r, port).flits;
  }
}

void MpuSystem::stats(system_stats_t *stats) const {
  stats->mpu.machine = mpu_stats(mpu_);
  stats->cycles = stats->mpu.machine.cycles;
  stats->cores = cores_;
  stats->warp_instructions = stats->mpu.machine.warp_instructions;
  count_links(&stats->mpu);
}

system_t *allocate(const system_options_t *options) { return new MpuSystem(*options); }

unsigned count_units(const system_config_t *config) { return mpu_config_cores(&config->mpu) * MPU_SUBCORES; }
unsigned count_cores(const system_config_t *config) { return mpu_config_cores(&config->mpu); }

const system_family_t kFamilies[SYSTEM_FAMILIES] = {{"lsu_ext", count_units, unit_engines}, {"router", count_cores, router_engines}};

}  // namespace

const system_kind_t system_mpu = {"mpu", MACHINE_MPU, &config_mpu, kFamilies, nullptr, nullptr, allocate};
