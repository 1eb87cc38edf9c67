import { readFileSync } from 'node:fs'
import { pollUntil } from '../support/poll-until.ts'
import type { Hardening } from './compose.ts'
import { podman } from './containers.ts'
import { createLoneServer, type Parts, service } from './parts.ts'

/** Looks at the running containers, and tries what they must not do. */

const CAPABILITIES: Readonly<Record<string, bigint>> = { NET_BIND_SERVICE: 1n << 10n }
const UNITS: Readonly<Record<string, number>> = { m: 1024 ** 2, g: 1024 ** 3 }
/** Microseconds in which a limit of processors is counted. */
const PERIOD = 100_000
/** What compose waits after SIGTERM, before SIGKILL. */
const STOP_MS = 10_000

const isPart = (name: string, parts: Parts): name is keyof Parts => name in parts

/** Returns the number in a file of the process's control group, which version 1 has by controller. */
function limitOf(pid: number, controller: string, fileOfV1: string, fileOfV2: string): number {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
  const [, path] = new RegExp(`^\\d+:(?:.*,)?${controller}(?:,.*)?:(.+)$`, 'm').exec(groups) ?? []
  const [, unified] = /^0::(.+)$/m.exec(groups) ?? []
  const file = path === undefined ? `${unified}/${fileOfV2}` : `/${controller}${path}/${fileOfV1}`
  return Number.parseInt(readFileSync(`/sys/fs/cgroup${file}`, 'utf8'), 10)
}

/** What the kernel says about a process, in the form in which `wanted` says it. */
function seen(pid: number): Record<string, unknown> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  const [, options = ''] = / \/ \/ (\S+) /.exec(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')) ?? []
  return {
    user: Number(field('Uid')),
    capabilities: BigInt(`0x${field('CapBnd')}`),
    noNewPrivileges: field('NoNewPrivs') === '1',
    seccompFilter: field('Seccomp') === '2',
    readOnly: options.split(',').includes('ro'),
    bytes: limitOf(pid, 'memory', 'memory.limit_in_bytes', 'memory.max'),
    processes: limitOf(pid, 'pids', 'pids.max', 'pids.max'),
    processorTime: limitOf(pid, 'cpu', 'cpu.cfs_quota_us', 'cpu.max'),
  }
}

function wanted(hardening: Hardening, user: number): Record<string, unknown> {
  const { cap_drop, cap_add, security_opt, read_only, mem_limit, pids_limit, cpus } = hardening
  if (cap_drop.join() !== 'ALL') throw new Error(`compose.yaml drops ${cap_drop} instead of all capabilities`)
  const [, count, unit = ''] = /^(\d+)([mg])$/.exec(mem_limit) ?? []
  return {
    user,
    capabilities: cap_add.reduce((sum, name) => sum | (CAPABILITIES[name] ?? 0n), 0n),
    noNewPrivileges: security_opt.includes('no-new-privileges:true'),
    seccompFilter: true,
    readOnly: read_only,
    bytes: Number(count) * (UNITS[unit] ?? 0),
    processes: pids_limit,
    processorTime: cpus * PERIOD,
  }
}

const users: Record<keyof Parts, number> = {
  database: 70,
  queue: 999,
  relay: 65_534,
  web: 1000,
  web2: 1000,
  balancer: 0,
}

function checkProcess(name: keyof Parts, pid: number): string {
  const { hardening } = service(name)
  const [is, should] = [seen(pid), wanted(hardening, users[name])]
  const wrong = Object.keys(should).filter((key) => is[key] !== should[key])
  if (wrong.length > 0)
    throw new Error(`${name}: ${wrong.map((key) => `${key} is ${is[key]}, not ${should[key]}`).join(', ')}`)
  const { cap_add, mem_limit, pids_limit, cpus } = hardening
  const capabilities = cap_add.length === 0 ? 'no capability' : cap_add.join()
  return `${name}: user ${users[name]}, ${capabilities}, read-only; limits ${mem_limit}, ${pids_limit} processes, ${cpus} processors`
}

/** Writes a file to every folder of the image that a program could want to change. */
async function checkWrites(): Promise<string> {
  const folders = ['/', '/app', '/app/server', '/app/dist', '/etc', '/usr/local/bin', '/var/tmp', '/run']
  for (const folder of folders) {
    const { code, output } = await podman('exec', '--user=0', 'web', 'touch', `${folder}/written`)
    if (code === 0 || !output.includes('Read-only file system')) throw new Error(`web wrote to ${folder}: ${output}`)
  }
  const large = 'head -c 20M /dev/zero > /data/large; code=$?; rm /data/large; exit $code'
  const { output } = await podman('exec', 'web', 'sh', '-c', large)
  if (!output.includes('No space left')) throw new Error(`web wrote 20 MB to its /data of 16 MB: ${output}`)
  return `web cannot write to ${folders.join(', ')}, even as root, nor 20 MB to /data`
}

/** Starts processes until one is refused, and ends them. */
const FORKS = `
  const all = []
  function next() {
    const child = require('node:child_process').spawn('sleep', ['60'])
    child.once('spawn', () => all.push(child) && next())
    child.once('error', ({ code }) => {
      console.log(code, all.length)
      for (const one of all) one.kill()
    })
  }
  next()`

async function checkProcesses(): Promise<string> {
  const { output } = await podman('exec', 'web2', 'node', '-e', FORKS)
  const [code, count] = output.trim().split(' ')
  const limit = service('web2').hardening.pids_limit
  if (code !== 'EAGAIN' || Number(count) >= limit) throw new Error(`web2 started processes without a limit: ${output}`)
  return `web2 got ${count} processes more, then ${code}: its limit is ${limit}, threads included`
}

/** The commands by which compose.yaml sees whether a service is healthy. */
async function checkHealth(name: 'database' | 'queue'): Promise<string> {
  const { healthCheck } = service(name)
  const { code, output } = await podman('exec', name, ...healthCheck)
  if (code !== 0) throw new Error(`The health check of ${name} fails: ${output}`)
  return `${name} is healthy: ${healthCheck.join(' ')}`
}

/** The image has a health check of its own. It asks 127.0.0.1, where the other servers do not listen in a rehearsal. */
async function checkImage(): Promise<string> {
  const server = createLoneServer()
  await server.start()
  await server.end('SIGTERM')
  return 'a server alone is healthy by the check of its image, with its records in /data, and ends by SIGTERM'
}

/** What a program does with signals is different for the first process of a container. */
async function checkStop({ relay }: Parts): Promise<string> {
  let hasEnded = false
  const ending = relay.end('SIGTERM').then(() => {
    hasEnded = true
  })
  try {
    await pollUntil(
      () => hasEnded,
      STOP_MS,
      () => 'relay does not end by SIGTERM',
    )
  } finally {
    if (!hasEnded) await relay.kill()
    await ending
    await relay.start()
  }
  return 'relay ends by SIGTERM, and starts again'
}

/** Returns checks, each of which resolves with what was found out, or throws. */
export function hardeningChecks(parts: Parts): (() => Promise<string>)[] {
  const names = Object.keys(parts).filter((name) => isPart(name, parts))
  return [
    ...names.map((name) => async () => checkProcess(name, parts[name].pid)),
    ...[
      checkWrites,
      checkProcesses,
      () => checkHealth('database'),
      () => checkHealth('queue'),
      checkImage,
      () => checkStop(parts),
    ],
  ]
}
