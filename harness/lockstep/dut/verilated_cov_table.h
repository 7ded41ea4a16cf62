// SPDX-License-Identifier: Apache-2.0
//
// The interface of verilated_cov.cpp to the shim of kind rtl+cov: the table of points, a device's
// counters, and snapshots.
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

// A snapshot of every module's state of this very device; the caller frees it. Counters go on
// counting. NULL: out of memory.
void *cov_save(DUT_CLASS &top);
void cov_restore(DUT_CLASS &top, const void *snapshot);

#endif
