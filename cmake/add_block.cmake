# SPDX-License-Identifier: Apache-2.0
#
#   add_block(nsu/X)
#       One hardware block: rtl/nsu/X.sv, rtl/nsu/X.ports, cmodel/blocks/nsu/X.c and .h,
#       tests/lockstep/X.c and its synthesis target. Makes the loadable object dut/X.so of the
#       default parameters, its lockstep test, its lint wrapper and its line in `lockstack list`.
#       A missing file stops the configuration, which names it.
#   add_block(nsu/X VARIANT small Lanes=1 Depth=2 [VARIANT ...])
#       Also tests these parameters (suite variants; built when the tests run), which
#       `cover --variants` adds to the default ones.
#       RANGE            as VARIANT, but not for `cover --variants`: its registers are too wide or
#                        too many for the cycles of a run to visit their values
#       CYCLES n         cycles of the smoke test (default 20000); check, cover and mutate run at
#                        least so many by default
#       MEASURE P=V,...  parameters of mutate and cover when they are given none: with the default
#                        ones, timers take too many cycles, or there are too many mutants to prove
#       TOP              a whole unit: mutants are drawn of its parts (`mutate --family`)
#       DRAM_DIE         on a die of DRAM, where it is twice as large (`area`)
#       ALSO "P=V,... ..."  parameters of further, shorter runs of `check X` with the default ones,
#                        a blank between two runs: counters near values that a run does not reach,
#                        or parts that the default ones leave out. @profile behind one: a run more,
#                        of that profile alone
#
# harness/lockstep/objects builds every object, as `lockstack check X --set Lanes=1` builds one on
# demand. It is asked at each build, as it looks at the content of what an object was made of.

include(${CMAKE_CURRENT_LIST_DIR}/ports.cmake)
# each object is a build of its own, parallel inside when it is large
set_property(GLOBAL APPEND PROPERTY JOB_POOLS dut=2)
set(DUT_DIR ${CMAKE_BINARY_DIR}/dut)
set(DUT_GEN ${CMAKE_BINARY_DIR}/gen)
set(DUT_CFLAGS "")
if(LOCKSTACK_SANITIZE)
  set(DUT_CFLAGS "-fsanitize=address,undefined -fno-sanitize-recover=all")
endif()
if(LOCKSTACK_COVERAGE)
  set(DUT_CFLAGS "--coverage")
endif()

