import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { formatProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'
import type { FileInput } from '#protocol/endpoint.ts'
import type { Gender, Provider } from '#protocol/fields.ts'
import { type EndpointInput, type EndpointName, type EndpointOutput, endpoints } from '#protocol/rest.ts'
import { readConfig } from '../../../server/config/config.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import type { Store } from '../stores/store.ts'

/**
 * The real server in this process, on a free port, with a data folder that is removed when it stops:
 *
 *     const server = await startServer()                                  // or startServer({ MATCH_TIMEOUT_MS: '500' })
 *     const ada = await signIn(server, { email: 'ada@example.org' })      // signed in, with a profile
 *     const { hubConnectionAccessToken } = await ada.request('readHubToken', { userSessionId: ada.sessionId })
 *     await server.stop()
 */
export type TestServer = {
  readonly origin: string
  readonly port: number
  readonly dataDir: string
  /** Stops it and starts it again on the same port and data. */
  restart(): Promise<void>
  /** Stops it, changes its records, and starts it again. */
  edit(change: (store: Store) => Promise<void>): Promise<void>
  stop(): Promise<void>
}

type Options = {
  /** Folder of built pages; none by default. */
  dist?: string
  clock?: Clock
  /** A data folder that is not removed; a temporary one by default. */
  dataDir?: string
  /** Program that classifies frames instead of the model. */
  classifierProgram?: URL
  /** Program that decodes pictures instead of the image library. */
  decoderProgram?: URL
  /** True: moderators' passwords cost as much as in production. */
  costlyPasswords?: boolean
}

export async function startServer(env: Record<string, string> = {}, options: Options = {}): Promise<TestServer> {
  // Loaded only when a server starts: the e2e journeys import this file for signing in.
  const { openRecords } = await import('../stores/store.ts')
  const { migratedFolder } = await import('../stores/migrated.ts')
  const { start } = await import('../../../server/main.ts')
  const { cheapKey } = await import('../stores/cheap-key.ts')
  const dataDir = options.dataDir ?? (await migratedFolder())
  const configAt = (port: number) =>
    readConfig({
      LOG_LEVEL: 'silent',
      STUN_URL: 'stun:127.0.0.1:3478',
      // A slow machine would end matches in which nobody answers in time, and statements.
      MATCH_TIMEOUT_MS: '600000',
      DATABASE_TIMEOUT_MS: '60000',
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
    })
  const run = (port: number) =>
    start(configAt(port), {
      dist: options.dist ?? join(dataDir, 'no-pages'),
      ...(options.clock && { clock: options.clock }),
      ...(options.classifierProgram && { classifierProgram: options.classifierProgram }),
      ...(options.decoderProgram && { decoderProgram: options.decoderProgram }),
      ...(!options.costlyPasswords && { deriveKey: cheapKey }),
    })
  let running = await run(0)
  const { port, origin } = running
  return {
    origin,
    port,
    dataDir,
    async restart() {
      await running.stop()
      running = await run(port)
    },
    async edit(change) {
      await running.stop()
      const store = await openRecords(configAt(port))
      await change(store)
      await store.close()
      running = await run(port)
    },
    async stop() {
      await running.stop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Stands for a browser: sends cookies, Origin and the header that every changing request needs. */
export type Visitor = {
  readonly cookies: Map<string, string>
  /** `path` is relative to the origin. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends a request to an endpoint of the protocol's table. Resolves with the response, whatever its status. */
  send<N extends EndpointName>(name: N, input: EndpointInput<N>): Promise<Response>
  /** Sends a request to an endpoint of the protocol's table. Resolves with the parsed body; rejects unless the status is 200. */
  request<N extends EndpointName>(name: N, input: EndpointInput<N>): Promise<EndpointOutput<N>>
}

function requestOf(name: EndpointName, input: unknown): { path: string; init: RequestInit } {
  const endpoint = endpoints[name]
  const path = `${API_BASE}/${endpoint.path}`
  const init: RequestInit = { method: endpoint.method }
  if ('query' in endpoint) return { path: `${path}?${new URLSearchParams(input as Record<string, string>)}`, init }
  if ('json' in endpoint && input !== undefined) {
    const headers = { 'content-type': 'application/json' }
    return { path, init: { ...init, headers, body: JSON.stringify(input) } }
  }
  if ('form' in endpoint) return { path, init: { ...init, body: formOf(endpoint.form.file.name, input as object) } }
  return { path, init }
}

function formOf(fileField: string, input: object): FormData {
  const form = new FormData()
  const { file, ...fields } = input as Record<string, string> & { file?: FileInput }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append(fileField, file.blob as Blob, file.fileName)
  return form
}

/** Returns a visitor without cookies. The headers `sent` are added to every request, which `send` sends. */
export function newVisitor(
  server: Pick<TestServer, 'origin'>,
  sent: Record<string, string> = {},
  send: typeof fetch = fetch,
): Visitor {
  const cookies = new Map<string, string>()

  function keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  const visitor: Visitor = {
    cookies,
    async fetch(path, init = {}) {
      const headers = new Headers({ origin: server.origin, [REQUESTED_WITH.name]: REQUESTED_WITH.value, ...sent })
      if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
      const response = await send(new URL(path, server.origin), { redirect: 'manual', ...init, headers })
      keep(response)
      return response
    },
    send(name, input) {
      const { path, init } = requestOf(name, input)
      return visitor.fetch(path, init)
    },
    async request(name, input) {
      const response = await visitor.send(name, input)
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
      const isText = response.headers.get('content-type')?.startsWith('text/plain')
      return v.parse(
        endpoints[name].response,
        isText ? await response.text() : await response.json(),
      ) as EndpointOutput<typeof name>
    },
  }
  return visitor
}

export type Person = {
  email: string
  firstName?: string
  lastName?: string
  source?: Provider
  nickName?: string
  gender?: Gender
  /** yyyy-MM-dd */
  dateOfBirth?: string
  /** False skips the profile, as on the first visit to the welcome page. */
  profile?: boolean
  /** The network address, sent as a trusted proxy would. */
  address?: string
  /** The preferred language of the browser. */
  language?: string
  /** The provider's token; one of the development identity by default. */
  accessToken?: string
}

export type SignedInVisitor = Visitor & {
  readonly email: string
  readonly sessionId: string
  readonly nickName: string
}

/** Resolves with a token of the development identity provider, like its popup. */
export async function identityToken(visitor: Visitor, person: Person): Promise<string> {
  const { email, firstName = 'Ada', lastName = 'Lovelace', source = 'Google' } = person
  const response = await visitor.fetch('/dev-identity/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source, email, firstName, lastName }),
  })
  return v.parse(v.object({ accessToken: v.string() }), await response.json()).accessToken
}

/** Resolves with the session id that the server assigns to this visitor. */
export async function sessionOf(visitor: Visitor): Promise<string> {
  const { cookieValue } = await visitor.request('readSession', undefined)
  return parseSessionCookie(cookieValue)?.id ?? ''
}

/** Sends the requests of a browser from the first visit to the dashboard. */
export async function signIn(server: Pick<TestServer, 'origin'>, person: Person): Promise<SignedInVisitor> {
  const { email, firstName = 'Ada', lastName = 'Lovelace', source = 'Google', nickName = firstName } = person
  const visitor = newVisitor(server, {
    ...(person.address !== undefined && { 'x-forwarded-for': person.address }),
    ...(person.language !== undefined && { 'accept-language': person.language }),
  })
  const sessionId = await sessionOf(visitor)
  await visitor.request('createSession', {
    UserSessionId: sessionId,
    DeviceType: 'Web',
    UserAppRunOn: 'Chrome',
    UserDeviceName: 'desktop',
    UserDeviceOs: 'Linux',
  })
  await visitor.request('setTokens', {
    userEmailAddress: email,
    userSessionId: sessionId,
    sourceAccessToken: person.accessToken ?? (await identityToken(visitor, person)),
    platformType: 'Web',
    source,
  })
  await visitor.request('addOauthUser', {
    EmailAddress: email,
    FirstName: firstName,
    LastName: lastName,
    SourceName: source,
  })
  if (person.profile !== false) {
    const { gender = 'girl', dateOfBirth = '1990-12-10' } = person
    const fields = { EmailAddress: email, NickName: nickName, Gender: gender, DOB: dateOfBirth }
    await visitor.request('addProfile', { ...fields, ConsentAgreed: 'true' })
    await visitor.request('setProfileCookie', { CookieValue: formatProfileCookie({ email, nickName }) })
  }
  return { ...visitor, email, sessionId, nickName }
}
