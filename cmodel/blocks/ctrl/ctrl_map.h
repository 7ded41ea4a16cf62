/* SPDX-License-Identifier: Apache-2.0
 *
 * What the controller's core sees at which address, for the model, the firmware, its start-up code
 * and its linker script: numbers alone.
 *
 * Instructions come from ROM. Data are in RAM, in ROM (words of it can be read, too), and in the
 * registers, which are read and written as words. Anything else is a bus error.
 */
#ifndef CTRL_MAP_H
#define CTRL_MAP_H

#define CTRL_ROM 0x00000000   /* the firmware's image; the core begins at its first word */
#define CTRL_ROM_BYTES 0x1000 /* at most */
#define CTRL_RAM 0x00010000
#define CTRL_RAM_BYTES 0x400

/* An epoch that ends interrupts the core, and the first three hold still until
 * that is over; an epoch that ends before is missed: the core is not told. */
/* read: epochs that have ended, missed ones with them.
 * Written, whatever with: the interrupt is over */
#define CTRL_EPOCH 0x40000000
#define CTRL_COUNT 0x40000004 /* read alone: instructions of the epoch that ended last */
#define CTRL_PREV 0x40000008  /* read alone: of the one before it, be it missed; 0: there is none */
#define CTRL_RATIO 0x4000000c /* the ratio in twentieths, 0 to 20; more than 20 is a bus error */

/* Read alone: how the machine is set up to search for
 * it, as parameters of rtl/offload/ofld_ratio.ports. */
#define CTRL_INIT 0x40000020
#define CTRL_STEP_INIT 0x40000024
#define CTRL_STEP_MIN 0x40000028
#define CTRL_STEP_MAX 0x4000002c
#define CTRL_WINDOW 0x40000030
#define CTRL_MOVE_BY 0x40000034

#define CTRL_RATIO_ALL 20

#endif
