#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# What `cmake --install` puts under a prefix works from there: blocks are checked (one with other parameters, built on the
# spot) and a kernel runs on the full system.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

runs 0 cmake --install "$build" --prefix "$here/prefix"
tool=$here/prefix/bin/lockstack
runs 0 "$tool" list --json list.json
equal "$(json list.json schema)" lockstack.list/1 'the schema'

runs 0 "$tool" check arb_rr --cycles 1000
runs 0 "$tool" check arb_rr --cycles 1000 --set NumReq=3
runs 0 "$tool" run nsu vadd --set workload.n=2000 --engine 'nsu[0]=lockstep' --json run.json
equal "$(json run.json result_ok)" true 'the result'
runs 0 "$tool" run mpu axpy --set workload.n=2000 --set mpu.cubes_x=1 --set mpu.cubes_y=1 --engine 'lsu_ext[5]=lockstep' --json mpu.json
equal "$(json mpu.json result_ok)" true 'the result of the MPU'
equal "$(json mpu.json lockstep.divergences)" 0 'divergences of the MPU'
