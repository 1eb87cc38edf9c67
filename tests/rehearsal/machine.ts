import { execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The machine of a rehearsal: a network of its own that leads nowhere, its own host names, and its own process ids. Every port of the
 * deployed files is free in it, nothing in it reaches another machine, and everything that runs in it ends with its first process.
 */

export const SITE = 'waggle.example.org'

/** The address of each host. The relay's is outside of the private ranges, which its configuration denies; nothing leaves this network. */
export const hosts = {
  balancer: '172.30.0.2',
  web: '172.30.0.11',
  web2: '172.30.0.12',
  prometheus: '172.30.0.20',
  alertmanager: '172.30.0.21',
  'pager.example.org': '172.30.0.22',
  provider: '172.30.0.23',
  blackbox: '172.30.0.24',
  database: '172.30.1.3',
  queue: '172.30.1.4',
  'turn.example.org': '11.0.0.5',
} as const

/** Where people connect from who do not come from the address of this machine: its last number is theirs. */
export const VISITORS = '172.30.8'

const FOLDER = 'REHEARSAL_FOLDER'
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))

/** Returns the folder of the rehearsal inside of its machine, or an empty string outside. */
export const rehearsalFolder = process.env[FOLDER] ?? ''

function makeCertificates(folder: string): void {
  const script = join(deploy, 'container/make-certificates.sh')
  execFileSync('sh', [script, join(folder, 'certificates'), 'database', 'queue', SITE])
  // The servers read ca.pem as user 1000; keys stay those of root.
  chmodSync(join(folder, 'certificates'), 0o711)
}

/** Returns the name of the control group of the containers of a rehearsal. */
export const cgroup = (folder: string) => basename(folder)

/** The kernel keeps control groups after their processes. */
function removeCgroups(folder: string): void {
  const all = globSync(['', '/**/'].map((below) => `/sys/fs/cgroup/{,*/}${cgroup(folder)}${below}`))
  const paths = new Set(all.map((path) => path.replace(/\/$/, '')))
  for (const path of [...paths].toSorted((one, other) => other.length - one.length)) rmdirSync(path)
}

/** Runs `program` again as the first process of a new machine, with its certificates and the variables `env`. Resolves with its exit code. */
export async function runInMachine(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error('A rehearsal needs root: it makes a network of its own.')
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'))
  chmodSync(folder, 0o711)
  makeCertificates(folder)
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const child = spawn('unshare', [...own, process.execPath, program, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...env,
      [FOLDER]: folder,
      NODE_EXTRA_CA_CERTS: join(folder, 'certificates/ca.pem'),
    },
  })
  // The kernel ends every process of the machine with `unshare`.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'))
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    removeCgroups(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

const ip = (...words: string[]) => execFileSync('ip', words)

/** Gives the hosts their addresses and names. Must run inside of the new machine. */
export function setUpNetwork(): void {
  ip('link', 'set', 'lo', 'up')
  // A browser on a machine with loopback alone says that it is offline. Both ends of this line are here.
  ip('link', 'add', 'outside', 'type', 'veth', 'peer', 'name', 'inside')
  ip('address', 'add', '172.30.9.1/24', 'dev', 'outside')
  for (const end of ['outside', 'inside']) ip('link', 'set', end, 'up')
  for (const address of new Set(Object.values(hosts))) ip('address', 'add', `${address}/32`, 'dev', 'lo')
  // All addresses of this network are those of the machine.
  ip('address', 'add', `${VISITORS}.1/24`, 'dev', 'lo')
  ip('route', 'add', 'default', 'dev', 'outside')
  // Chromium's TURN client ends a connection that does not come from the address of its network.
  ip('route', 'replace', 'local', hosts['turn.example.org'], 'dev', 'lo', 'table', 'local', 'src', '172.30.9.1')
  // The servers see connections from the balancer's address, as in its network of compose.yaml.
  for (const address of [hosts.web, hosts.web2])
    ip('route', 'replace', 'local', address, 'dev', 'lo', 'table', 'local', 'src', hosts.balancer)
  const names = Object.entries({ ...hosts, [SITE]: hosts.balancer }).map(([name, address]) => `${address} ${name}`)
  const file = join(rehearsalFolder, 'hosts')
  writeFileSync(file, ['127.0.0.1 localhost', ...names, ''].join('\n'))
  execFileSync('mount', ['--bind', file, '/etc/hosts'])
}

/** Creates a folder for one part, which belongs to its user. */
export function folderOf(part: string): string {
  const folder = join(rehearsalFolder, part)
  mkdirSync(folder, { recursive: true })
  return folder
}

export const certificate = (file: string) => join(rehearsalFolder, 'certificates', file)

/** Returns the digest by which Chromium accepts the site's certificate without its authority. */
export function publicKeyDigest(): string {
  const { publicKey } = new X509Certificate(readFileSync(certificate(`${SITE}.pem`)))
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input: der }).toString('base64')
}
