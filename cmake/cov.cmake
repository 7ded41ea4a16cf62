# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind rtl+cov: counters of lines and branches in the Verilated code, bits of signals that rise
# and fall through its waveform code (harness/dut/verilated_cov.cpp, toggle/), and the port file's functional points (points.c).
# Parts that are blocks of their own are counted when they are covered themselves; memories (sram_*) are macros; packages are generated.
# signals.xml, beside the object, says where each module declares its signals.

set(savable "")  # Verilator 5.006 has no --savable with coverage; verilated_cov.cpp saves the state itself
set(cov_off "*/sram_*" "${GEN}/*")
set(cov_place "*")
if(LIBRARIES)  # a block outside the tree may have modules that are called as ours
  set(cov_off "${ROOT}/rtl/*/sram_*" "${GEN}/*")
  set(cov_place "${ROOT}/rtl/*")
endif()
file(GLOB cov_blocks ${ROOT}/rtl/*/*.ports)
foreach(other IN LISTS cov_blocks)
  get_filename_component(stem ${other} NAME_WE)
  if(NOT stem STREQUAL block)
    list(APPEND cov_off "${cov_place}/${stem}.sv")
  endif()
endforeach()
set(cov_config "`verilator_config\n")
foreach(pattern IN LISTS cov_off)
  string(APPEND cov_config "coverage_off -file \"${pattern}\"\ntracing_off -file \"${pattern}\"\n")
endforeach()
ports_write(${WORK}/cover.vlt "${cov_config}")
# -fno-split: else Verilator's copies of an `if` for its counters ask after the block's assignments, and count what was not taken
set(coverage -fno-split --coverage-line --coverage-user --trace --no-trace-params --trace-max-array 1000000 --trace-max-width 1000000 ${WORK}/cover.vlt)
run(${TOOL_verilator} --xml-only --xml-output ${WORK}/signals.xml ${verilog} --Mdir ${WORK}/xml)
set(cov_include -I${ROOT}/harness/dut/toggle)
set(cov_deps ${ROOT}/cmake/cov.cmake)
foreach(name points.c points.h verilated_cov.cpp verilated_cov_table.h toggle/verilated_vcd_c.h)
  list(APPEND cov_deps ${ROOT}/harness/dut/${name})
endforeach()

# Relaxed atomic additions, one locked instruction each, as plain ones: one thread at a time uses an object.
function(cov_plain_counters)
  file(GLOB sources ${WORK}/verilated/${top}*.cpp)
  foreach(source IN LISTS sources)
    file(READ ${source} text)
    string(REGEX REPLACE "(vlSymsp->__Vcoverage\\[[0-9]+\\])\\.fetch_add\\(1, std::memory_order_relaxed\\)"
      "\\1.store(\\1.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed)" text "${text}")
    ports_write(${source} "${text}")
  endforeach()
endfunction()
