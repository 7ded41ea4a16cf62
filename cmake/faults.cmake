# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake: signals inside of the RTL by name. Verilator's own view of the design says what is a register and what is
# a part, so that names, generate loops and dialect of the RTL do not matter.
#   rtl+faults   the block's own RTL, with every register public to Verilator, so that a bit of it can be turned over between two clock cycles
#   rtl+wave     the ports of every instance can be read
#
#   faults_registers(VAR ARGS...)   Verilator's arguments -> its configuration file, an argument more
#   faults_parts(VAR ARGS...)       the same of kind rtl+wave; and insides.def, the instances, which verilated_wave.h expands
#   faults_states()                 after Verilator: states.def, what is public, which verilated_state.h expands

set(faults_deps ${ROOT}/cmake/faults.cmake ${ROOT}/harness/dut/states.awk ${ROOT}/harness/dut/verilated_state.h)

function(faults_xml)
  execute_process(COMMAND ${TOOL_verilator} --xml-only --xml-output ${WORK}/design.xml ${ARGN}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(rc)
    bad("${out}")
  endif()
endfunction()

# Runs an awk program of harness/dut; what it prints goes into the file.
function(faults_awk FILE)
  execute_process(COMMAND ${TOOL_awk} ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE text ERROR_VARIABLE out)
  if(rc)
    bad("environment: awk failed: ${out}")
  endif()
  ports_write(${FILE} "${text}")
endfunction()

function(faults_registers VAR)
  faults_xml(${ARGN})
  faults_awk(${WORK}/registers.vlt -f ${ROOT}/harness/dut/registers.awk ${WORK}/design.xml)
  set(${VAR} ${WORK}/registers.vlt PARENT_SCOPE)
  set(faults_deps ${faults_deps} ${ROOT}/harness/dut/registers.awk PARENT_SCOPE)
endfunction()

function(faults_parts VAR)
  faults_xml(${ARGN})
  faults_awk(${WORK}/parts.vlt -v want=public -f ${ROOT}/harness/dut/parts.awk ${WORK}/design.xml)
  faults_awk(${WORK}/insides.def -v want=table -f ${ROOT}/harness/dut/parts.awk ${WORK}/design.xml)
  set(${VAR} ${WORK}/parts.vlt PARENT_SCOPE)
  set(faults_deps ${faults_deps} ${ROOT}/harness/dut/parts.awk ${ROOT}/harness/dut/verilated_wave.h PARENT_SCOPE)
endfunction()

function(faults_states)
  file(GLOB symbols ${WORK}/verilated/${top}__Syms*.cpp)
  list(SORT symbols)
  faults_awk(${WORK}/states.def -f ${ROOT}/harness/dut/states.awk ${symbols})
endfunction()
