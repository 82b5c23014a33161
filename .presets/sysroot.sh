#!/bin/bash
# sysroot.sh ARCHITECTURE FOLDER: unpacks what perftop is built with and runs on, of one of Debian's other
# architectures, into FOLDER. Nothing is installed, and nothing of this system changes.
set -euo pipefail
architecture=$1
mkdir -p "$2"/apt/{lists/partial,archives/partial}
folder=$(realpath "$2")
. /etc/os-release
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main" \
	>"$folder/apt/sources.list"
apt() {
	apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
		-o Dir::State="$folder/apt" -o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt" \
		-o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null "$@"
}
apt update
cd "$folder/apt"
apt download libc6 libc6-dev libc-bin linux-libc-dev libgcc-s1 libcrypt1 libncurses-dev libncursesw6 libtinfo6 \
	libpfm4-dev libpfm4 libjansson-dev libjansson4 libelf-dev libelf1 libzstd-dev libzstd1 zlib1g-dev zlib1g \
	libdw-dev libdw1 liblzma-dev liblzma5 libbz2-1.0 libiberty-dev libcapstone-dev libcapstone4 libcmocka-dev libcmocka0
for package in *.deb; do
	dpkg-deb -x "$package" "$folder"
done
rm -r "$folder/apt"
# What begins with the root of a system there has to begin with that folder here.
find "$folder" -type l -lname '/*' -printf '%l\n%p\n' | while read -r target && read -r link; do
	ln -sfr "$folder$target" "$link"
done
