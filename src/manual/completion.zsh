#compdef perftop
# Completion of perftop for zsh: what it proposes itself, else files; behind -- a command.
local dashes=${words[(i)--]} proposals
if ((CURRENT > dashes)); then
	shift $dashes words
	((CURRENT -= dashes))
	_normal
	return
fi
proposals=$(perftop --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
if [[ -n $proposals ]]; then
	compadd -- "${(@f)proposals}"
else
	compset -P '--*='
	_files
fi
