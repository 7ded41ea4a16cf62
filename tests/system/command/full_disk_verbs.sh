#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A full disk, a file system of 64 KB: every verb that writes says in one line what it could not
# write and why, ends with exit status 3, and leaves nothing half-written. In a mount namespace of
# its own; without root in a user namespace too. Where neither may be made it fails: nobody should
# believe that this was looked at.
# timeout: 400
# label: soak
# shellcheck disable=SC2016 source=tests/system/lib.sh
if [ -z "${FULL_DISK-}" ]; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(--map-root-user)
  FULL_DISK=1 exec unshare --mount "${as_root[@]}" bash "$0"
fi
. "$(dirname "$0")/../lib.sh"

mkdir small
mount -t tmpfs -o size=64k tmpfs small || exit 1
trap 'umount small; finish' EXIT

# What the verbs need: a block that fails, its replay file, a database
cp -r "$source/docs/example" own
sed -i 's/sum_o + value_i/sum_o + (value_i ^ Bits'"'"'(sum_o == 5))/' own/accum.sv
runs 1 "$lockstack" check own --cycles 20000 --set Bits=6 --no-wave --out ok --json ok.json
replay=$(json ok.json replay)
printf 'jobs:\n  - memory: {requests: 100, seeds: 3}\n' >few.yaml
runs 0 "$lockstack" regress few.yaml --db few.db

# One line for each way to write; $replay has no blank in it. --json is the same for all of them,
# and stands for verbs that write no more.
writes="
check fifo --cycles 3000 --wave small/w.fst
check own --cycles 20000 --set Bits=6 --out small/o
check fifo --cycles 3000 --json small/j.json
replay $replay --wave small/w.fst
cover fifo --cycles 200 --runs 1 --html small/h
mutate fifo --count 5 --no-proofs --out small/m
prove fifo --first --out small/p
rules tom_place --own --no-proofs --json small/j.json
faults fifo --count 5 --cycles 200 --json small/j.json
power fifo --cycles 2000 --nets small/n.csv
area fifo --out small/a
area arb_rr --sweep NumReq=2,3 --draw small/d
network --cycles 1000 --out small/n
run nsu vadd --set workload.n=256 --json small/j.json
reproduce --json small/j.json
report --db few.db --out small/r.html
report --db few.db --out r.html --csv small/r.csv
regress few.yaml --db small/s.db
regress few.yaml --db other.db --junit small/x.xml
sweep memory --requests 100 --over outstanding=1,2 --db small/w.db
sweep memory --requests 100 --over outstanding=1,2 --db swept.db --csv small/w.csv
offload $source/firmware/workloads/kernels/vadd/vadd.ptx --json small/j.json
memory --requests 1000 --json small/j.json
bench vault --samples 1 --json small/j.json
list --json small/j.json
draw nsu --json small/j.json
draw nsu --out small/n.svg
new small/block
"
elsewhere=' fuzz test exec serve ' # fuzz builds with clang first, test runs tests, two want a program to run; all write their result as list does
for verb in $("$lockstack" --help | awk '/^  [a-z]/ { print $1 }'); do
  [[ $writes == *$'\n'"$verb "* || $elsewhere == *" $verb "* ]] || wrong "the verb '$verb' is not looked at"
done

# on_full_disk KILOBYTES VERB...: with so many of the 64 in use
on_full_disk() {
  local used=$1
  shift
  rm -rf small/*
  head -c "${used}k" /dev/zero >small/fill
  runs 3 "$lockstack" "$@"
  local said
  said=$(grep '^lockstack: ' <<<"$err" | grep -Ev '^lockstack: (building|reading) ')
  equal "$(wc -l <<<"$said")" 1 "lines of '$*' that complain"
  matches "$said" 'small.*(No space left on device|the disk is full)|no space left on the device for .*small/' \
    "what '$*' says"
  equal "$(find small -type f ! -name fill ! -name '*lock')" '' "what '$*' leaves"
}
while read -r line; do
  # shellcheck disable=SC2086
  [ -z "$line" ] || on_full_disk 64 $line
done <<<"$writes"
on_full_disk 60 check fifo --cycles 3000 --wave small/w.fst                # room for the file's beginning
on_full_disk 60 network --cycles 1000 --out small/n
on_full_disk 4 prove own --first --out small/p                             # Verilator says that all went well

# A database that fills up in the middle of a run: what was finished is kept, and the run goes on
# once there is room.
printf 'jobs:\n  - memory: {requests: 100, seeds: 60}\n' >many.yaml
umount small
mount -t tmpfs -o size=112k tmpfs small || exit 1
runs 3 "$lockstack" regress many.yaml --db small/s.db
equal "$(grep -c '^lockstack: ' <<<"$err")" 1 'lines about a database that fills up'
mount -o remount,size=4m small
finished() { "$build/tests/sql_get" small/s.db "SELECT COUNT(*) FROM job WHERE state = 'done'"; }
before=$(finished)
[ "$before" -lt 60 ] || wrong "all jobs were finished on the full disk"
runs 0 "$lockstack" regress many.yaml --db small/s.db --resume
equal "$(finished)" 60 'jobs finished once there is room'
kept=$("$build/tests/sql_get" small/s.db 'SELECT COUNT(*) FROM job' | head -n 1)
[ "$kept" -eq 60 ] || wrong "$kept of 60 jobs in the database"
