// SPDX-License-Identifier: Apache-2.0
//
// What a request does to a register.
package bus_pkg;
  typedef enum logic [1:0] {
    BUS_READ,
    BUS_WRITE,
    BUS_SET,
    BUS_CLEAR
  } bus_op_e;
endpackage
