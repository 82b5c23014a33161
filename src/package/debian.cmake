# What Debian wants to find in a package, made of what was installed for it (CPACK_PRE_BUILD_SCRIPTS).
set(installed ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${installed}/share/doc/${CPACK_PACKAGE_NAME})

file(RENAME ${documents}/LICENSE ${documents}/copyright)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed is in the history of its source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
# whatever the umask is
file(CHMOD ${documents}/changelog PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(CHMOD_RECURSE ${installed} DIRECTORY_PERMISSIONS
	OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
execute_process(
	COMMAND gzip --best --no-name ${documents}/changelog ${installed}/share/man/man1/${CPACK_PACKAGE_NAME}.1
	COMMAND_ERROR_IS_FATAL ANY)
