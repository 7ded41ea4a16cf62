// SPDX-License-Identifier: Apache-2.0
//
// What the shim of kind rtl+cov takes from verilated_cov.cpp: the table of points, the counters of
// a device, and snapshots.
#ifndef VERILATED_COV_TABLE_H
#define VERILATED_COV_TABLE_H

#include <cstdint>

extern "C" {
#include "dut.h"
void dut_points_fill(dut_t *dut); // points.c
}

unsigned cov_points(const dut_point_t **points);
const std::uint32_t *cov_counters(DUT_CLASS &top, std::uint32_t *count);
void cov_table(DUT_CLASS &top); // once a device is made: fills the table

// The state of every module of this very device; counters keep counting. NULL: out of memory. To be
// freed.
void *cov_save(DUT_CLASS &top);
void cov_restore(DUT_CLASS &top, const void *snapshot);

#endif
