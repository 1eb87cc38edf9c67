import { setTimeout as pause } from 'node:timers/promises'
import { REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { forgeFromElsewhere, guessConsoleLogins, readOthersData } from '../../support/attacks/quiet-attacker.ts'
import { newVisitor, type SignedInVisitor, sessionOf, signIn } from '../../support/servers/server.ts'
import { fetchFrom } from '../fetch-from.ts'
import { VISITORS } from '../machine.ts'
import { origin } from '../people.ts'
import type { Provider } from '../provider.ts'
import { type Drill, repeatedly, together } from './drill.ts'

const site = { origin }
let accounts = 0

function signInSomebody(): Promise<SignedInVisitor> {
  accounts += 1
  const name = `drill${accounts}`
  return signIn(site, { email: `${name}@example.org`, firstName: 'Drill', accessToken: `token-${name}` })
}

/** More than one address may send. */
const ADDRESSES = 20
/** Sign-ins at the same time without a provider. */
const AT_ONCE = 4
let networks = 0

/** Signs in again and again from several addresses, with one browser at each. */
async function guessTokens(): Promise<() => Promise<unknown>> {
  const browsers = await Promise.all(
    Array.from({ length: ADDRESSES }, async () => {
      networks += 1
      const visitor = newVisitor(site, {}, fetchFrom(`${VISITORS}.${networks + 1}`))
      return { visitor, userSessionId: await sessionOf(visitor) }
    }),
  )
  let turn = 0
  return async () => {
    turn += 1
    const browser = browsers[turn % ADDRESSES]
    await browser?.visitor.send('setTokens', {
      userEmailAddress: 'victim@example.org',
      userSessionId: browser.userSessionId,
      sourceAccessToken: 'forged',
      platformType: 'Web',
      source: 'Google',
    })
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

/** Those who guess, steal and probe, all at once. */
export const attacks = (): Drill =>
  together('attacks', [
    repeatedly('forged identity tokens', ['SignInsRefused'], guessTokens),
    repeatedly('guessed logins of a moderator', ['ConsoleLoginsRefused'], async () => {
      return () => guessConsoleLogins(site, 'nobody', 1)
    }),
    repeatedly("requests for another person's data, and from another site", ['ProbingRequests'], async () => {
      const thief = await signInSomebody()
      return async () => {
        await readOthersData(thief, 'victim@example.org', 1)
        await forgeFromElsewhere(thief, 1)
      }
    }),
    repeatedly('more requests than a limit allows', ['ManyRefusals'], async () => {
      const visitor = await signInSomebody()
      return () => visitor.send('readTurn', undefined)
    }),
    {
      name: 'refresh tokens used twice',
      alerts: ['RefreshTokensReused'],
      cause: reuseRefreshTokens,
      restore: async () => {},
    },
  ])

/** Nearly all requests are sign-ins then, so that the objective of all requests is missed as well. */
export function withoutProvider(provider: Provider): Drill {
  const alerts = ['ProviderDown', 'ServerFaults', 'RequestsBurnFast', 'RequestsBurnSlowly']
  const signIns = repeatedly('provider stopped, people sign in', alerts, async () => {
    const one = await guessTokens()
    return () => Promise.all(Array.from({ length: AT_ONCE }, one))
  })
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
