#!/bin/sh
# Looks up what each image is today and writes its digest, which names exactly these bytes wherever they are pulled from:
#   sh pin-images.sh > images.env
# Run it again to take an update in, and read what has changed before you start it. Needs docker with buildx, or skopeo.
set -eu

digest_of() {
  if command -v skopeo >/dev/null 2>&1; then
    skopeo inspect --no-tags --format '{{.Digest}}' "docker://$1"
  else
    docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$1"
  fi
}

pin() {
  digest=$(digest_of "$2")
  case $digest in
    sha256:*) echo "# $2"; echo "$1=${2%:*}@$digest" ;;
    *) echo "$2 has no digest: $digest" >&2; exit 1 ;;
  esac
}

# The Node that package.json pins for npm's scripts.
pin NODE_IMAGE docker.io/library/node:24.21.0-bookworm-slim
pin CADDY_IMAGE docker.io/library/caddy:2-alpine
pin POSTGRES_IMAGE docker.io/library/postgres:17-alpine
pin VALKEY_IMAGE docker.io/valkey/valkey:8-alpine
pin COTURN_IMAGE docker.io/coturn/coturn:4.6-alpine