# Generated headers and Verilog, made while configuring: models and systems include them. Editing a port file or a list
# configures again.
file(MAKE_DIRECTORY ${DUT_DIR} ${DUT_GEN})
file(GLOB DUT_LISTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.ports ${CMAKE_SOURCE_DIR}/rtl/*/*.def)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${DUT_LISTS} ${PORTS_SOURCES})
ports_tool(${CMAKE_BINARY_DIR}/host)
ports_tree(${DUT_GEN})
include_directories(${DUT_GEN} ${CMAKE_SOURCE_DIR}/harness/lockstep/dut ${CMAKE_SOURCE_DIR}/harness/portgen
  ${PORTS_LIST_DIRS})

function(add_block path)
  cmake_parse_arguments(arg "TOP;DRAM_DIE" "CYCLES;MEASURE;ALSO" "" ${ARGN})
  get_filename_component(family ${path} DIRECTORY)
  get_filename_component(block ${path} NAME)
  set(rtl rtl/${path}.sv)
  set(ports rtl/${path}.ports)
  set(model cmodel/blocks/${path}.c)
  set(test tests/lockstep/${block}.c)
  set(synth synth/cells.ys.in)
  foreach(file ${rtl} ${ports} ${model} cmodel/blocks/${path}.h ${test} ${synth})
    if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
      message(FATAL_ERROR "add_block(${path}): ${file} is missing")
    endif()
  endforeach()
  synth_script(${block} ${family} ${CMAKE_BINARY_DIR}/synth/${block}.ys)
  file(RELATIVE_PATH synth_path ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/synth/${block}.ys)
  set(proof "")
  if(EXISTS ${CMAKE_SOURCE_DIR}/tests/formal/${block}.sv)
    set(proof tests/formal/${block}.sv)
  endif()
  if(COMMAND lockstack_list_block)
    lockstack_list_block(${block} ${family} ${rtl} ${ports} ${model} ${test} "${proof}" ${synth_path})
  endif()

  foreach(tag IN ITEMS TOP DRAM_DIE)
    if(arg_${tag})
      string(TOLOWER ${tag} text)
      lockstack_list_tag(${block} ${text})
    endif()
  endforeach()
  if(arg_MEASURE)
    lockstack_list_measure(${block} ${arg_MEASURE})
  endif()
  separate_arguments(also UNIX_COMMAND "${arg_ALSO}")
  foreach(run IN LISTS also)
    string(REPLACE "@" ";" profiles "${run}")
    list(POP_FRONT profiles params)
    lockstack_list_also(${block} "${params}" "")
    foreach(profile IN LISTS profiles)
      lockstack_list_also(${block} "${params}" "${profile}")
    endforeach()
  endforeach()

  set(so ${DUT_DIR}/${block}.so)
  add_custom_target(dut_${block} ALL COMMAND build_object ${CMAKE_SOURCE_DIR} ${DUT_DIR} ${block}
    BYPRODUCTS ${so} JOB_POOL dut COMMENT "Block ${path}" VERBATIM)
  if(TARGET portgen)
    add_dependencies(dut_${block} portgen)
  endif()
  install(FILES ${so} DESTINATION lib/lockstack OPTIONAL)  # one that is not built is built when it is wanted
  block_tests(${block} "${arg_CYCLES}" "${arg_ALSO}" "${arg_UNPARSED_ARGUMENTS}")
endfunction()

# The block's synthesis script, to be run by hand: what `lockstack area` does with the default parameters.
file(WRITE ${CMAKE_BINARY_DIR}/synth/ge.constr "set_driving_cell BUFX2\n")
function(synth_script TOP family out)
  set(GEN ${DUT_GEN})
  set(READ "-sv ${CMAKE_SOURCE_DIR}/rtl/${family}/${TOP}.sv")
  set(LIBDIRS " -libdir ${CMAKE_SOURCE_DIR}/rtl/${family} -libdir ${CMAKE_SOURCE_DIR}/rtl/lib")
  list(TRANSFORM PORTS_PACKAGES REPLACE "(.+)" " ${DUT_GEN}/\\1.sv" OUTPUT_VARIABLE packages)
  list(JOIN packages "" PACKAGES)
  set(PARAMS "")
  set(LIBERTY ${CMAKE_SOURCE_DIR}/synth/cells/ge.lib)
  set(DRIVER ${CMAKE_BINARY_DIR}/synth/ge.constr)
  set(WORK .)
  set(BRIEF "# ")
  file(STRINGS ${CMAKE_SOURCE_DIR}/synth/large.def broad REGEX "^BROAD\\(\"${TOP}\"\\)")
  if(broad)
    set(THOROUGH "# ")
    set(BRIEF "")
  endif()
  configure_file(${CMAKE_SOURCE_DIR}/synth/cells.ys.in ${out} @ONLY)
endfunction()

# The other kinds of device (suite devices: each is a build of its own); where
# harness/lockstep/dut/refused.txt says so, the refusal.
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/harness/lockstep/dut/refused.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/harness/lockstep/dut/refused.txt DUT_REFUSED REGEX "^[^#]")
function(device_tests block)
  foreach(kind IN ITEMS netlist cxxrtl icarus)
    lockstack_test(devices.${block}.${kind} LABELS devices TIMEOUT 3600
      COMMAND $<TARGET_FILE:lockstack> check ${block} --dut ${kind} --cycles 2000 --no-wave)
    foreach(line IN LISTS DUT_REFUSED)
      if(line MATCHES "^${block} ${kind} (.+)")
        set_tests_properties(devices.${block}.${kind} PROPERTIES PASS_REGULAR_EXPRESSION "${CMAKE_MATCH_1}")
        lockstack_list_refused(${block} ${kind})
      endif()
    endforeach()
  endforeach()
endfunction()

# The smoke test of the default parameters (label lockstep), and of every VARIANT (label variants:
# each is a build of its own, so they are a suite apart), with them of a check as it is by default,
# with its further runs.
function(block_tests block cycles also words)
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/harness/cli/blocks/verb_check.c)
    return()
  endif()
  if(cycles)
    lockstack_list_cycles(${block} ${cycles})
  else()
    set(cycles 20000)
  endif()
  set(check $<TARGET_FILE:lockstack> check ${block} --cycles ${cycles} --seed 1)
  lockstack_test(lockstep.${block} COMMAND ${check} LABELS lockstep TIMEOUT 900)
  lockstack_test(cover.${block} COMMAND $<TARGET_FILE:lockstack> cover ${block} --variants --prove LABELS cover
    TIMEOUT 3600)
  device_tests(${block})
  if(also)
    lockstack_test(lockstep.${block}.also COMMAND $<TARGET_FILE:lockstack> check ${block} --cycles 100000 --seed 1
      LABELS variants TIMEOUT 900)
  endif()
  set(name "")
  set(set "")
  foreach(word IN LISTS words ITEMS VARIANT)
    if(word MATCHES "^(VARIANT|RANGE)$")
      if(name)
        lockstack_test(lockstep.${block}.${name} COMMAND ${check} ${set} LABELS variants TIMEOUT 900)
        list(FILTER set EXCLUDE REGEX "^--set$")
        list(JOIN set " " params)
        lockstack_list_variant(${block} ${name} "${params}" "${covered}")
      endif()
      string(REGEX MATCH "^VARIANT$" covered ${word})
      set(name "")
      set(set "")
    elseif(NOT name)
      set(name ${word})
    else()
      list(APPEND set --set ${word})
    endif()
  endforeach()
endfunction()
