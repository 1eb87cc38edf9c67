import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf } from '../../../scripts/programs.ts'

const deployed = join(import.meta.dirname, '../../../deploy/container/Caddyfile')

export type Caddy = {
  origin: string
  stop(): Promise<void>
}

/** Returns the deployed file without settings that need a newer Caddy than Debian's, and without the admin endpoint. */
export function knownToDebian(caddyfile: string): string {
  const lines = caddyfile.split('\n')
  const known = lines.filter((line) => !line.includes('stream_close_delay'))
  return known.join('\n').replace(/^\{$/m, '{\n\tadmin off')
}

/** Starts Caddy with the deployed configuration as a balancer of servers such as `127.0.0.1:40123`, on a loopback port without TLS. */
export async function startCaddy(port: number, servers: readonly string[]): Promise<Caddy> {
  const path = pathOf('caddy')
  if (path === '') throw new Error('Install Caddy (Debian: apt-get install caddy) or set CADDY_PATH to one.')
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, knownToDebian(readFileSync(deployed, 'utf8')))
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(path, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE: origin, SERVERS: servers.join(' ') },
  })
  let written = ''
  child.stderr.on('data', (part: Buffer) => {
    written += part.toString()
  })
  const exited = once(child, 'exit')
  const ended = exited.then(() => false)
  const isServing = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isServing())) {
    const pause = new Promise((resolve) => setTimeout(resolve, 50, true))
    if (!(await Promise.race([ended, pause]))) throw new Error(`Caddy ended before it served: ${written}`)
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
