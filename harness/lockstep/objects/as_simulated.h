/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilog for Yosys as a simulator reads it. Yosys leaves out what is not synthesised, and does not
 * parse assertions and messages, which drive nothing. In the text, whose length and lines stay,
 * these become blanks:
 *
 *  - concurrent assertions, properties, sequences, clocking blocks and cover groups; what immediate
 *    assertions do when they fail; system tasks that print or end the run ($display, $fatal);
 *    `final`
 *  - for a device that is not made by synthesis, the words of `// synopsys translate_off` and its
 *    kind, and of (* blackbox *); `ifdef YOSYS asks for another name there
 *
 * Only text without an assignment is blanked: what it drove would be out of sight.
 */
#ifndef AS_SIMULATED_H
#define AS_SIMULATED_H

#include <stdbool.h>

/* The line of the first `bind` statement, which Yosys
 * takes and does not follow; 0: there is none. */
unsigned as_simulated(char *text, bool synthesised);

#endif
