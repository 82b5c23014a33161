# For s390x, which is big-endian. Debian: gcc-s390x-linux-gnu qemu-user-static, and the libraries of the README, which
# .presets/sysroot.sh s390x BUILD/root unpacks. Debian has fewer updates of them than of this system's, so that they
# could not be installed beside these.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(multiarch s390x-linux-gnu)
set(emulated s390x)
set(loader ld64.so.1)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
