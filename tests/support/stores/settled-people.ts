import { DAY_MS } from '#protocol/durations.ts'
import type { TestServer } from '../servers/server.ts'
import type { Store } from './store.ts'

/** Settings with which the account's age alone makes a reporter settled. */
export const settledByAge = { STANDING_CALLS: '0' }
/** Settings with which every account is settled at once. */
export const settledAtOnce = { STANDING_DAYS: '0', STANDING_CALLS: '0' }

/** Creates accounts of the development identity that are months old, each created on another day. */
async function createEarlier(store: Pick<Store, 'accounts'>, emails: readonly string[], now: number): Promise<void> {
  for (const [index, email] of emails.entries()) {
    const identity = { provider: 'Google', subject: email, email, firstName: 'Ada', lastName: 'Lovelace' } as const
    await store.accounts.signIn(identity, now - (100 + index) * DAY_MS)
  }
}

export async function addEarlierPeople(server: TestServer, emails: readonly string[], now = Date.now()): Promise<void> {
  await server.edit((store) => createEarlier(store, emails, now))
}
