#!/bin/sh
# Makes an authority, and a key and certificate that it signs for each host name, for the TLS between servers, PostgreSQL and Valkey:
#   sh make-certificates.sh FOLDER NAME...
# Clients trust FOLDER/ca.pem; the server NAME shows NAME.pem and keeps NAME.key. Run it again to renew them: the authority stays.
# FOLDER/ca.key signs: move it to where your other keys are.
set -eu
umask 077
[ $# -ge 2 ] || { echo 'Usage: sh make-certificates.sh FOLDER NAME...' >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

if [ ! -e ca.key ]; then
  # shellcheck disable=SC2086
  openssl req -x509 $key -keyout ca.key -out ca.pem -days 3650 -subj '/CN=Waggle' \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
fi
for name in "$@"; do
  # shellcheck disable=SC2086
  openssl req -x509 $key -keyout "$name.key" -out "$name.pem" -days 397 -subj "/CN=$name" \
    -CA ca.pem -CAkey ca.key -addext basicConstraints=critical,CA:FALSE \
    -addext extendedKeyUsage=serverAuth -addext "subjectAltName=DNS:$name" 2>/dev/null
  chmod 644 "$name.pem"
done
chmod 644 ca.pem
