# Completion of perftop for bash: what it proposes itself, else files; behind -- a command. Readline
# takes the = of --option=word and the colons of an event for the ends of words, so that what is in
# front of the last one stays as it is.
_perftop() {
	local line=${COMP_LINE:0:COMP_POINT} words word
	read -ra words <<<"$line"
	[[ $line == *[[:blank:]] ]] && words+=('')
	word=${words[-1]}
	if [[ " ${words[*]:0:${#words[@]}-1} " == *' -- '* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
		return
	fi
	mapfile -t COMPREPLY < <(perftop --complete "${words[@]:1}" 2>/dev/null)
	COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[=:]}"}"}")
}
complete -o default -F _perftop perftop
