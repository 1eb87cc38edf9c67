import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hardening, Service } from './compose.ts'
import { cgroup, rehearsalFolder } from './machine.ts'
import type { Command } from './part.ts'

/** The services as containers of podman, with what compose.yaml says about their privileges and limits. */

export const SERVER_IMAGE = 'localhost/waggle-rehearsal-server'
export const SERVICES_IMAGE = 'localhost/waggle-rehearsal-services'

/** What images.ts found out before the machine was made: an empty string, or why services run as plain processes. */
export const WHY_PLAIN = 'REHEARSAL_WHY_PLAIN'
export const whyPlain = process.env[WHY_PLAIN] ?? ''

/** Without systemd. runc, since crun refuses the hybrid of both versions of cgroups that some machines have. */
export const engineOptions = ['--cgroup-manager=cgroupfs', '--runtime=runc', '--events-backend=none']

/** By default podman asks for more open files and processes than a user without CAP_SYS_RESOURCE may give. */
function ownLimits(): string[] {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const highest = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'))
  const [, files = ''] = /^Max open files +\S+ +(\d+)/m.exec(limits) ?? []
  const [, processes = highest] = /^Max processes +\S+ +(\d+)/m.exec(limits) ?? []
  const most = Math.min(Number(processes), highest)
  return [`--ulimit=nproc=${most}:${most}`, ...(files === '' ? [] : [`--ulimit=nofile=${files}:${files}`])]
}

/** Returns the options of `podman run` for a container as compose.yaml wants it, but with the network of the machine. */
export function runOptions(hardening: Hardening, tmpfs: readonly string[]): string[] {
  const { init, read_only, cap_drop, cap_add, security_opt, mem_limit, pids_limit, cpus, shm_size } = hardening
  return [
    ...['--rm', '--pull=never', '--network=host', ...ownLimits()],
    ...(init ? ['--init'] : []),
    // Podman adds writable folders to a read-only container by itself, compose does not.
    ...(read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...cap_drop.map((name) => `--cap-drop=${name}`),
    ...cap_add.map((name) => `--cap-add=${name}`),
    // The same in the words of podman: options without a value, and a folder that belongs to the container's user.
    ...security_opt.map((option) => `--security-opt=${option.replace(/:true$/, '')}`),
    ...tmpfs.map((option) => `--tmpfs=${option.replace(/uid=\d+,gid=\d+/, 'U')}`),
    ...[`--memory=${mem_limit}`, `--pids-limit=${pids_limit}`, `--cpus=${cpus}`, `--shm-size=${shm_size}`],
  ]
}

/** Images are where `podman build` put them; what belongs to containers is in the folder of the rehearsal. */
function engine(): string[] {
  const own = (name: string) => join(rehearsalFolder, 'containers', name)
  const store = ['--storage-driver=overlay', '--storage-opt=overlay.imagestore=/var/lib/containers/storage']
  return [
    'podman',
    `--root=${own('root')}`,
    `--runroot=${own('run')}`,
    `--tmpdir=${own('tmp')}`,
    ...store,
    ...engineOptions,
  ]
}

export type Container = {
  name: string
  service: Service
  image: string
  /** Empty: the command of the image. */
  argv: readonly string[]
  env: Record<string, string>
  /** Paths of this machine by those in the container. */
  mounts: Readonly<Record<string, string>>
  writable: readonly string[]
}

/** Returns the command that runs a container until its process ends. */
export function containerCommand({ name, service, image, argv, env, mounts, writable }: Container): Command {
  const pidFile = join(rehearsalFolder, `${name}.pid`)
  // Without systemd nobody asks for the health of a container but `podman healthcheck run`.
  const own = [
    `--name=${name}`,
    '--replace',
    `--pidfile=${pidFile}`,
    '--log-driver=passthrough',
    '--health-interval=disable',
  ]
  const volumes = Object.entries(mounts).map(
    ([path, here]) => `--volume=${here}:${path}${writable.includes(path) ? '' : ':ro'}`,
  )
  return {
    argv: [
      ...[...engine(), 'run', ...own, `--cgroup-parent=/${cgroup(rehearsalFolder)}`],
      ...runOptions(service.hardening, service.tmpfs),
      ...(service.user === '' ? [] : [`--user=${service.user}`]),
      // Values come from the environment: a command line can be read by everybody on the machine.
      ...Object.keys(env).map((variable) => `--env=${variable}`),
      ...[...volumes, image, ...argv],
    ],
    env: { HOME: rehearsalFolder, ...env },
    pidFile,
  }
}

/** Runs a command of podman about the containers; resolves with its exit code and output. */
export async function podman(...words: string[]): Promise<{ code: number; output: string }> {
  const [program = '', ...options] = engine()
  return await promisify(execFile)(program, [...options, ...words]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  )
}
