# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake: what Verilated objects of one kind have in common, built once and kept beside them.
#
#   verilated_runtime(LEVEL...)   runtime_objects: Verilator's own library, compiled; early-O3.h in the folder runtime: the headers
#                                 that each Verilated file begins with, precompiled for this level of optimisation, as for each LEVEL
#
# To read those headers is a second of a small block's second and a half. ccache takes the checksum in .gch.sum for the precompiled
# header's own contents, which differ each time; for it, too, -fpch-preprocess is among the flags.

if(NOT RUNTIME)
  get_filename_component(RUNTIME ${WORK}/../runtime ABSOLUTE)
endif()
set(runtime ${RUNTIME}-${vm_trace}${vm_coverage})

function(verilated_runtime)
  set(sources verilated verilated_save verilated_threads)
  set(early "#include \"${ROOT}/harness/dut/dut_printf.h\"\n#include <verilated.h>\n#include <verilated_save.h>\n")
  if(vm_trace)
    list(APPEND sources verilated_fst_c)
    string(APPEND early "#include <verilated_fst_c.h>\n")
  endif()
  set(text "ninja_required_version = 1.5
rule cxx
  command = ${cache}${TOOL_g__} ${cxx_flags} -O2 -include ${ROOT}/harness/dut/dut_printf.h -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
rule early
  command = ${TOOL_g__} ${cxx_flags} $level -E -dD $in | cksum > $out.sum && ${TOOL_g__} ${cxx_flags} $level -MMD -MF $out.d -MT $out $
    -x c++-header -c $in -o $out.new && mv $out.new $out
  depfile = $out.d
")
  set(objects "")
  foreach(source IN LISTS sources)
    string(APPEND text "build ${source}.o: cxx ${vroot}/include/${source}.cpp\n")
    string(APPEND objects " ${runtime}/${source}.o")
  endforeach()
  set(wanted "")
  file(MAKE_DIRECTORY ${runtime})
  lock(${runtime})
  foreach(level IN ITEMS -O0 -O1 -O3)
    ports_write(${runtime}/early${level}.h "${early}")
    string(APPEND text "build early${level}.h.gch: early early${level}.h\n  level = ${level}\n")
    if(level IN_LIST ARGN)
      list(APPEND wanted early${level}.h.gch)
    endif()
  endforeach()
  ports_write(${runtime}/build.ninja "${text}")
  list(TRANSFORM sources APPEND .o)
  run(${TOOL_ninja} -j 2 -C ${runtime} --quiet ${sources} ${wanted})
  file(LOCK ${runtime}/lock RELEASE)
  set(runtime_objects "${objects}" PARENT_SCOPE)
endfunction()
