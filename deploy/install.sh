#!/bin/bash
# Installs this checkout as a service of one Debian machine, and again after each update: settings and data stay as they are.
#
#   deploy/install.sh [--destdir DIR] [--without-build]
#
#   --destdir DIR      installs below DIR, for a package or an image: creates no user and starts nothing
#   --without-build    copies the sources only; npm ci and the web build follow elsewhere
set -euo pipefail

destdir=
build=yes
while [ $# -gt 0 ]; do
	case $1 in
	--destdir)
		destdir=${2:?--destdir needs a directory}
		shift 2
		;;
	--without-build)
		build=no
		shift
		;;
	*)
		sed -n 's/^# \{0,1\}//; 2,7p' "$0" >&2
		exit 2
		;;
	esac
done

source=$(cd "$(dirname "$0")/.." && pwd)
opt=$destdir/opt/muripo
etc=$destdir/etc/muripo
data=$destdir/var/lib/muripo
units=$destdir/etc/systemd/system

if [ -z "$destdir" ]; then
	[ "$(id -u)" = 0 ] || {
		echo "install.sh: run it as root" >&2
		exit 1
	}
	getent passwd muripo >/dev/null ||
		useradd --system --user-group --home-dir /var/lib/muripo --no-create-home --shell /usr/sbin/nologin muripo
fi

# Owner and group, where there is a user.
owned() {
	if [ -z "$destdir" ]; then chown "$1" "$2"; fi
}

install -d -m 755 "$opt/releases" "$units" "$destdir/usr/local/bin"
install -d -m 750 "$etc"
owned root:muripo "$etc"
install -d -m 700 "$data"
owned muripo:muripo "$data"

# A release is complete before the link to it changes, so that a start finds the earlier one or this one.
release=$(date -u +%Y%m%dT%H%M%S.%N)-$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$source/package.json")
to=$opt/releases/$release
install -d -m 755 "$to"
# A file that changes meanwhile is no error: tar then ends with 1.
# The allow-list of the image: a secret beside the sources gets into no release.
mapfile -t copied < <(sed -n 's/^!//p' "$source/.dockerignore")
mapfile -t left_out < <(sed -n 's/^\*\*\//--exclude=/p' "$source/.dockerignore")
{ tar -C "$source" -cf - --warning=no-file-changed "${left_out[@]}" "${copied[@]}" || [ $? -eq 1 ]; } |
	tar -xf - -C "$to" --no-same-owner
if [ $build = yes ]; then
	ldconfig -p | grep -q 'libatomic\.so\.1' || {
		echo "install.sh: the gateway's Node needs libatomic: apt-get install libatomic1" >&2
		exit 1
	}
	(
		cd "$to"
		npm ci --no-audit --no-fund
		npm run build --silent -w apps/web
		npm prune --omit=dev --no-audit --no-fund
	)
fi
ln -s "releases/$release" "$opt/next"
mv -T "$opt/next" "$opt/current"
ln -sfn ../../../opt/muripo/current/deploy/muripo "$destdir/usr/local/bin/muripo"
# The two releases before this one stay.
find "$opt/releases" -mindepth 1 -maxdepth 1 -type d | sort | head -n -3 | while read -r old; do rm -rf "$old"; done

# A file that exists is never changed. The key is written by the shell itself, so that no list of processes shows it.
if [ ! -e "$etc/muripo.env" ]; then
	umask 077
	{
		cat <<'SETTINGS'
# Settings of every process on this machine; README.md lists them all. One process alone uses the embedded database;
# several need DATABASE_URL, and on several machines FILES_URL and the same MURIPO_MASTER_KEY.

PUBLIC_URL=
SMTP_URL=
MAIL_FROM=
TRUSTED_PROXIES=127.0.0.1

#DATABASE_URL=
#MIGRATE_DATABASE_URL=
#FILES_URL=

# The accounts at providers are stored with: muripo providers set
PROVIDER_ACCOUNTS=database

# Every other secret is derived from this key. Store a copy of it away from this machine and from every backup of the database.
SETTINGS
		printf 'MURIPO_MASTER_KEY=%s\n' "$(head -c 32 /dev/urandom | base64)"
	} >"$etc/muripo.env.new"
	chmod 640 "$etc/muripo.env.new"
	owned root:muripo "$etc/muripo.env.new"
	mv "$etc/muripo.env.new" "$etc/muripo.env"
fi

# instance NAME ROLE PORT
instance() {
	[ -e "$etc/$1.env" ] || printf 'ROLE=%s\nPORT=%s\n' "$2" "$3" >"$etc/$1.env"
	chmod 640 "$etc/$1.env"
	owned root:muripo "$etc/$1.env"
}
instance all all 3001
instance api-1 api 3001
instance api-2 api 3002
instance worker-1 worker 3011

for unit in muripo@.service muripo-backup@.service muripo-backup@.timer; do
	install -m 644 "$source/deploy/systemd/$unit" "$units/$unit"
done
if [ -z "$destdir" ]; then
	systemctl daemon-reload
	cat <<'NEXT'
Muripo is installed. Fill in /etc/muripo/muripo.env, then start it:
  systemctl enable --now muripo@all
After an update of a running service:
  systemctl restart muripo@all
The operators' commands:
  muripo help
NEXT
fi
