# For arm64. Debian: gcc-aarch64-linux-gnu qemu-user-static, and the libraries of the README with :arm64, after
# dpkg --add-architecture arm64; for the guest qemu-system-arm, too.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
set(multiarch aarch64-linux-gnu)
set(emulated aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
