# SPDX-License-Identifier: Apache-2.0
#
# Port files and shared lists: what portgen (harness/portgen) makes of them.
#
#   ports_tool(FOLDER)
#       PORTGEN, where it is not set: compiled for this machine into the folder
#   ports_tree(DIR)
#       into DIR: X_ports.h and X_lint.sv of every block of the tree, packages and types of its lists
#
# Set for the includer: PORTS_ROOT, the tree; PORTS_LISTS, the lists (rtl/*/*.def); PORTS_LIST_DIRS,
# their folders; PORTS_PACKAGES, names of the packages made from them
# (harness/portgen/gen/X_pkg_sv.in for folder rtl/X); PORTS_SOURCES, what the result depends on
# beside these.

cmake_minimum_required(VERSION 3.25)
get_filename_component(PORTS_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
file(GLOB PORTS_LISTS ${PORTS_ROOT}/rtl/*/*.def)
set(PORTS_PROGRAM ${PORTS_ROOT}/harness/portgen/*.[ch] ${PORTS_ROOT}/harness/base/trouble.[ch]
  ${PORTS_ROOT}/harness/base/entities.[ch] ${PORTS_ROOT}/harness/base/one_line.[ch])
file(GLOB PORTS_SOURCES ${PORTS_PROGRAM} ${PORTS_ROOT}/harness/portgen/gen/*)
list(APPEND PORTS_SOURCES ${CMAKE_CURRENT_LIST_FILE})
set(PORTS_LIST_DIRS "")
set(PORTS_PACKAGES "")
foreach(list IN LISTS PORTS_LISTS)
  get_filename_component(dir ${list} DIRECTORY)
  get_filename_component(family ${dir} NAME)
  if(NOT dir IN_LIST PORTS_LIST_DIRS)
    list(APPEND PORTS_LIST_DIRS ${dir})
    if(EXISTS ${PORTS_ROOT}/harness/portgen/gen/${family}_pkg_sv.in)
      list(APPEND PORTS_PACKAGES ${family}_pkg)
    endif()
  endif()
endforeach()

# Stops with what is wrong.
function(ports_bad)
  set(text "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE ${last})  # not ARGV: a semicolon in the text would be lost
    string(APPEND text "${ARGV${i}}")
  endforeach()
  message(FATAL_ERROR "${text}")
endfunction()

# For the machine that builds, whatever it builds for: the generated headers are there before anything is compiled.
macro(ports_tool FOLDER)
  if(NOT PORTGEN)
    set(PORTGEN ${FOLDER}/portgen)
    ports_compile(${PORTGEN})
  endif()
endmacro()

function(ports_compile PROGRAM)
  set(stale FALSE)
  file(GLOB sources ${PORTS_PROGRAM})
  if(NOT sources)
    ports_bad("environment: ${PORTS_ROOT}/harness/portgen has no sources")
  endif()
  foreach(source IN LISTS sources)
    if(${source} IS_NEWER_THAN ${PROGRAM})
      set(stale TRUE)
    endif()
  endforeach()
  if(NOT stale)
    return()
  endif()
  list(FILTER sources INCLUDE REGEX "\\.c$")
  find_program(PORTS_CC NAMES cc gcc clang)
  if(NOT PORTS_CC)
    ports_bad("environment: cc is not installed")
  endif()
  get_filename_component(folder ${PROGRAM} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  string(RANDOM part)  # more than one build may do it at a time
  execute_process(COMMAND ${PORTS_CC} -std=gnu11 -D_GNU_SOURCE -O1 -I${PORTS_ROOT}/harness/base -o ${PROGRAM}.${part}
    ${sources}
    ERROR_VARIABLE err RESULT_VARIABLE rc)
  if(rc)
    ports_bad("environment: ${PORTS_CC} could not make ${PROGRAM}: ${err}")
  endif()
  file(RENAME ${PROGRAM}.${part} ${PROGRAM})
endfunction()

# Runs portgen; the caller's VAR gets what it prints.
function(ports_run VAR)
  execute_process(COMMAND ${PORTGEN} --root ${PORTS_ROOT} ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE err
    RESULT_VARIABLE rc)
  if(rc EQUAL 2)
    ports_bad("${err}")
  elseif(rc)
    ports_bad("environment: ${PORTGEN}: ${rc} ${err}")
  endif()
  set(${VAR} "${text}" PARENT_SCOPE)
endfunction()

function(ports_tree DIR)
  ports_run(nothing --tree -o ${DIR})
endfunction()
