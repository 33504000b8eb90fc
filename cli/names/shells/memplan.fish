# Completion of memplan in fish: the program itself says what can stand there, and what it is; fish adds
# files.
complete -c memplan -a '(memplan complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
