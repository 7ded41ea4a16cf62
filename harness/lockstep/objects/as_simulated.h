/* SPDX-License-Identifier: Apache-2.0
 *
 * Prepares Verilog so that Yosys reads it as a simulator does. Yosys leaves out code that is not
 * synthesised, and cannot parse assertions and messages, which drive no net. as_simulated replaces
 * these by blanks; length and lines of the text stay:
 *
 *  - concurrent assertions, properties, sequences, clocking blocks and cover groups
 *  - fail actions of immediate assertions; $display, $fatal and their kind; `final`
 *  - for a device that is not made by synthesis: the words of `// synopsys translate_off` and its
 *    kind, and of (* blackbox *); `ifdef YOSYS tests another name there
 *
 * Text with an assignment is never blanked: its drivers would be lost.
 */
#ifndef AS_SIMULATED_H
#define AS_SIMULATED_H

#include <stdbool.h>

/* Blanks `text` in place. `synthesised`: the device is made by synthesis. Returns the line of the
 * first `bind` statement, which Yosys accepts and ignores; 0: none. */
unsigned as_simulated(char *text, bool synthesised);

#endif
