# PostgreSQL as a judge: sh postgres.sh read ENCODING, with the lines of judge.py. PGHOST and PGUSER name a server that is there.
set -eu
psql -qXAt -d postgres -v ON_ERROR_STOP=1 -v name="$2" -f "$(dirname "$0")/postgres.sql"
