import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { newVisitor, type SignedInVisitor, sessionOf } from '../servers/server.ts'

type Target = { origin: string }
/** Number of responses by status. */
type Statuses = Record<number, number>

async function counted(tries: number, attempt: (index: number) => Promise<Response>): Promise<Statuses> {
  const statuses: Statuses = {}
  for (let index = 0; index < tries; index += 1) {
    const response = await attempt(index)
    await response.arrayBuffer()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
  }
  return statuses
}

/** Signs in `tries` times with forged identity tokens. */
export async function guessSignIns(target: Target, tries: number): Promise<Statuses> {
  const visitor = newVisitor(target)
  const userSessionId = await sessionOf(visitor)
  return counted(tries, (index) =>
    visitor.send('setTokens', {
      userEmailAddress: `victim-${index}@example.org`,
      userSessionId,
      sourceAccessToken: `guess-${index}`,
      platformType: 'Web',
      source: 'Google',
    }),
  )
}

/** Requests the block status of `victim` `tries` times with the login of another user. */
export async function readOthersData(thief: SignedInVisitor, victim: string, tries: number): Promise<Statuses> {
  return counted(tries, () => thief.send('readBlockStatus', { userEmailAddress: victim }))
}

/** Sends a logout `tries` times from the page of another site, with the cookies of the victim. */
export async function forgeFromElsewhere(victim: SignedInVisitor, tries: number): Promise<Statuses> {
  return counted(tries, () =>
    victim.fetch(`${API_BASE}/${endpoints.logout.path}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    }),
  )
}

/** Guesses the login of the moderator `name` `tries` times. */
export async function guessConsoleLogins(target: Target, name: string, tries: number): Promise<Statuses> {
  const visitor = newVisitor(target)
  return counted(tries, (index) =>
    visitor.fetch(`${API_BASE}/${consoleEndpoints.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password: `guess-${index}`, code: '123456' }),
    }),
  )
}
