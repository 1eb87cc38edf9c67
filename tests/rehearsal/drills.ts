import { setTimeout as pause } from 'node:timers/promises'
import { REFRESH_GRACE_MS } from '../../server/accounts/rules/tokens.ts'
import { forgeFromElsewhere, guessConsoleLogins, readOthersData } from '../support/attacks/quiet-attacker.ts'
import { newVisitor, type SignedInVisitor, sessionOf, signIn } from '../support/servers/server.ts'
import type { Part } from './part.ts'
import type { Parts } from './parts.ts'
import { origin } from './people.ts'
import type { Provider } from './provider.ts'

/** One fault, by its real cause. */
export type Drill = {
  name: string
  /** The alerts that must fire. */
  alerts: readonly string[]
  cause: () => Promise<void>
  restore: () => Promise<void>
}

const site = { origin }
/** So that the sender of requests leaves the processors to the servers. */
const BETWEEN_MS = 20

let accounts = 0

function signInSomebody(): Promise<SignedInVisitor> {
  accounts += 1
  const name = `drill${accounts}`
  return signIn(site, { email: `${name}@example.org`, firstName: 'Drill', accessToken: `token-${name}` })
}

function kill(name: string, alerts: readonly string[], parts: readonly Part[]): Drill {
  return {
    ...{ name, alerts },
    cause: async () => {
      await Promise.all(parts.map((part) => part.kill()))
    },
    restore: async () => {
      await Promise.all(parts.map((part) => part.start()))
    },
  }
}

/** Sends requests from `start` on until it is restored. */
function requests(name: string, alerts: readonly string[], start: () => Promise<() => Promise<unknown>>): Drill {
  let goesOn = false
  let sending: Promise<void> = Promise.resolve()
  async function send(): Promise<void> {
    const one = await start()
    while (goesOn) {
      await one()
      await pause(BETWEEN_MS)
    }
  }
  return {
    ...{ name, alerts },
    cause: async () => {
      goesOn = true
      sending = send()
      // Where it fails, restore() says so.
      sending.catch(() => {})
    },
    restore: async () => {
      goesOn = false
      await sending
    },
  }
}

/** Signs in again and again from one browser: starting browsers has a limit of its own. */
async function guessTokens(): Promise<() => Promise<unknown>> {
  const visitor = newVisitor(site)
  const userSessionId = await sessionOf(visitor)
  return () =>
    visitor.send('setTokens', {
      userEmailAddress: 'victim@example.org',
      userSessionId,
      sourceAccessToken: 'forged',
      platformType: 'Web',
      source: 'Google',
    })
}

function withoutProvider(provider: Provider): Drill {
  const signIns = requests('provider stopped, people sign in', ['ProviderDown'], guessTokens)
  return {
    ...signIns,
    cause: async () => {
      await provider.stop()
      await signIns.cause()
    },
    restore: async () => {
      await provider.start()
      await signIns.restore()
    },
  }
}

function restarts(server: Part): Drill {
  return {
    name: 'one server killed and started three times',
    alerts: ['ServerRestarts'],
    cause: async () => {
      for (let count = 0; count < 3; count += 1) {
        await server.kill()
        await server.start()
        // Prometheus must see each start.
        await pause(2_500)
      }
    },
    restore: async () => {},
  }
}

async function reuseRefreshTokens(): Promise<void> {
  const victims = await Promise.all(Array.from({ length: 8 }, signInSomebody))
  const thieves = victims.map(({ cookies }) => {
    const thief = newVisitor(site)
    for (const [name, value] of cookies) if (name.endsWith('refresh')) thief.cookies.set(name, value)
    return thief
  })
  for (const victim of victims) await victim.request('refreshAccessToken', undefined)
  await pause(REFRESH_GRACE_MS + 1_000)
  for (const thief of thieves) await thief.send('refreshAccessToken', undefined)
}

export function createDrills({ web, web2, database, queue }: Parts, provider: Provider): Drill[] {
  return [
    kill('one server killed', ['ServerDown'], [web]),
    kill('both servers killed', ['ServerDown', 'NoServers'], [web, web2]),
    kill('PostgreSQL killed', ['DatabaseUnreachable'], [database]),
    kill('Redis killed', ['RedisUnreachable'], [queue]),
    restarts(web2),
    withoutProvider(provider),
    requests('forged identity tokens', ['SignInsRefused'], guessTokens),
    requests('guessed logins of a moderator', ['ConsoleLoginsRefused'], async () => {
      return () => guessConsoleLogins(site, 'nobody', 1)
    }),
    requests("requests for another person's data, and from another site", ['ProbingRequests'], async () => {
      const thief = await signInSomebody()
      return async () => {
        await readOthersData(thief, 'victim@example.org', 1)
        await forgeFromElsewhere(thief, 1)
      }
    }),
    requests('more requests than a limit allows', ['ManyRefusals'], async () => {
      const visitor = await signInSomebody()
      return () => visitor.send('readTurn', undefined)
    }),
    {
      name: 'refresh tokens used twice',
      alerts: ['RefreshTokensReused'],
      cause: reuseRefreshTokens,
      restore: async () => {},
    },
  ]
}
