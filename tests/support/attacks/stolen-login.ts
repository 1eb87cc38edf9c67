import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { newVisitor, type SignedInVisitor, signIn, type Visitor } from '../servers/server.ts'

/** A thief's browser with a copy of the victim's cookies. The headers `sent` are added to every request. */
export function copyOf(origin: string, victim: Visitor, sent: Record<string, string> = {}): Visitor {
  const thief = newVisitor({ origin }, sent)
  for (const [name, value] of victim.cookies) thief.cookies.set(name, value)
  return thief
}

/** Resolves with what the stolen cookies still give access to. */
export async function opensWith(origin: string, stolen: Visitor, sessionId: string): Promise<string[]> {
  const open: string[] = []
  const thief = copyOf(origin, stolen)
  thief.cookies.delete('refresh')
  if ((await thief.send('validateAccessToken', undefined)).status === 200) open.push('access token')
  if ((await thief.send('readHubToken', { userSessionId: sessionId })).status === 200) open.push('hub token')
  if ((await thief.send('exportData', undefined)).status === 200) open.push('export')
  const refreshing = copyOf(origin, stolen)
  if ((await refreshing.send('refreshAccessToken', undefined)).status === 200) open.push('refresh token')
  return open
}

/** Sends a request up to the first byte of its body. `finish` sends the rest and resolves with the status. */
async function halfSent(origin: string, thief: Visitor, path: string, body: string) {
  const sending = request(new URL(`${API_BASE}/${path}`, origin), {
    method: 'POST',
    agent: false,
    headers: {
      origin,
      [REQUESTED_WITH.name]: REQUESTED_WITH.value,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      cookie: [...thief.cookies].map((pair) => pair.join('=')).join('; '),
    },
  })
  const answered = once(sending, 'response')
  sending.write(body.slice(0, 1))
  await once(sending, 'socket')
  return {
    async finish(): Promise<number> {
      sending.end(body.slice(1))
      const [response] = (await answered) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return response.statusCode ?? 0
    },
  }
}

/**
 * A thief with the victim's cookies begins `together` requests of `user/session/add`, and sends all but the first byte of their bodies
 * while the victim logs out. Returns the number of rounds in which the stolen login was still valid after the logout.
 */
export async function raceLogout(origin: string, rounds: number, together = 4): Promise<number> {
  let outlived = 0
  for (let round = 0; round < rounds; round += 1) {
    const victim = await signIn({ origin }, { email: `victim${round}@example.org` })
    const stolen = copyOf(origin, victim)
    const body = JSON.stringify({ UserSessionId: victim.sessionId, EmailAddress: victim.email })
    const begun = await Promise.all(
      Array.from({ length: together }, () => halfSent(origin, stolen, endpoints.addSession.path, body)),
    )
    // The server has checked the login of the begun requests once it has responded to a later one.
    await stolen.send('validateAccessToken', undefined)
    const refreshing = copyOf(origin, stolen)
    const refresh = refreshing.send('refreshAccessToken', undefined)
    await victim.request('logout', undefined)
    await Promise.all([refresh, ...begun.map(({ finish }) => finish())])
    const open = await Promise.all([stolen, refreshing].map((held) => opensWith(origin, held, victim.sessionId)))
    if (open.flat().length > 0) outlived += 1
  }
  return outlived
}

/**
 * The thief refreshes first, the victim after the grace period: `forwardGrace` advances the clock of the server, or waits.
 * Resolves with what the thief's cookies still give access to.
 */
export async function reuseAfterTheft(
  origin: string,
  forwardGrace: () => void | Promise<void>,
): Promise<{ open: string[]; victim: SignedInVisitor; thief: Visitor }> {
  const victim = await signIn({ origin }, { email: 'robbed@example.org' })
  const thief = copyOf(origin, victim)
  await thief.request('refreshAccessToken', undefined)
  await forwardGrace()
  const refused = await victim.send('refreshAccessToken', undefined)
  if (refused.status !== 401) throw new Error(`The reuse returned ${refused.status}`)
  return { open: await opensWith(origin, thief, victim.sessionId), victim, thief }
}

/**
 * The owner refreshes again and again; each time the thief presents the token that was just used, from `address` with `device`.
 * Resolves with the number of rotations that the thief followed before the login ended.
 */
export async function followRotations(
  origin: string,
  rotations: number,
  { address, device }: { address: string; device: string },
): Promise<{ followed: number; owner: SignedInVisitor }> {
  const owner = await signIn({ origin }, { email: `followed-from-${address}@example.org`, address: '192.0.2.7' })
  let followed = 0
  for (let round = 0; round < rotations; round += 1) {
    const thief = copyOf(origin, owner, { 'x-forwarded-for': address, 'user-agent': device })
    if ((await owner.send('refreshAccessToken', undefined)).status !== 200) break
    if ((await thief.send('refreshAccessToken', undefined)).status !== 200) break
    followed += 1
  }
  return { followed, owner }
}
