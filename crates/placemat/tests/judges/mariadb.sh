# MariaDB as a judge: sh mariadb.sh read CHARSET, with the lines of judge.py. JUDGE_MARIADB is the socket of a server that is there.
# MariaDB writes `?` for what it cannot read, and warns.
set -eu
{
    echo "set max_error_count = 0; create temporary table given (place int auto_increment primary key, line varbinary(200));"
    awk 'NR % 2000 == 1 { printf "%sinsert into given (line) values ", (NR > 1) ? ";\n" : "" }
        NR % 2000 != 1 { printf "," }
        { printf "(\047%s\047)", $0 }
        END { if (NR) print ";" }'
    echo "select if(locate('?', unhex(text)) and not locate('?', unhex(line)), '-', lower(text)) from (select place, line,
        hex(convert(convert(unhex(line) using $2) using utf8mb4)) as text from given) as answers order by place;"
} | mariadb --no-defaults --socket="$JUDGE_MARIADB" --user=root --skip-column-names mysql
