#!/bin/bash
# release.sh SOURCE: a release is an archive of the source, what has changed and checksums that hold; the same source,
# the same bytes. Where there is rpmspec, it reads the spec in the archive.
#
# Needs a checkout of git; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs git
git -C "$1" rev-parse HEAD >/dev/null 2>&1 || not_run "$1 is no checkout of git"
mkdir "$scratch"/{one,two}
for folder in one two; do
	"$1/src/package/make-release" "$scratch/$folder" >"$scratch/log" 2>&1 || fail "make-release: $(cat "$scratch/log")"
done
cmp "$scratch/one/SHA256SUMS" "$scratch/two/SHA256SUMS" || fail "not the same bytes"
cd "$scratch/one" || exit 1
sha256sum --quiet -c SHA256SUMS || fail "checksums"
[ "$(wc -l <SHA256SUMS)" = 2 ] || fail "checksums of $(cat SHA256SUMS)"
archive=$(echo perftop-*.tar.gz)
name=${archive%.tar.gz}
head -n 1 "$name.txt" | grep -q "^${name/-/ }, " || fail "what has changed begins with $(head -n 1 "$name.txt")"
[ "$(grep -c '^perftop ' "$name.txt")" = 1 ] || fail "what has changed is of several versions"
tar -xf "$archive" "$name/CMakeLists.txt" "$name/LICENSE" "$name/src/package/perftop.spec" || fail "files of the source"
if command -v rpmspec >/dev/null; then
	[ "$(rpmspec -q --srpm --qf '%{name}-%{version}' "$name/src/package/perftop.spec")" = "$name" ] || fail "the spec is of another"
fi

report
