/* SPDX-License-Identifier: Apache-2.0
 *
 * From reset to main: the stack, initialised data from ROM to RAM, zeros behind them. What traps stays where it is until the reset: a trap of
 * anything but an interrupt is an error of the firmware.
 */
  .section .text.start
  .globl start
start:
  la t0, trapped
  csrw mtvec, t0
  la sp, ram_end
  la t0, data_rom
  la t1, data_begin
  la t2, data_end
1:
  bgeu t1, t2, 2f
  lw t3, 0(t0)
  sw t3, 0(t1)
  addi t0, t0, 4
  addi t1, t1, 4
  j 1b
2:
  la t2, bss_end
3:
  bgeu t1, t2, 4f
  sw zero, 0(t1)
  addi t1, t1, 4
  j 3b
4:
  call main
trapped:
  j trapped
