/* SPDX-License-Identifier: Apache-2.0
 *
 * What an MPU is made of. T2, T3: MPU paper, tables II and III; S: its authors' own simulator,
 * where the paper is silent; "ours": both are.
 */
#ifndef MPU_CONFIG_H
#define MPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "mpu_compiler.h"
#include "near_mc.h"

enum {
  MPU_WIDTH = 32,   /* threads of a warp (T2) */
  MPU_SUBCORES = 4, /* of a core, each with a near-bank unit (T2) */
  MPU_MAX_CORES = 128,
  MPU_MAX_WARPS = 16,  /* of a subcore: parameter Warps of track_table */
  MPU_MAX_BLOCKS = 64, /* blocks of threads in a core at a time */
  MPU_ROW_BYTES = 128, /* a register of all threads */
  MPU_MAX_SMEM = 65536,
  MPU_MAX_MSHRS = 32, /* of an instruction cache */
  MPU_TOPOLOGY = 128,
};

typedef enum { MPU_BLOCKS_BY_ADDRESS, MPU_BLOCKS_BY_NUMBER, MPU_NUM_PLACES } mpu_blocks_to_t;

typedef struct mpu_config {
  /* processors, in a rectangle; powers of two, at most 8 in all (T2: 8; ours: 4 x 2) */
  unsigned cubes_x, cubes_y;
  /* cores of a processor; powers of two, at most 16 in all (T2: 16; ours: 4 x 4) */
  unsigned cores_x, cores_y;
  unsigned warps;  /* warp slots of a subcore, 1..16 (S) */
  unsigned blocks; /* blocks of threads in a core at a time, 1..64 (S) */
  /* addresses of a near-bank unit before the next's; a power of two, 32..1024 (S) */
  unsigned unit_bytes;
  /* of a core; a power of two, four units' at least, at most 65536 (S) */
  unsigned core_bytes;
  /* the core that a block goes to: which has word (block x threads), or block mod cores (S) */
  mpu_blocks_to_t blocks_to;
  bool batches;           /* a core takes blocks again when all that it has have ended (S) */
  unsigned far_rf_bytes;  /* register file of a subcore (T2: 32 KB) */
  unsigned near_rf_bytes; /* of a near-bank unit (T2: 16 KB) */
  unsigned smem_bytes;    /* shared memory of a core (T2: 64 KB) */
  /* bytes of a thread for functions that call each other
   * in a circle; ours: 1024, as CUDA has it at first */
  unsigned stack;
  unsigned collect_latency;                        /* operand collector, cycles (S) */
  unsigned alu_latency;                            /* to a dependent instruction, near and far (S) */
  unsigned sfu_latency, sfu_interval, dp_interval; /* special functions, double precision (S) */
  unsigned smem_latency;                           /* shared memory on the base die, besides conflicts (S) */
  /* beats of 64 bits that a core's TSV bus moves a core
   * cycle (T2: 64 of 1024 bits a core, 2 GHz: 2) */
  unsigned tsv_beats;
  bool tsv_duplex; /* a bus each way instead of one for both (S) */
  /* instructions that wait in a near-bank unit's operand collectors (T3: 4) */
  unsigned exe_queue;
  unsigned atomic_queue;   /* requests in a near-bank atomic unit, 1..8 (ours) */
  unsigned atomic_latency; /* cycles of one of its operations (ours) */
  bool smem_near;          /* shared memory on the DRAM die (section IV-C) */
  /* .local is private memory that takes no traffic, else
   * it is in the warp's own near-bank unit (ours) */
  bool local_ideal;
  /* constants at addresses in registers take no traffic, else a copy of them is in DRAM (ours) */
  bool constant_ideal;
  bool l1i_ideal;               /* no instruction cache: every fetch hits (ours) */
  unsigned l1i_bytes;           /* instruction cache of a core (T2: 128 KB) */
  unsigned l1i_ways, l1i_mshrs; /* its ways; misses under way, 1..MPU_MAX_MSHRS (ours) */
  /* instructions are in each core's own memory, else once in the machine's (ours) */
  bool l1i_copies;
  /* all compute logic on the base logic die (section VI-C): shared memory too */
  bool ponb;
  mpu_policy_t policy; /* where instructions run (section VI-D) */
  near_mc_config_t mc; /* memory controller of a near-bank unit, activated row-buffers */
  /* mesh: of all cores (T2); else as topology_parse takes it, with a terminal per core */
  char net_topology[MPU_TOPOLOGY];
  unsigned net_vcs, net_depth; /* virtual channels a message class, flits of each (S) */
  unsigned mesh_latency;       /* cycles of 2 GHz of a link on the chip (S) */
  unsigned cube_latency;       /* of a link between processors (S) */
  unsigned cube_interval;      /* cycles of a flit on such a link (T2: 128 bits of 256: 2) */
} mpu_config_t;

mpu_config_t mpu_config_default(void);
const char *mpu_config_check(const mpu_config_t *config); /* NULL, or what is wrong and what would be right */

static inline unsigned mpu_config_cores(const mpu_config_t *c) {
  return c->cubes_x * c->cubes_y * c->cores_x * c->cores_y;
}

#endif
