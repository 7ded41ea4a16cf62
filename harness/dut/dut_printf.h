/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the Verilated runtime's messages go instead of standard output (verilated_shim.cpp keeps the last one).
 */
#ifndef DUT_PRINTF_H
#define DUT_PRINTF_H

int dut_printf(const char *format, ...);

#endif
