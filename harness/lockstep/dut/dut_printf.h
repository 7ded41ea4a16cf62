/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the Verilated runtime's messages go instead of standard output (verilated_shim.cpp keeps
 * the last one), and where its random numbers come from.
 */
#ifndef DUT_PRINTF_H
#define DUT_PRINTF_H

int dut_printf(const char *format, ...);

/* The runtime's own random numbers give way to those of variant.c, which follow the device's seed.
 * Later Verilators have vl_rand64() inline: nobody but the linker may see what it does. */
unsigned long vl_rand64() __attribute__((weak, noipa));
unsigned VL_RANDOM_SEEDED_II(unsigned &variable) __attribute__((weak));
unsigned VL_URANDOM_SEEDED_II(unsigned seed) __attribute__((weak));

#endif
