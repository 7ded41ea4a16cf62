/* SPDX-License-Identifier: Apache-2.0
 *
 * What the controller's core sees at which address, for the model, the firmware, its start-up code and its linker script: numbers alone.
 *
 * Instructions come from ROM. Data are in RAM, in ROM (words of it can be read, too), and in the registers, which are read and written as words.
 * Anything else is a bus error.
 */
#ifndef CTRL_MAP_H
#define CTRL_MAP_H

#define CTRL_ROM 0x00000000   /* the firmware's image; the core begins at its first word */
#define CTRL_ROM_BYTES 0x1000 /* at most */
#define CTRL_RAM 0x00010000
#define CTRL_RAM_BYTES 0x400

#define CTRL_EPOCH 0x40000000 /* read: epochs that have ended. Written, whatever with: the interrupt of the last one is over */
#define CTRL_COUNT 0x40000004 /* read alone: instructions of the epoch that ended last */
#define CTRL_PREV 0x40000008  /* read alone: of the one before it; 0: there is none */
#define CTRL_RATIO 0x4000000c /* the ratio in twentieths, 0 to 20; more than 20 is a bus error */

#define CTRL_RATIO_ALL 20

#endif
