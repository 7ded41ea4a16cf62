# SPDX-License-Identifier: Apache-2.0
#
# Compiler settings, libraries and the functions every folder's CMakeLists.txt uses:
#
#   lockstack_library(name SOURCES a.c b.c [DEPS other ...])
#       A static library; its folder becomes an include directory of whoever links it.
#   lockstack_unit_test(name [SOURCES ...] [LIBS ...] [ARGS ...] [TIMEOUT seconds] [LABELS ...])
#       A cmocka program run by ctest under the label `unit`. SOURCES default to test_<name>.c; a relative source is
#       looked for in the calling folder, then in the folders of tests/unit, where a name is unique.
#   lockstack_test(name COMMAND ... [LABELS ...] [TIMEOUT seconds] [ENVIRONMENT ...])
#       Any other command as a test; LABELS name its suites (default: system).

set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 17)                        # what Debian's libsystemc was built with
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)           # models go into loadable objects too
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_DEPENDS_USE_COMPILER ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug" FORCE)
endif()
# Assertions stay on in every build: a model's broken promise is an outcome (MODEL_ASSERT), not undefined behaviour.
foreach(lang C CXX)
  set(CMAKE_${lang}_FLAGS_RELEASE "-O3 -g1")
  set(CMAKE_${lang}_FLAGS_DEBUG "-O0 -g3")
endforeach()

option(LOCKSTACK_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(LOCKSTACK_COVERAGE "Build with line coverage of our C and C++" OFF)
option(LOCKSTACK_FUZZ "Build the fuzz targets, all code instrumented: clang with libFuzzer" OFF)
option(LOCKSTACK_MUTANTS "Build the C parts without RTL with mutants in them: needs libclang" OFF)
option(LOCKSTACK_WERROR "Treat compiler warnings as errors" OFF)

# FP contraction would change the rounding of golden models; the paper's FP32 is IEEE 754 operation by operation.
add_compile_options(-Wall -Wextra -ffp-contract=off
  "$<$<COMPILE_LANGUAGE:C>:-Wshadow;-Werror=implicit-function-declaration>")
add_link_options(-Wl,--build-id=sha1)  # by which results that are kept know their program
if(LOCKSTACK_WERROR)
  add_compile_options(-Werror)
endif()
if(LOCKSTACK_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(LOCKSTACK_FUZZ)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer,address,undefined)
  check_c_source_compiles("int LLVMFuzzerTestOneInput(const char *data, long size) { return data && size < 0; }"
    LOCKSTACK_HAS_FUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT LOCKSTACK_HAS_FUZZER)
    message(FATAL_ERROR
      "LOCKSTACK_FUZZ needs clang with libFuzzer and its sanitizers: install the packages clang and libclang-rt-14-dev")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(LOCKSTACK_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# A cache shared by all build folders and checkouts, where ccache is installed.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(launcher "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
endif()

include(cmutants)

# Libraries from Debian (packages.txt), as PkgConfig::CMOCKA and so on.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
foreach(library cmocka jansson zlib systemc yaml-0.1 libcyaml sqlite3 libmd liblz4 libzstd)
  string(TOUPPER ${library} prefix)
  string(REGEX REPLACE "-.*" "" prefix ${prefix})
  pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET ${library})
endforeach()

function(lockstack_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  cmutants_of(sources ${name} ${arg_SOURCES})
  add_library(${name} STATIC ${sources})
  if(NOT sources STREQUAL arg_SOURCES)
    target_link_libraries(${name} PUBLIC cmutant)
  endif()
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_DEPS})
endfunction()

set(LOCKSTACK_UNIT_FOLDERS "${CMAKE_SOURCE_DIR}/tests/unit")
foreach(folder simt gpu mpu memory network blocks firmware harness)
  list(APPEND LOCKSTACK_UNIT_FOLDERS "${CMAKE_SOURCE_DIR}/tests/unit/${folder}")
endforeach()

function(lockstack_unit_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;ARGS;LABELS" ${ARGN})
  if(NOT arg_SOURCES)
    set(arg_SOURCES test_${name}.c)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(sources)
  foreach(source IN LISTS arg_SOURCES)
    if(NOT IS_ABSOLUTE "${source}" AND NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
      file(GLOB found "${CMAKE_SOURCE_DIR}/tests/unit/*/${source}")
      list(LENGTH found count)
      if(NOT count EQUAL 1)
        message(FATAL_ERROR "unit test ${name}: ${source} is ${count} files of tests/unit/*; one would be right")
      endif()
      set(source "${found}")
    endif()
    list(APPEND sources "${source}")
  endforeach()
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" ${LOCKSTACK_UNIT_FOLDERS})
  target_compile_definitions(test_${name} PRIVATE LOCKSTACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    LOCKSTACK_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(test_${name} PRIVATE ${arg_LIBS} PkgConfig::CMOCKA m)
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_test(NAME unit.${name} COMMAND test_${name} ${arg_ARGS} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set_tests_properties(unit.${name} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT})
endfunction()

function(lockstack_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS system)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  # Where no run has been yet, ctest begins with what may take longest, so that none of it is left alone at the end.
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT})
  if(arg_ENVIRONMENT)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
  endif()
endfunction()
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
