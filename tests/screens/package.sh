#!/bin/bash
# package.sh BUILD: the Debian package has all that is to be installed, its program runs, and the right to
# watch the machine is given if debconf says so, and taken back.
#
# Needs root and Debian's tools (cpack dpkg-deb dpkg-shlibdeps debconf unshare); not run otherwise.
set -u
[ "$(id -u)" = 0 ] || { echo "not run: needs root"; exit 77; }
for tool in cpack dpkg-deb dpkg-shlibdeps debconf-communicate unshare; do
	command -v $tool >/dev/null || { echo "not run: no $tool"; exit 77; }
done
BUILD=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

cpack -G DEB --config "$BUILD/CPackConfig.cmake" -B "$scratch" >"$scratch/log" 2>&1 ||
	{ cat "$scratch/log"; exit 1; }
package=$(echo "$scratch"/perftop_*.deb)
[ -f "$package" ] || { echo "FAILED: no package"; exit 1; }
root=$scratch/root control=$scratch/control
dpkg-deb -x "$package" "$root"
dpkg-deb -e "$package" "$control"

for file in bin/perftop share/man/man1/perftop.1 share/bash-completion/completions/perftop \
	share/zsh/vendor-completions/_perftop share/fish/vendor_completions.d/perftop.fish \
	share/doc/perftop/README.md; do
	ls "$root/usr/$file"* >/dev/null 2>&1 || fail "the package has no $file"
done
"$root/usr/bin/perftop" --version | grep -q "^perftop [0-9]" || fail "the program does not run"
dpkg-deb -f "$package" Depends | grep -q libncursesw6 || fail "depends on: $(dpkg-deb -f "$package" Depends)"
for script in config postinst postrm; do
	[ "$(stat -c %a "$control/$script")" = 755 ] || fail "$script: mode $(stat -c %a "$control/$script")"
done

# The scripts run with an answer in debconf's place, and write down whom they give what.
mkdir "$scratch/bin"
cat >"$scratch/confmodule" <<'END'
db_get() { RET=$ANSWER; }
db_input() { echo "input $*" >>"$LOG"; }
db_go() { :; }
db_purge() { echo purge >>"$LOG"; }
END
for tool in setcap getcap; do
	printf '#!/bin/sh\necho %s "$@" >>"$LOG"\n[ %s = setcap ] || echo "$1 cap_perfmon=ep"\n' $tool $tool \
		>"$scratch/bin/$tool"
	chmod +x "$scratch/bin/$tool"
done
# run SCRIPT ANSWER ARGUMENT...: what it does
run() {
	local script=$1
	: >"$scratch/done"
	ANSWER=$2 LOG=$scratch/done PATH=$scratch/bin:$PATH unshare -m sh -c '
		mount --bind "$1" /usr/share/debconf/confmodule && shift && exec "$@"' _ \
		"$scratch/confmodule" "$control/$script" "${@:3}" || fail "$script: status $?"
	cat "$scratch/done"
}
[ "$(run postinst true configure)" = "setcap cap_perfmon=ep /usr/bin/perftop" ] || fail "yes: $(cat "$scratch/done")"
run postinst false configure | grep -qx "setcap -r /usr/bin/perftop" || fail "no: $(cat "$scratch/done")"
[ "$(run config x configure)" = "input medium perftop/cap-perfmon" ] || fail "config: $(cat "$scratch/done")"
[ "$(run postrm x purge)" = purge ] || fail "purge: $(cat "$scratch/done")"

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
