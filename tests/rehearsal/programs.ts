import { caddyPath } from '../../scripts/caddy.ts'
import { chromiumPath } from '../../scripts/chromium.ts'
import { coturnPath } from '../../scripts/coturn.ts'
import { installMissing, type Programs } from '../../scripts/debian.ts'
import { firstExisting } from '../../scripts/first-existing.ts'
import { postgresFolder } from '../../scripts/postgres.ts'
import { alertmanagerPath, blackboxPath, nodeExporterPath, prometheusPath } from '../../scripts/prometheus.ts'
import { redisServerPath } from '../../scripts/redis.ts'

const system = (name: string) => () =>
  firstExisting(['/usr/bin', '/usr/sbin', '/bin', '/sbin'].map((folder) => `${folder}/${name}`))

/** What a rehearsal starts or uses, by Debian package. */
const programs: Programs = {
  caddy: caddyPath,
  coturn: coturnPath,
  'redis-server': redisServerPath,
  postgresql: postgresFolder,
  prometheus: prometheusPath,
  'prometheus-alertmanager': alertmanagerPath,
  'prometheus-blackbox-exporter': blackboxPath,
  'prometheus-node-exporter': nodeExporterPath,
  chromium: chromiumPath,
  openssl: system('openssl'),
  iproute2: system('ip'),
  e2fsprogs: system('mkfs.ext4'),
}

/** What containers need. Without them services run as plain processes. */
const containerPrograms: Programs = {
  podman: system('podman'),
  runc: system('runc'),
  mmdebstrap: system('mmdebstrap'),
  catatonit: system('catatonit'),
}

/** Throws if something is missing. */
export async function needPrograms(): Promise<void> {
  const missing = await installMissing(programs)
  if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}`)
}

export const missingForContainers = () => installMissing(containerPrograms)
