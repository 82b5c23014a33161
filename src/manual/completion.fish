# Completion of perftop for fish: what it proposes itself, else files; behind -- a command.
function __perftop_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l proposals (perftop --complete $words[2..-1] 2>/dev/null)
	if set -q proposals[1]
		printf '%s\n' $proposals
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c perftop -f
complete -c perftop -n 'not contains -- -- (commandline -opc)' -a '(__perftop_complete)'
complete -c perftop -n 'contains -- -- (commandline -opc)' -a '(__fish_complete_subcommand)'
