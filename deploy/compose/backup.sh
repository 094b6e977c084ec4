#!/bin/sh
# Backs up the database and the documents of compose.yaml while the gateway serves:
#
#   deploy/compose/backup.sh DIRECTORY [KEEP]
#
# Each backup is a dump of PostgreSQL and an archive of the documents, named when both are complete. KEEP is the number of backups that stay (14).
# COMPOSE and COMPOSE_ENV name another program or file than `podman compose` and /etc/muripo/compose.env.
set -eu
umask 077

directory=${1:?backup.sh needs a directory, on another disk than the volumes}
keep=${2:-14}
here=$(cd "$(dirname "$0")" && pwd)

compose() {
	# shellcheck disable=SC2086 # a command and its arguments
	${COMPOSE:-podman compose} --env-file "${COMPOSE_ENV:-/etc/muripo/compose.env}" --file "$here/compose.yaml" "$@"
}

mkdir -p "$directory"
name=$directory/muripo-$(date -u +%Y%m%dT%H%M%SZ)
trap 'rm -f "$name.dump.part" "$name.documents.part"' EXIT
compose exec -T postgres pg_dump --username postgres --format custom muripo >"$name.dump.part"
# Reads the whole list of contents, which is missing when the dump was cut off.
compose exec -T postgres pg_restore --list <"$name.dump.part" >/dev/null
# After the dump: every document that it names exists by now.
compose exec -T gateway-1 tar -C /data --exclude=./incoming -cf - . >"$name.documents.part"
sync
mv "$name.documents.part" "$name.documents.tar"
mv "$name.dump.part" "$name.dump"

find "$directory" -maxdepth 1 -name 'muripo-*.dump' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
	rm -f "$old" "${old%.dump}.documents.tar"
done
echo "$name.dump"
