# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind rtl+faults: the block's own RTL, with every register public to Verilator, so
# that a bit of it can be turned over between two clock cycles. Verilator's own view of the design says what is a register,
# so that names, generate loops and dialect of the RTL do not matter.
#
#   faults_registers(VAR ARGS...)   Verilator's arguments -> its configuration file, an argument more
#   faults_states()                 after Verilator: states.def, the registers that verilated_state.h expands

set(faults_deps ${ROOT}/cmake/faults.cmake ${ROOT}/harness/dut/registers.awk ${ROOT}/harness/dut/states.awk
  ${ROOT}/harness/dut/verilated_state.h)

function(faults_registers VAR)
  execute_process(COMMAND ${TOOL_verilator} --xml-only --xml-output ${WORK}/design.xml ${ARGN}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(rc)
    bad("${out}")
  endif()
  execute_process(COMMAND ${TOOL_awk} -f ${ROOT}/harness/dut/registers.awk ${WORK}/design.xml
    RESULT_VARIABLE rc OUTPUT_VARIABLE text ERROR_VARIABLE out)
  if(rc)
    bad("environment: awk failed: ${out}")
  endif()
  ports_write(${WORK}/registers.vlt "${text}")
  set(${VAR} ${WORK}/registers.vlt PARENT_SCOPE)
endfunction()

function(faults_states)
  file(GLOB symbols ${WORK}/verilated/${top}__Syms*.cpp)
  list(SORT symbols)
  execute_process(COMMAND ${TOOL_awk} -f ${ROOT}/harness/dut/states.awk ${symbols}
    RESULT_VARIABLE rc OUTPUT_VARIABLE text ERROR_VARIABLE out)
  if(rc)
    bad("environment: awk failed: ${out}")
  endif()
  ports_write(${WORK}/states.def "${text}")
endfunction()
