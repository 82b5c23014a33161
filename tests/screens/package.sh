#!/bin/bash
# package.sh BUILD: the Debian package has all that is to be installed, its program runs, and the right to
# watch the machine is given to a group if debconf says so, never to all users, and is taken back. Where there is
# lintian, it has neither an error nor a warning to report.
#
# Needs root and Debian's tools (cpack dpkg-deb dpkg-shlibdeps debconf unshare); not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root cpack dpkg-deb dpkg-shlibdeps debconf-communicate unshare
BUILD=$(realpath "$1")

(umask 077 && cpack -G DEB --config "$BUILD/CPackConfig.cmake" -B "$scratch") >"$scratch/log" 2>&1 ||
	{ cat "$scratch/log"; exit 1; }
package=$(echo "$scratch"/perftop_*.deb)
[ -f "$package" ] || { echo "FAILED: no package"; exit 1; }
root=$scratch/root control=$scratch/control
dpkg-deb -x "$package" "$root"
dpkg-deb -e "$package" "$control"

for file in bin/perftop share/man/man1/perftop.1 share/bash-completion/completions/perftop \
	share/zsh/vendor-completions/_perftop share/fish/vendor_completions.d/perftop.fish \
	share/doc/perftop/README.md share/doc/perftop/guide.md share/doc/perftop/copyright share/doc/perftop/changelog; do
	ls "$root/usr/$file"* >/dev/null 2>&1 || fail "the package has no $file"
done
"$root/usr/bin/perftop" --version | grep -q "^perftop [0-9]" || fail "the program does not run"
dpkg-deb -f "$package" Depends | grep -q libncursesw6 || fail "depends on: $(dpkg-deb -f "$package" Depends)"
for script in config postinst postrm; do
	[ "$(stat -c %a "$control/$script")" = 755 ] || fail "$script: mode $(stat -c %a "$control/$script")"
done

if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning "$package" >"$scratch/log" || fail "lintian: $(cat "$scratch/log")"
fi

# The scripts run with an answer in debconf's place, and write down whom they give what.
mkdir "$scratch/bin"
cat >"$scratch/confmodule" <<'END'
db_get() { case $1 in *created*) RET=$CREATED ;; *) RET=$ANSWER ;; esac; }
db_set() { echo set "$@" >>"$LOG"; }
db_input() { echo "input $*" >>"$LOG"; }
db_go() { :; }
db_purge() { echo purge >>"$LOG"; }
END
# tool NAME [COMMAND]: one that writes down how it was called, then does the command
tool() {
	printf '#!/bin/sh\necho %s "$@" >>"$LOG"\n%s\n' "$1" "${2:-}" >"$scratch/bin/$1"
	chmod +x "$scratch/bin/$1"
}
for tool in setcap groupadd groupdel chown chmod; do
	tool $tool
done
tool getcap 'echo "$1 cap_perfmon=ep"'
tool getent '[ -z "$GROUP" ] && exit 2; echo "$GROUP"'
tool dpkg-statoverride '[ "$1" != --list ] || { [ -n "$OVERRIDE" ] && echo "$OVERRIDE"; }'
# run SCRIPT ANSWER ARGUMENT...: what it does, where there are $GROUP and $OVERRIDE
run() {
	local script=$1
	: >"$scratch/done"
	ANSWER=$2 CREATED=${CREATED:-} GROUP=${GROUP:-} OVERRIDE=${OVERRIDE:-} LOG=$scratch/done PATH=$scratch/bin:$PATH unshare -m sh -c '
		mount --bind "$1" /usr/share/debconf/confmodule && shift && exec "$@"' _ \
		"$scratch/confmodule" "$control/$script" "${@:3}" || fail "$script: status $?"
	grep -v -e '^get' -e '--list' "$scratch/done"
}
# does WORDS SCRIPT ANSWER ARGUMENT...: these words, in this order
does() {
	[ "$(run "${@:2}" | tr '\n' ';')" = "$1" ] || fail "${*:2}: $(cat "$scratch/done")"
}
made='perfmon:x:999:' mode='root perfmon 0750 /usr/bin/perftop'
add='dpkg-statoverride --update --add root perfmon 0750 /usr/bin/perftop;setcap cap_perfmon=ep /usr/bin/perftop;'
remove='dpkg-statoverride --remove /usr/bin/perftop;'
does "groupadd --system perfmon;set perftop/created-group true;$add" postinst true configure
GROUP=$made does "$add" postinst true configure
GROUP=$made OVERRIDE=$mode does 'setcap cap_perfmon=ep /usr/bin/perftop;' postinst true configure
GROUP=$made OVERRIDE=$mode does "setcap -r /usr/bin/perftop;${remove}chown root:root /usr/bin/perftop;chmod 0755 /usr/bin/perftop;" \
	postinst false configure
does 'setcap -r /usr/bin/perftop;' postinst false configure
OVERRIDE='root adm 0750 /usr/bin/perftop' does 'setcap -r /usr/bin/perftop;' postinst false configure
does 'input medium perftop/perfmon-group;' config x configure
GROUP=$made OVERRIDE=$mode does "$remove" postrm x remove
does '' postrm x upgrade
GROUP=$made CREATED=true does 'groupdel perfmon;purge;' postrm x purge
GROUP=${made}anne CREATED=true does 'purge;' postrm x purge
GROUP=$made OVERRIDE=$mode CREATED=false does "${remove}purge;" postrm x purge

report
