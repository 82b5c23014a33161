# What Debian wants to find in a package, made of what was installed for it (CPACK_PRE_BUILD_SCRIPTS).
set(installed ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${installed}/share/doc/${CPACK_PACKAGE_NAME})

file(RENAME ${documents}/LICENSE ${documents}/copyright)
file(APPEND ${documents}/copyright "
The demanglers of GNU libiberty, which are linked in, are LGPL-2.1 or later:
on Debian that license is in /usr/share/common-licenses/LGPL-2.1.
")
# CHANGES as Debian writes it: "perftop 0.2.0, 2026-11-29" begins what has changed, in lines of "- " and "  "
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/CHANGES lines)
set(changelog "")
set(signature "")
foreach(line IN LISTS lines)
	if(line MATCHES "^${CPACK_PACKAGE_NAME} (.+), (....-..-..)$")
		string(APPEND changelog "${signature}${CPACK_PACKAGE_NAME} (${CMAKE_MATCH_1}) unstable; urgency=medium\n\n")
		execute_process(COMMAND date --utc --rfc-email --date ${CMAKE_MATCH_2}
			OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
		set(signature "\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n\n")
	elseif(NOT line STREQUAL "")
		string(REGEX REPLACE "^- " "* " line "${line}")
		string(APPEND changelog "  ${line}\n")
	endif()
endforeach()
file(WRITE ${documents}/changelog "${changelog}${signature}")
# whatever the umask is
file(CHMOD ${documents}/changelog PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(CHMOD_RECURSE ${installed} DIRECTORY_PERMISSIONS
	OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
execute_process(
	COMMAND gzip --best --no-name ${documents}/changelog ${installed}/share/man/man1/${CPACK_PACKAGE_NAME}.1
	COMMAND_ERROR_IS_FATAL ANY)
