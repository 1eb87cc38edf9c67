import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

/**
 * `names` are file names in one of the folders, or whole paths, in order of preference. `variable` is an environment
 * variable that can name another path.
 */
type Program = { names: readonly string[]; variable?: string; debianPackage?: string }

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

const byVersion = new Intl.Collator('en', { numeric: true }).compare

/** Debian has a folder for each version of PostgreSQL, none of them on the path. Newest first. */
function postgresFolders(): string[] {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((one, other) => byVersion(other, one))
  return [...(process.env.PATH ?? '').split(delimiter), ...debian]
}

const chromium = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Programs from outside of npm. The key is the Debian package, unless `debianPackage` names it. */
const programs = {
  caddy: { names: ['caddy'], variable: 'CADDY_PATH' },
  catatonit: { names: ['catatonit'] },
  chromium: { names: chromium, variable: 'CHROMIUM_PATH' },
  // Takes a fifth less processor time than Chromium, and shows no window. If it is missing, the tests use Chromium.
  'chromium-headless-shell': { names: ['chromium-headless-shell', ...chromium], variable: 'CHROMIUM_PATH' },
  coturn: { names: ['turnserver', '/opt/homebrew/opt/coturn/bin/turnserver'], variable: 'COTURN_PATH' },
  e2fsprogs: { names: ['mkfs.ext4'] },
  'firefox-esr': {
    names: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    variable: 'FIREFOX_PATH',
  },
  iproute2: { names: ['ip'] },
  mmdebstrap: { names: ['mmdebstrap'] },
  openssl: { names: ['openssl'] },
  pgbouncer: { names: ['pgbouncer'], variable: 'PGBOUNCER_PATH' },
  podman: { names: ['podman'] },
  postgresql: {
    get names() {
      return postgresFolders().map((folder) => join(folder, 'initdb'))
    },
  },
  prometheus: { names: ['prometheus'] },
  promtool: { names: ['promtool'], debianPackage: 'prometheus' },
  'prometheus-alertmanager': { names: ['prometheus-alertmanager', 'alertmanager'] },
  amtool: { names: ['amtool'], debianPackage: 'prometheus-alertmanager' },
  'prometheus-blackbox-exporter': { names: ['prometheus-blackbox-exporter', 'blackbox_exporter'] },
  'prometheus-node-exporter': { names: ['prometheus-node-exporter', 'node_exporter'] },
  'redis-server': { names: ['redis-server', 'valkey-server'], variable: 'REDIS_SERVER_PATH' },
  runc: { names: ['runc'] },
  'webkit2gtk-driver': { names: ['WebKitWebDriver'], variable: 'WEBKIT_DRIVER_PATH' },
  xvfb: { names: ['Xvfb'], variable: 'XVFB_PATH' },
} as const satisfies Record<string, Program>

export type ProgramName = keyof typeof programs

/** Returns the path of a program on this machine, or an empty string. */
export function pathOf(program: ProgramName): string {
  const { names, variable }: Program = programs[program]
  const named = variable === undefined ? undefined : process.env[variable]
  const found = names.flatMap((name) => folders.map((folder) => resolve(folder, name)))
  return [named ?? '', ...found].find(existsSync) ?? ''
}

/** Returns the path of a program of PostgreSQL, or its bare name if it was not found. */
export function postgresProgram(name: 'pg_dump' | 'pg_restore'): string {
  const paths = postgresFolders().map((folder) => join(folder, name))
  return paths.find(existsSync) ?? name
}

/** Returns the folder of PostgreSQL's server programs on this machine, or an empty string. */
export function postgresFolder(): string {
  const path = pathOf('postgresql')
  return path === '' ? '' : dirname(path)
}

function packageOf(program: ProgramName): string {
  const { debianPackage = program }: Program = programs[program]
  return debianPackage
}

async function apt(...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const [code] = await once(spawn('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }), 'close')
  return code === 0
}

/** Installs missing programs where this process may. Resolves with the packages that are still missing, and prints the command for each. */
export async function installMissing(needed: readonly ProgramName[]): Promise<string[]> {
  const missing = () => [...new Set(needed.filter((name) => pathOf(name) === '').map(packageOf))]
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (missing().length > 0 && mayInstall) {
    console.log(`Installing ${missing().join(', ')}`)
    if (await apt('update')) await apt('install', '-y', ...missing())
  }
  for (const name of missing())
    console.error(`${name} is missing: apt-get install ${name}, or name an installed one (README, "Test it")`)
  return missing()
}
