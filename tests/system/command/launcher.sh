#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# The launcher on machines that lack something, played by stand-ins of the system's tools on PATH:
# what it says, what it would install, and its exit status. A copy of the tree's skeleton stands
# for the checkout; its "build" is a stand-in too.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir -p tree bin
cp "$source/lockstack" "$source/packages.txt" tree

tool() { # tool NAME: a stand-in whose text is standard input
  { echo '#!/bin/bash'; cat; } >"bin/$1"
  chmod +x "bin/$1"
}
launch() { env PATH="$here/bin:/usr/bin:/bin" HOME="$here" tree/lockstack "$@"; }

tool id <<<'echo 0'
tool sudo <<<"echo \"sudo \$*\" >>$here/log; case \$1 in -n|-v) exit 0;; esac; \"\$@\""
tool apt-get <<<"echo \"apt-get \$*\" >>$here/log; case \$* in *install*) touch $here/installed;; esac"
lacks_two() { # until they are installed
  tool dpkg-query <<EOF2
for p in "\$@"; do
  case \$p in
    -*|*' '*|'\$'*) ;;
    yosys|ccache) [ -e $here/installed ] && echo "installed \$p" ;;
    *) echo "installed \$p" ;;
  esac
done
EOF2
}
lacks_two
tool cmake <<<"echo configured >>$here/log; mkdir -p build/release/bin; touch build/release/build.ninja"
tool ninja <<EOF2
echo built >>$here/log
printf '#!/bin/sh\necho ran "\$@"\n' >"\$2/bin/lockstack"
chmod +x "\$2/bin/lockstack"
EOF2

# First run: two packages are missing; nobody is asked, since there is no terminal.
runs 0 launch run nsu vadd
equal "$out" 'ran run nsu vadd' 'the command'
matches "$err" 'will be installed: ccache yosys$' 'what it says'
matches "$(cat log)" 'apt-get .*update.*apt-get .*install -y --no-install-recommends ccache yosys' 'what it installs'
matches "$(cat log)" 'configured.built' 'the build'

# Second run: nothing to install, nothing to configure; arguments arrive whole; --yes is the
# launcher's own.
rm log
runs 0 launch --yes check 'a b' --seed 1
equal "$out" 'ran check a b --seed 1' 'the command'
equal "$err" '' 'a run with nothing to do'
equal "$(cat log)" built 'what a second run does'

# What the tests alone need is installed before them, not before.
tool dpkg-query <<<'for p in "$@"; do case $p in -*|slurm*) ;; *) echo "installed $p" ;; esac; done'
rm -f log
runs 0 launch list
equal "$err" '' 'another verb'
runs 0 launch test --help
equal "$err" '' 'a help page'
runs 0 launch test unit
matches "$err" 'will be installed: slurm-client slurmctld slurmd$' 'before the tests'
lacks_two

# Packages of some releases alone: there, and nowhere else
tool dpkg-query <<<'for p in "$@"; do case $p in -*|*tech*|chromium) ;; *) echo "installed $p" ;; esac; done'
for row in 'debian 12 chromium qflow-tech-osu018' 'debian 13 chromium' 'ubuntu 24.04 '; do
  read -r id version wanted <<<"$row"
  printf 'PRETTY_NAME="x"\nVERSION_ID="%s"\nID=%s\n' "$version" "$id" >release
  runs 0 env LOCKSTACK_OS_RELEASE="$here/release" PATH="$here/bin:/usr/bin:/bin" HOME="$here" tree/lockstack test unit
  equal "$(sed -n 's/.*will be installed: //p' <<<"$err")" "$wanted" "what $id $version lacks"
done
lacks_two

# Not root: sudo. No sudo, or one that wants a password: one line, with the command to give.
rm -f log installed
tool id <<<'echo 1000'
runs 0 launch list
matches "$err" 'installed with sudo: ccache yosys' 'what it says'
matches "$(cat log)" 'sudo env DEBIAN_FRONTEND=noninteractive apt-get .*install' 'what it installs'
rm -f installed
tool sudo <<<'exit 1'
runs 3 launch list
matches "$err" 'sudo wants a password; as root: apt-get install ccache yosys' 'sudo with a password'
tool id <<<'echo 0'

# The download fails; the disk is full while installing.
tool apt-get <<<'echo "E: Could not resolve the mirror" >&2; exit 100'
runs 3 launch list
matches "$err" 'Could not resolve.*updating the package lists failed \(status 100\)' 'a failed download'
tool apt-get <<<'echo "write error: No space left on device" >&2; exit 100'
runs 3 launch list
matches "$err" 'the disk is full' 'a full disk'
tool dpkg-query <<<'shift 3; for p in "$@"; do echo "installed $p"; done'

# The build fails: the log's end, one line, status 3.
tool ninja <<<'echo "[3/9] cc x.c"; echo "x.c:1: error: no"; exit 1'
runs 3 launch list
matches "$err" 'x.c:1: error: no.*building failed \(status 1\); the whole log is in ' 'a failed build'
tool ninja <<<'echo "fatal error: No space left on device"; exit 1'
runs 3 launch list
matches "$err" 'building failed: the disk is full' 'a full disk'

