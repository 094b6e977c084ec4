#!/bin/sh
# Runs once, in a new database server: the owner migrates, and the serving role owns nothing.
set -eu

psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" \
	--set=owner="$OWNER_PASSWORD" --set=serving="$SERVING_PASSWORD" <<'SQL'
create role muripo_owner login password :'owner';
create role muripo_serving login password :'serving';
create database muripo owner muripo_owner;
SQL
