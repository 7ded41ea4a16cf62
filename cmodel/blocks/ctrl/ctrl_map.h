/* SPDX-License-Identifier: Apache-2.0
 *
 * The address map of the controller's core, for the model, the firmware, its start-up code and its
 * linker script. So this file has only numbers.
 *
 * Instructions come from ROM. Data are in RAM, in ROM (by word loads, too) and in registers, which
 * take whole words only. Any other address is a bus error.
 */
#ifndef CTRL_MAP_H
#define CTRL_MAP_H

#define CTRL_ROM 0x00000000   /* the firmware's image; the core begins at its first word */
#define CTRL_ROM_BYTES 0x1000 /* at most */
#define CTRL_RAM 0x00010000
#define CTRL_RAM_BYTES 0x400

/* An epoch that ends interrupts the core. The first three registers hold still until the interrupt
 * is over. An epoch that ends meanwhile is missed: the core is not told. */
/* Read: epochs that have ended, with missed ones. A write of any value ends the interrupt. */
#define CTRL_EPOCH 0x40000000
#define CTRL_COUNT 0x40000004 /* read only: instructions of the epoch that ended last */
#define CTRL_PREV 0x40000008  /* read only: of the one before it, even a missed one; 0: none */
#define CTRL_RATIO 0x4000000c /* the ratio in twentieths, 0 to 20; more than 20 is a bus error */

/* Read only: settings of the search for the ratio; parameters of rtl/offload/ofld_ratio.ports. */
#define CTRL_INIT 0x40000020
#define CTRL_STEP_INIT 0x40000024
#define CTRL_STEP_MIN 0x40000028
#define CTRL_STEP_MAX 0x4000002c
#define CTRL_WINDOW 0x40000030
#define CTRL_MOVE_BY 0x40000034

#define CTRL_RATIO_ALL 20

#endif
