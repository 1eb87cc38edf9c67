import * as v from 'valibot'
import { VALID } from '#protocol/constants.ts'
import { parseSessionCookie } from '#protocol/cookies.ts'
import { type EndpointInput, type EndpointName, endpoints } from '#protocol/rest.ts'
import { newVisitor, type SignedInVisitor, type TestServer } from './server.ts'

/** A request that failed, or a response with a status other than 200 and 503. */
type Fault = { what: string; status: number | string }

export type HttpLoad = {
  /** Number of responses with 200 (`served`) and with 503 and Retry-After (`refused`). */
  served(): number
  refused(): number
  /** Stops the load. Resolves with the faults. */
  end(): Promise<Fault[]>
}

const UNAVAILABLE = 503

/**
 * Sends the requests of browsers, reads and writes, one after the other in each of `lanes`. Every visitor has another address, so that
 * no rate limit applies.
 */
export function startHttpLoad(
  site: Pick<TestServer, 'origin'>,
  people: readonly SignedInVisitor[],
  lanes = 2,
): HttpLoad {
  const faults: Fault[] = []
  let served = 0
  let refused = 0
  let rounds = 0
  let isOver = false

  /** Resolves with the body of a response with 200, otherwise with null. */
  async function ask(what: string, request: () => Promise<Response>): Promise<string | null> {
    try {
      const response = await request()
      const body = await response.text()
      if (response.status === 200) {
        served += 1
        return body
      }
      if (response.status === UNAVAILABLE && response.headers.has('retry-after')) refused += 1
      else faults.push({ what, status: response.status })
    } catch (error) {
      faults.push({ what, status: String(error) })
    }
    return null
  }

  async function visit(round: number): Promise<void> {
    const visitor = newVisitor(site, { 'x-forwarded-for': `10.${round >> 16}.${(round >> 8) & 255}.${round & 255}` })
    const send = <N extends EndpointName>(name: N, input: EndpointInput<N>) =>
      ask(name, () => visitor.send(name, input))
    await send('readServerTime', undefined)
    const session = await send('readSession', undefined)
    if (session === null) return
    const { cookieValue } = v.parse(endpoints.readSession.response, JSON.parse(session))
    const UserSessionId = parseSessionCookie(cookieValue)?.id ?? ''
    const device = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' } as const
    await send('createSession', { UserSessionId, ...device })
    const entry = { userSessionId: UserSessionId, logLevel: 'Info', platform: 'Web' } as const
    await send('addLogs', [{ ...entry, logMessage: VALID, dateTime: new Date(0).toISOString() }])
  }

  async function lane(): Promise<void> {
    while (!isOver) {
      rounds += 1
      await visit(rounds)
      const person = people[rounds % people.length]
      if (!person) continue
      await ask('readBlockStatus', () => person.send('readBlockStatus', { userEmailAddress: person.email }))
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane))
  return {
    served: () => served,
    refused: () => refused,
    async end() {
      isOver = true
      await running
      return faults
    },
  }
}
