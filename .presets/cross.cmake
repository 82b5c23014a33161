# What the toolchain files of other architectures share. They set CMAKE_SYSTEM_PROCESSOR, `multiarch`, the name that
# Debian gives folders of that architecture, `emulated`, that of qemu, and `loader`, the file in /lib that loads
# programs. The libraries are those that sysroot.sh has unpacked into the folder `root` of the build, or if there is
# none, those of this system. Programs say where theirs are: the emulator would take that folder for /, always.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${emulated}-static)
if(EXISTS ${CMAKE_BINARY_DIR}/root)
	set(CMAKE_SYSROOT ${CMAKE_BINARY_DIR}/root)
	list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -E LOCPATH=${CMAKE_SYSROOT}/usr/lib/locale)
	set(loader ${CMAKE_SYSROOT}/lib/${loader})
	set(libraries ${CMAKE_SYSROOT}/lib/${multiarch}:${CMAKE_SYSROOT}/usr/lib/${multiarch})
	set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--dynamic-linker=${loader},--disable-new-dtags,-rpath,${libraries})
	set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
endif()
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${multiarch}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
