import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Reads what the deployed files say about each service, so that a rehearsal runs with the same settings. */

// Comes with knip.
const { parse } = createRequire(import.meta.resolve('knip'))('yaml') as typeof import('yaml')

export const deployed = (path: string) => join(import.meta.dirname, '../../deploy', path)
export const readDeployed = (path: string) => readFileSync(deployed(path), 'utf8')

export type Service = {
  command: string[]
  entrypoint: string[]
  environment: Record<string, string>
  /** Empty: that of the image. */
  user: string
  tmpfs: string[]
  /** The command of the health check, as words. */
  healthCheck: string[]
  hardening: Hardening
}

/** The limits and privileges of a container, in the words of compose.yaml. */
export type Hardening = {
  init: boolean
  read_only: boolean
  cap_drop: string[]
  cap_add: string[]
  security_opt: string[]
  mem_limit: string
  pids_limit: number
  cpus: number
  shm_size: string
}

type Written = Partial<Hardening> & {
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  user?: string
  tmpfs?: string[]
  healthcheck?: { test: string[] }
}

/** Puts values in the place of `${NAME}` and `${NAME:?why}`, and `$` in the place of `$$`, as compose does. */
function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\{(\w+)(?::\?[^}]*)?\}/g, (found, name: string | undefined) => {
    if (name === undefined) return '$'
    const value = values[name]
    if (value === undefined) throw new Error(`compose.yaml needs ${name}: ${found}`)
    return value
  })
}

/** Returns the services of compose.yaml with `values` as its `.env` and `images.env`. */
export function readServices(values: Readonly<Record<string, string>>): (name: string) => Service {
  const { services } = parse(interpolate(readDeployed('container/compose.yaml'), values), { merge: true }) as {
    services: Record<string, Written>
  }
  return (name) => {
    const written = services[name]
    if (!written) throw new Error(`compose.yaml has no service ${name}`)
    const { command = [], entrypoint = [], environment = {}, user = '', tmpfs = [], healthcheck } = written
    const texts = Object.entries(environment).map(([key, value]) => [key, String(value)])
    const [kind, ...words] = healthcheck?.test ?? []
    return {
      ...{ command, entrypoint, user, tmpfs, environment: Object.fromEntries(texts) as Record<string, string> },
      healthCheck: kind === 'CMD-SHELL' ? ['sh', '-c', ...words] : words,
      hardening: hardeningOf(name, written),
    }
  }
}

/** Throws for a service without a limit: the container would run without it, and nobody would see it. */
function hardeningOf(name: string, written: Written): Hardening {
  const { init = false, read_only = false, cap_drop = [], cap_add = [], security_opt = [], shm_size = '64m' } = written
  const { mem_limit, pids_limit, cpus } = written
  if (mem_limit === undefined || pids_limit === undefined || cpus === undefined)
    throw new Error(`compose.yaml gives ${name} no limit of memory, processes or processors`)
  return { init, read_only, cap_drop, cap_add, security_opt, shm_size, mem_limit, pids_limit, cpus }
}

/** Returns the variables of the image's ENV lines. */
export function imageVariables(): Record<string, string> {
  const [, line = ''] = /^ENV (.+)$/m.exec(readDeployed('container/Containerfile')) ?? []
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2) as [string, string]))
}

/** Returns the variables of waggle.env.example that have a value, and the values that an operator fills in. */
export function exampleVariables(filledIn: Readonly<Record<string, string>>): Record<string, string> {
  const lines = readDeployed('container/waggle.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)
  const all = [...lines].map(([, name = '', value = '']) => [name, filledIn[name] ?? value] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== ''))
}
