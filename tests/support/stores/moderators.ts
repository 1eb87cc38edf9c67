import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { TOTP, URI } from 'otpauth'
import * as v from 'valibot'
import {
  type ConsoleEndpointName,
  type ConsoleEndpointOutput,
  type ConsoleInput,
  consoleEndpoints,
} from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { type OperatorCommand, sendOperatorCommand } from '../../../server/operations/operator-commands.ts'
import { newVisitor, type TestServer, type Visitor } from '../servers/server.ts'

/** The credentials that the operator command printed. */
export type Credentials = { name: string; password: string; uri: string }

const run = promisify(execFile)

/** What `npm run moderator -- ...` prints while a server runs on this data folder, without a process of its own. */
export async function operatorCommand(dataDir: string, command: OperatorCommand): Promise<string> {
  const printed = await sendOperatorCommand(command, dataDir)
  if (printed === null) throw new Error(`No server runs on ${dataDir}`)
  return printed
}

/** Runs `npm run moderator -- ...` on this data folder; rejects if it exits with an error. */
export async function moderatorCommand(dataDir: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'test' }
  const { stdout } = await run(process.execPath, ['scripts/moderator.ts', ...args], { env })
  return stdout
}

/** Adds a moderator to the server that runs on this data folder. */
export async function addModerator(dataDir: string, name: string): Promise<Credentials> {
  return credentialsIn(await operatorCommand(dataDir, { do: 'add', name }), name)
}

export function credentialsIn(printed: string, name: string): Credentials {
  const password = /password\s+(\S+)/.exec(printed)?.[1] ?? ''
  const uri = /otpauth:\S+/.exec(printed)?.[0] ?? ''
  return { name, password, uri }
}

/** Returns the code of an authenticator with this address, now or `steps` of 30 seconds later. */
export function codeOf({ uri }: Pick<Credentials, 'uri'>, at: number = Date.now(), steps = 0): string {
  const totp = URI.parse(uri)
  if (!(totp instanceof TOTP)) throw new Error('The address is not of a time-based code')
  return totp.generate({ timestamp: at + steps * 30_000 })
}

/** A browser at the console. */
export type ConsoleVisitor = Visitor & {
  sendToConsole<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<Response>
  /** Rejects unless the status is 200. */
  requestConsole<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
}

let addresses = 0

function nextAddress(): string {
  addresses += 1
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

/** Each browser has its own network address unless one is given; the server must trust a proxy on this machine. */
export function consoleVisitor(
  server: Pick<TestServer, 'origin'>,
  visitor: Visitor = newVisitor(server),
  address = nextAddress(),
): ConsoleVisitor {
  const from = { 'x-forwarded-for': address }
  const sendToConsole: ConsoleVisitor['sendToConsole'] = (name, input) => {
    const endpoint: Endpoint = consoleEndpoints[name]
    const path = `${API_BASE}/${endpoint.path}`
    if (endpoint.query)
      return visitor.fetch(`${path}?${new URLSearchParams(input as Record<string, string>)}`, { headers: from })
    if (!endpoint.json) return visitor.fetch(path, { method: endpoint.method, headers: from })
    const headers = { ...from, 'content-type': 'application/json' }
    return visitor.fetch(path, { method: endpoint.method, headers, body: JSON.stringify(input) })
  }
  return {
    ...visitor,
    sendToConsole,
    async requestConsole(name, input) {
      const response = await sendToConsole(name, input)
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
      return v.parse(consoleEndpoints[name].response, await response.json()) as ConsoleEndpointOutput<typeof name>
    },
  }
}

/** Logs a moderator in at the console. */
export async function logIn(
  server: Pick<TestServer, 'origin'>,
  credentials: Credentials,
  at?: number,
): Promise<ConsoleVisitor> {
  const visitor = consoleVisitor(server)
  const { name, password } = credentials
  await visitor.requestConsole('login', { name, password, code: codeOf(credentials, at) })
  return visitor
}
