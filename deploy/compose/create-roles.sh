#!/bin/sh
# Runs once, in a new database server: the owner migrates, and the serving role owns nothing. psql reads the passwords from the environment,
# because every account of the machine can read the arguments of a process.
set -eu

psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" <<'SQL'
\getenv owner OWNER_PASSWORD
\getenv serving SERVING_PASSWORD
create role muripo_owner login password :'owner';
create role muripo_serving login password :'serving';
create database muripo owner muripo_owner;
SQL
