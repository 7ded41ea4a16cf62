/* SPDX-License-Identifier: Apache-2.0
 *
 * Redirects the Verilated runtime: its messages go to verilated_shim.cpp, which keeps the last one,
 * and its random numbers come from variant.c.
 */
#ifndef DUT_PRINTF_H
#define DUT_PRINTF_H

int dut_printf(const char *format, ...);

/* Weak, so that variant.c's definitions replace them; those follow the device's seed. Later
 * Verilators define vl_rand64() inline, so noipa keeps the compiler from using its body. */
unsigned long vl_rand64() __attribute__((weak, noipa));
unsigned VL_RANDOM_SEEDED_II(unsigned &variable) __attribute__((weak));
unsigned VL_URANDOM_SEEDED_II(unsigned seed) __attribute__((weak));

#endif
