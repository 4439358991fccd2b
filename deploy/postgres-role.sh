#!/bin/sh
# Makes the product's role and database, at the first start of the container.
set -eu
psql --username postgres --set password="$MUSTER_PASSWORD" <<'SQL'
create role muster login createrole password :'password';
create database muster owner muster;
SQL
