#!/bin/sh
# Refuses images that are not named by their digest: a tag may be other bytes tomorrow.
#   sh check-images.sh images.env
set -eu
file=${1:-images.env}
status=0
for name in NODE_IMAGE CADDY_IMAGE POSTGRES_IMAGE VALKEY_IMAGE COTURN_IMAGE; do
  if ! grep -Eq "^$name=[a-z0-9./:_-]+@sha256:[0-9a-f]{64}\$" "$file"; then
    echo "$file: $name must be an image with its digest, as in docker.io/library/caddy@sha256:..." >&2
    status=1
  fi
done
exit $status
