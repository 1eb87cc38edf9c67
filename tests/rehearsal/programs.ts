import { installMissing } from '../../scripts/programs.ts'

/** Throws if something is missing. */
export async function needPrograms(): Promise<void> {
  const missing = await installMissing([
    ...(['caddy', 'coturn', 'redis-server', 'postgresql', 'chromium', 'openssl', 'iproute2', 'e2fsprogs'] as const),
    ...(['prometheus', 'prometheus-alertmanager', 'prometheus-blackbox-exporter', 'prometheus-node-exporter'] as const),
  ])
  if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}`)
}

/** Without them services run as plain processes. */
export const missingForContainers = () => installMissing(['podman', 'runc', 'mmdebstrap', 'catatonit'])
