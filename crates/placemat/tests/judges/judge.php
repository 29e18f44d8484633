<?php
// PHP as a judge: judge.php lossy|read ENCODING, with the lines of judge.py.
[, $task, $name] = $argv;
mb_substitute_character(0xFFFD);
while (($line = fgets(STDIN)) !== false) {
    $given = hex2bin(rtrim($line));
    $refused = $task === 'read' && !mb_check_encoding($given, $name);
    echo $refused ? '-' : bin2hex(mb_convert_encoding($given, 'UTF-8', $name)), "\n";
}
