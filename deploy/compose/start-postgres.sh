#!/bin/sh
# Starts the image of PostgreSQL, unless it would begin an empty database beside an earlier one: the images of several versions have their files
# in different places.
set -eu

parent=${DATABASE_PARENT:-/var/lib/postgresql}
if [ ! -e "$PGDATA/PG_VERSION" ]; then
	for version in "$parent/PG_VERSION" "$parent"/*/PG_VERSION "$parent"/*/*/PG_VERSION; do
		[ -e "$version" ] || continue
		place=${version%/PG_VERSION}
		echo "start-postgres.sh: $place contains a database of PostgreSQL $(cat "$version"), and $PGDATA contains none. Dump it with the image that made it and restore the dump (docs/operate.md, Backup and restore), or move it to $PGDATA when POSTGRES_IMAGE has its version." >&2
		exit 1
	done
fi
exec docker-entrypoint.sh "$@"
