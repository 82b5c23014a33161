#!/bin/bash
# packages.sh FOLDER [BUILD...]: makes in FOLDER, of each BUILD or of builds of its own for amd64 and arm64, what runs
# without a build:
#
#	perftop-ARCHITECTURE                the program with everything linked in
#	perftop_VERSION_ARCHITECTURE.deb    the Debian package
#	Containerfile                       of an image: docker build -t perftop FOLDER
#
# Debian: what the README says, libbz2-dev, and for arm64 what .presets/arm64.cmake says, with libbz2-dev:arm64.
set -euo pipefail
source=$(realpath "$(dirname "$0")/../..")
mkdir -p "$1"
folder=$(realpath "$1")
builds=("${@:2}")
if [ ${#builds[@]} = 0 ]; then
	builds=("$folder"/build-{amd64,arm64})
	cmake -S "$source" -B "${builds[0]}" -G Ninja -DPERFTOP_TESTS=OFF
	cmake --toolchain "$source/.presets/arm64.cmake" -S "$source" -B "${builds[1]}" -G Ninja -DPERFTOP_TESTS=OFF
fi
for build in "${builds[@]}"; do
	cmake --build "$build" -- all perftop-static
	cpack -G DEB --config "$build/CPackConfig.cmake" -B "$build/packages"
	package=$(echo "$build"/packages/perftop_*.deb)
	cp "$package" "$folder"
	cp "$build/src/perftop-static" "$folder/perftop-$(dpkg-deb -f "$package" Architecture)"
done
cp "$source/src/package/Containerfile" "$folder"
