import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deployed } from './compose.ts'
import { engineOptions, runOptions, SERVER_IMAGE, SERVICES_IMAGE } from './containers.ts'
import { service } from './parts.ts'
import { missingForContainers } from './programs.ts'

/** Builds the images of a rehearsal, outside of its machine, which reaches no registry. They stay in podman's store for the next time. */

const LOG = 'test-results/rehearsal/images.log'
const NODE_IMAGE = `localhost/waggle-rehearsal-node:${process.versions.node}`
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']
const OUTPUT = 64 * 1024 * 1024

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: OUTPUT }).trim()
}

function exists(image: string): boolean {
  try {
    run('podman', ['image', 'exists', image])
    return true
  } catch {
    return false
  }
}

/** Makes an image of Debian packages, unless there is one. */
function makeImage(image: string, packages: readonly string[], hooks: readonly string[]): void {
  if (exists(image)) return
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  try {
    const [, codename = ''] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
    const tree = join(folder, 'tree.tar')
    const own = ['--variant=minbase', `--include=${packages}`, ...hooks.map((hook) => `--customize-hook=${hook}`)]
    run('mmdebstrap', [...own, codename, tree, SOURCES.find(existsSync) ?? ''])
    run('podman', ['import', tree, image])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Node and npm as in Node's own image, from the packages that run this. */
function makeNodeImage(): void {
  const npm = dirname(dirname(process.env.npm_execpath ?? ''))
  makeImage(
    NODE_IMAGE,
    ['ca-certificates'],
    [
      'mkdir -p "$1/usr/local/lib/node_modules"',
      `upload ${process.execPath} /usr/local/bin/node`,
      `copy-in ${npm} /usr/local/lib/node_modules`,
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
      'chmod 755 "$1/usr/local/bin/node"',
    ],
  )
}

/** The programs of all other services, by the names that the images of compose.yaml give them. */
function makeServicesImage(): void {
  makeImage(
    SERVICES_IMAGE,
    ['caddy', 'coturn', 'redis-server', 'postgresql'],
    [
      'chroot "$1" sh -c "ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/"',
      'ln -s /usr/bin/redis-server "$1/usr/local/bin/valkey-server"',
      'ln -s /usr/bin/redis-cli "$1/usr/local/bin/valkey-cli"',
    ],
  )
}

/** The registry of this machine's npm and its authority, in a folder for the steps of the build. They are not kept in the image. */
function npmSettings(folder: string): void {
  const { npm_config_userconfig, npm_config_globalconfig, NODE_EXTRA_CA_CERTS } = process.env
  const files = [npm_config_userconfig, npm_config_globalconfig].filter(
    (path) => path !== undefined && existsSync(path),
  )
  const lines = files.flatMap((path) => readFileSync(path ?? '', 'utf8').split('\n'))
  const kept = lines.filter((line) => /^(?:\/\/|(?:@[^:]+:)?registry|(?:https-|no)?proxy)/.test(line))
  const [cafile] = lines.flatMap((line) => /^cafile *= *(.+)$/.exec(line)?.[1] ?? [])
  const authority = NODE_EXTRA_CA_CERTS ?? cafile
  if (authority !== undefined) {
    copyFileSync(authority, join(folder, 'authority.pem'))
    kept.push('cafile=/usr/local/etc/authority.pem')
  }
  writeFileSync(join(folder, 'npmrc'), `${kept.join('\n')}\n`)
}

/** Builds deploy/container/Containerfile. */
function buildServerImage(): void {
  const digest = run('podman', ['image', 'inspect', '--format={{.Digest}}', NODE_IMAGE])
  const base = `${NODE_IMAGE.split(':', 1)}@${digest}`
  const folder = mkdtempSync(join(tmpdir(), 'npm-'))
  try {
    npmSettings(folder)
    const own = ['--isolation=chroot', '--network=host', '--pull=never', `--volume=${folder}:/usr/local/etc:ro`]
    const file = `--file=${deployed('container/Containerfile')}`
    // Without its format an image has no health check.
    const image = ['--format=docker', file, `--build-arg=NODE=${base}`, `--tag=${SERVER_IMAGE}`]
    writeFileSync(LOG, run('podman', ['build', ...own, ...image, '.']))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts a container with every limit of the servers. Throws if this machine forbids one of them. */
function tryContainer(): void {
  const { hardening, tmpfs } = service('web')
  run('podman', [...engineOptions, 'run', ...runOptions(hardening, tmpfs), NODE_IMAGE, 'true'])
}

/**
 * Makes all images. Returns why this machine cannot run containers, or an empty string. Throws if it can, and the image of the server
 * cannot be built.
 */
export async function prepareImages(): Promise<string> {
  mkdirSync(dirname(LOG), { recursive: true })
  const missing = await missingForContainers()
  if (missing.length > 0) return `${missing.join(', ')} cannot be installed`
  try {
    makeNodeImage()
    tryContainer()
    makeServicesImage()
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? ''
  }
  buildServerImage()
  return ''
}
