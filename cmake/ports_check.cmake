# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake: the port file is held against the RTL (harness/dut/ports_check.c), whatever the device is made of. Verilator's
# class of the RTL has its ports; where the device is not the Verilated RTL, one is made for this alone and not compiled.

function(ports_check class)
  run(${TOOL_gcc} -std=gnu11 -w -include ${WORK}/variant.h ${c_include} -DPORTS_FILE="${PORTS}" -DPORTS_HEADER="${block}_ports.h"
    -o ${WORK}/ports_check ${ROOT}/harness/dut/ports_check.c)
  execute_process(COMMAND ${WORK}/ports_check ${PORTS} ${RTL} ${class} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(rc)
    bad("${out}")
  endif()
endfunction()
