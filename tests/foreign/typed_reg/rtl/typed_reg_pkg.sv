// SPDX-License-Identifier: Apache-2.0
package typed_reg_pkg;
  typedef enum logic [1:0] {HOLD, LOAD, SHIFT} mode_e;
  typedef struct packed {
    logic [6:0] value;
    logic       odd;
  } word_t;
endpackage
