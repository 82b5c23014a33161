#!/bin/sh
# build.sh FOLDER [CMAKE-OPTION...]: builds perftop in the folder FOLDER of this checkout. Packages that it needs and that
# are missing are installed, on Debian and what is made of it, as root; with -DPERFTOP_TESTS=ON those of the tests, too.
set -eu
cd "$(dirname "$0")/.."
folder=${1:?build.sh FOLDER [CMAKE-OPTION...]}
shift

needed='gcc libc6-dev cmake ninja-build pkg-config libncurses-dev libpfm4-dev libjansson-dev libelf-dev libdw-dev
libiberty-dev libcapstone-dev libzstd-dev zlib1g-dev'
case " $* " in
*' -DPERFTOP_TESTS=ON '*) needed="$needed libcmocka-dev ncurses-base tmux procps linux-perf" ;;
esac
missing=
for package in $needed; do
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq </dev/null
	# shellcheck disable=SC2086 # names of packages, one after the other
	apt-get install -y -qq --no-install-recommends $missing </dev/null
fi
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPERFTOP_TESTS=OFF -DPERFTOP_LTO=OFF "$@"
cmake --build "$folder"
