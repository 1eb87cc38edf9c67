import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BlockStatus } from '#protocol/block-status.ts'
import { SUGGESTED_FROM_USERS } from '#protocol/constants.ts'
import type { Account } from '../../../server/accounts/rules/ports.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { putStatus } from '../../support/stores/put-status.ts'
import type { Store } from '../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../support/stores/stores.ts'

const none = { languages: [], interests: [] }
const profile = {
  nickName: 'Zoë',
  gender: 'girl',
  dateOfBirth: '1990-12-10',
  consentVersion: '1',
  consentAt: 5,
} as const

describe.each(backends)('preferences in $name', ({ make }) => {
  let backend: StoreBackend
  let store: Store

  beforeEach(async () => {
    backend = await make()
    store = await backend.open()
  })
  afterEach(async () => {
    await store.close()
    await backend.remove()
  })

  async function person(name: string): Promise<string> {
    const identity = { provider: 'Google', subject: name, email: `${name}@example.org` } as const
    const { id } = await store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)
    await store.accounts.saveProfile(id, profile, null)
    return id
  }

  async function existing(id: string): Promise<Account> {
    const account = await store.accounts.find(id)
    if (!account) throw new Error('the account is missing')
    return account
  }

  test('an interest is common from 20 people on, the most used first', async () => {
    const common = () => store.preferences.commonInterests(SUGGESTED_FROM_USERS, 2)
    const people = await Promise.all(Array.from({ length: 21 }, (_, index) => person(`p${index}`)))
    const [last = '', ...others] = people
    for (const id of others.slice(1))
      await store.preferences.replace(id, { languages: ['fil'], interests: ['art', 'chess'] })
    expect(await common()).toEqual([])
    await store.preferences.replace(others[0] ?? '', { ...none, interests: ['chess', 'art'] })
    expect(await common()).toEqual(['art', 'chess'])
    await store.preferences.replace(last, { ...none, interests: ['chess'] })
    expect(await common()).toEqual(['chess', 'art'])
    await store.preferences.replace(others[3] ?? '', none)
    expect(await common()).toEqual(['chess'])
  })

  test('an interest of people who may not chat is not common', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, (_, index) => person(`p${index}`)))
    for (const id of people) await store.preferences.replace(id, { ...none, interests: ['chess'] })
    const change = async (to: BlockStatus) => putStatus(store, await existing(people[0] ?? ''), to)
    const common = () => store.preferences.commonInterests(SUGGESTED_FROM_USERS, 2)
    for (const to of ['Appeal', 'InReview', 'Blocked'] as const) {
      await change(to)
      expect(await common()).toEqual([])
    }
    for (const to of ['Warning', 'Valid'] as const) {
      await change(to)
      expect(await common()).toEqual(['chess'])
    }
  })

  test('a profile without preferences has two empty lists, and a new welcome keeps those it has', async () => {
    const ada = await person('ada')
    expect(await store.accounts.profile(ada)).toEqual({ ...profile, ...none })
    const chosen = { languages: ['es', 'en'], interests: ['chess'] }
    await store.preferences.replace(ada, chosen)
    await store.accounts.saveProfile(ada, profile, null)
    expect(await store.accounts.profile(ada)).toEqual({ ...profile, ...chosen })
  })

  test('the reading before a match has the status, whether there is a profile, and both lists in their order', async () => {
    const ada = await person('ada')
    expect(await store.accounts.admission(ada)).toEqual({ status: 'Valid', hasProfile: true, ...none })
    const chosen = { languages: ['es', 'en'], interests: ['über', 'chess'] }
    await store.preferences.replace(ada, chosen)
    await putStatus(store, await existing(ada), 'Warning')
    expect(await store.accounts.admission(ada)).toEqual({ status: 'Warning', hasProfile: true, ...chosen })
    const identity = {
      provider: 'Google',
      subject: 'new',
      email: 'new@example.org',
      firstName: 'New',
      lastName: 'NA',
    } as const
    const { id } = await store.accounts.signIn(identity, 1)
    expect(await store.accounts.admission(id)).toEqual({ status: 'Valid', hasProfile: false, ...none })
    expect(await store.accounts.admission('nobody')).toBeNull()
  })

  test.each(['none', 'a legal hold on the peer'])('they are gone with the account; hold: %s', async (hold) => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    await store.preferences.replace(ada, { languages: ['es'], interests: ['chess'] })
    if (hold !== 'none') {
      const report = { session: 'm', reporter: bob, reported: ada, type: 'ReportOnly', callMs: null } as const
      await store.reports.add({ ...report, ...confirmedCall, at: 1 })
      await store.legalHolds.set({ accountId: bob, reason: 'r', setBy: 's', at: 1 })
    }
    await store.deletions.request(ada, 'user', { requestedAt: 1, startAt: 2, dueAt: 2 }, null)
    expect(await store.deletions.erase(ada, 3)).toBe(true)
    // The row of the account stays where a record under the hold names it.
    expect((await store.accounts.find(ada)) === null).toBe(hold === 'none')
    expect(await store.preferences.find(ada)).toEqual(none)
    expect(await store.preferences.replace(ada, { languages: ['es'], interests: [] })).toBe(false)
  })
})
