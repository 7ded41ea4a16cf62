# SPDX-License-Identifier: Apache-2.0
#
# The sum of the C that makes objects, a part of each object's key: another token of the emitter, of
# portgen or of what they include changes it, and a comment, or a file that makes nothing, does not.
source "$(dirname "$0")/../lib.sh"

tree=copy/harness
mkdir -p $tree/lockstep $tree/verify
cp -r "$source/harness/base" "$source/harness/portgen" $tree
cp -r "$source/harness/lockstep/objects" $tree/lockstep
cp -r "$source/harness/verify/emit" "$source/harness/verify/vhdl" $tree/verify
# sum TREE
sum() {
  cmake -DSOURCE="$1" -DOUTPUT="$PWD/sum.h" -DCOMPILER=gcc -P "$source/cmake/generators.cmake" && grep -o '[0-9a-f]*"$' sum.h
}
first=$(sum "$PWD/copy")
matches "$first" '^[0-9a-f]{16}"$' 'a sum'
equal "$(sum "$source")" "$first" 'the same sources elsewhere'

printf '\n/* a comment; of [two]\n * lines */\n' | tee -a $tree/verify/emit/emit.c >>$tree/portgen/portgen.c
printf 'int unused;\n' >>$tree/base/lef.c
equal "$(sum "$PWD/copy")" "$first" 'comments, and a file of the base that no such C includes'
last=$first
for file in verify/emit/emit_stmt.c portgen/port_text.c lockstep/objects/recipe_yosys.c verify/vhdl/ghdl_write.c \
  base/clocking.c lockstep/objects/recipe.h; do
  printf 'int token;\n' >>"$tree/$file"
  now=$(sum "$PWD/copy")
  [ "$now" != "$last" ] || wrong "another token of $file changes nothing"
  last=$now
done
