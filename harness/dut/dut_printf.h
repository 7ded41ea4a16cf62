/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the Verilated runtime's messages go instead of standard output (verilated_shim.cpp keeps the last one), and where its random numbers
 * come from.
 */
#ifndef DUT_PRINTF_H
#define DUT_PRINTF_H

int dut_printf(const char *format, ...);

/* The runtime's own random numbers give way to those of variant.c, which follow the device's seed. By the names of the linker: vl_rand64() is
 * inline in later Verilators, and what it calls there belongs to a class that is not declared yet. */
#pragma weak _Z9vl_rand64v
#pragma weak _ZN5VlRNG20vl_thread_rng_rand64Ev
#pragma weak _Z19VL_RANDOM_SEEDED_IIRj
#pragma weak _Z20VL_URANDOM_SEEDED_IIj

#endif