# A checkout that was moved is configured afresh; an unknown preset is bad usage.
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >tree/build/release/CMakeCache.txt
tool cmake <<<"echo \"cmake \$*\" >>$here/log; rm -f build/release/CMakeCache.txt"
tool ninja <<<'true'
runs 0 launch list
matches "$(cat log)" "cmake -S $here/tree --preset release --fresh" 'a moved checkout'

# A checkout of a name that tools do not take is built by a link to it.
odd="$here/my tree-(a+b)'s"
cp -r tree "$odd" && rm -rf "$odd/build" log
tool cmake <<<"echo \"cmake \$*\" >>$here/log; mkdir -p build/release/bin; touch build/release/build.ninja"
tool ninja <<EOF2
echo "ninja \$2" >>$here/log
printf '#!/bin/sh\necho odd "\$@"\n' >"\$2/bin/lockstack"
chmod +x "\$2/bin/lockstack"
EOF2
runs 0 env PATH="$here/bin:/usr/bin:/bin" HOME="$here" "$odd/lockstack" list
equal "$out" 'odd list' 'the command of a tree of an odd name'
link=$(echo "$here"/.cache/lockstack/tree-*)
matches "$(cat log)" "cmake -S $link --preset release.ninja $link/build/release" 'what is built there'
equal "$(readlink "$link")" "$odd" 'the link'
rm "$link"                                        # somebody clears the caches
runs 0 env PATH="$here/bin:/usr/bin:/bin" HOME="$here" "$odd/lockstack" list
runs 3 env PATH="$here/bin:/usr/bin:/bin" HOME="$here/o d d" "$odd/lockstack" list
matches "$err" 'one of them should have letters, digits and _ . - only in its name' 'a home of an odd name, too'
tool cmake <<<"rm -f build/release/CMakeCache.txt"
tool ninja <<<'true'
runs 2 env LOCKSTACK_PRESET=fast tree/lockstack list
matches "$err" "'fast' should be release, debug" 'an unknown preset'

# Each verb builds what it needs: the command; before there is one, the program that network has of
# its own; all before the tests.
mkdir -p tree/harness/cli
cp "$source/harness/cli/CMakeLists.txt" tree/harness/cli
tool ninja <<EOF2
echo "\${*:3}" >$here/log
for program in lockstack lockstack_network; do printf '#!/bin/sh\necho "\${0##*/} \$@"\n' >"\$2/bin/\$program"; chmod +x "\$2/bin/\$program"; done
EOF2
for verb in run area bench cover faults replay network; do
  runs 0 launch $verb x
  equal "$out" "lockstack $verb x" "what runs $verb"
  equal "$(cat log)" lockstack "what $verb builds"
done
runs 0 launch -V
equal "$(cat log)" lockstack 'what -V builds'
runs 0 launch test x
equal "$(cat log)" '' 'what test builds: all'
rm tree/build/release/bin/lockstack
runs 0 launch network x
equal "$(cat log)" lockstack_network 'what network builds first'
equal "$out" 'lockstack_network network x' 'what runs network then'

# No Debian: what is there counts, and what is not, or is too old, is named with the version that
# would do
mkdir bare
for name in bash env sed awk sort head grep printf readlink dirname cksum tr mkdir ln cat id mktemp rm sleep tail \
  basename xargs comm flock touch chmod; do
  ln -sf "$(command -v $name)" bare/$name
done
bare() { env PATH="$here/bare" HOME="$here" tree/lockstack "$@"; }
for row in 'bash 5.2' 'cmake 3.31.6' 'ninja 1.12' 'g++ 14.2.0' 'pkg-config 1.8.1' 'verilator 4.038' 'yosys 0.52' \
  'z3 4.13' 'gnuplot 6.0'; do
  read -r name version <<<"$row"
  [ $name = bash ] || { printf '#!/bin/sh\necho "%s %s (x)"\n' $name $version >bare/$name && chmod +x bare/$name; }
done
runs 3 bare list
matches "$err" 'has no Debian packages, and lacks: verilator 5.006 or later .here: 4.038., iverilog 11 or later .here: none.;' 'what is named'
for row in 'verilator 5.032' 'iverilog 12.0'; do
  read -r name version <<<"$row"
  printf '#!/bin/sh\necho "%s %s (x)"\n' $name $version >bare/$name && chmod +x bare/$name
done
printf '#!/bin/sh\nmkdir -p "$2/bin"; printf "#!/bin/sh\\necho bare ran\\n" >"$2/bin/lockstack"; chmod +x "$2/bin/lockstack"\n' >bare/ninja-run
printf '#!/bin/sh\ncase $1 in --version) echo 1.12 ;; *) exec "%s/bare/ninja-run" "$@" ;; esac\n' "$here" >bare/ninja
chmod +x bare/ninja bare/ninja-run
runs 0 bare list
equal "$out" 'bare ran' 'a machine that has the tools'
