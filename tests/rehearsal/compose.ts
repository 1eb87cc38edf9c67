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
  memory: string
  processes: number
  processors: number
  tmpfs: string[]
  capabilities: string[]
}

type Written = {
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  mem_limit: string
  pids_limit: number
  cpus: number
  tmpfs?: string[]
  cap_add?: string[]
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
    const { command = [], entrypoint = [], environment = {}, tmpfs = [], cap_add: capabilities = [] } = written
    const texts = Object.entries(environment).map(([key, value]) => [key, String(value)])
    return {
      ...{ command, entrypoint, tmpfs, capabilities, environment: Object.fromEntries(texts) as Record<string, string> },
      ...{ memory: written.mem_limit, processes: written.pids_limit, processors: written.cpus },
    }
  }
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
