import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BlockStatus } from '#protocol/block-status.ts'
import type { Account } from '../../../../server/accounts/rules/ports.ts'
import { confirmedCall } from '../../../support/stores/confirmed-call.ts'
import { putStatus } from '../../../support/stores/put-status.ts'
import type { Store } from '../../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../../support/stores/stores.ts'

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
  let peers: string[]

  beforeEach(async () => {
    backend = await make()
    store = await backend.open()
    peers = [await person('peer1'), await person('peer2')]
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

  /** Settled at 10, with a network of their own and calls with two others. */
  async function settled(name: string, network: string | null = `network of ${name}`): Promise<string> {
    const id = await person(name)
    if (network !== null) await store.risks.addSignals(id, { address: network, device: null }, 1)
    for (const [turn, peer] of peers.entries()) await call(`${name}-${turn}`, id, peer)
    return id
  }

  async function call(id: string, caller: string, callee: string, { lastedMs = 60_000, isSeen = true } = {}) {
    await store.matchRecords.open({ id, caller, callee, startedAt: 1, connected: false })
    if (isSeen) for (const role of ['Caller', 'Callee'] as const) await store.matchRecords.confirm(id, role, 2)
    await store.matchRecords.close(id, 1 + lastedMs, null)
  }

  const choose = (id: string, ...interests: string[]) => store.preferences.replace(id, { ...none, interests })
  const common = (networks = 3) =>
    store.preferences.commonInterests({ networks, max: 2, createdBefore: 10, calls: 2, lastedMs: 60_000 })

  test('an interest is common from three networks on, the most used first', async () => {
    const people: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) people.push(await settled(name))
    const [a = '', b = '', c = '', d = ''] = people
    await choose(a, 'art', 'chess')
    await choose(b, 'art', 'chess')
    expect(await common()).toEqual([])
    await choose(c, 'chess', 'art')
    expect(await common()).toEqual(['art', 'chess'])
    await choose(d, 'chess')
    expect(await common()).toEqual(['chess', 'art'])
    await choose(b)
    expect(await common()).toEqual(['chess'])
  })

  test('many accounts of one network count once, and an account counts for its latest network alone', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await choose(await settled(name, 'one network'), 'chess')
    expect(await common(2)).toEqual([])
    const many = await settled('many')
    for (const network of ['n1', 'n2', 'n3']) await store.risks.addSignals(many, { address: network, device: null }, 5)
    await choose(many, 'chess')
    expect([await common(2), await common(3)]).toEqual([['chess'], []])
  })

  test.each<[string, () => Promise<string>]>([
    ['without a known network', () => settled('x', null)],
    [
      'whose account is too young',
      async () => {
        const id = await settled('x')
        const identity = { provider: 'Google', subject: 'young', email: 'young@example.org' } as const
        const young = await store.accounts.signIn({ ...identity, firstName: 'x', lastName: 'NA' }, 11)
        await store.accounts.saveProfile(young.id, profile, null)
        await store.risks.addSignals(young.id, { address: 'young', device: null }, 1)
        for (const peer of [...peers, id]) await call(`young-${peer}`, young.id, peer)
        return young.id
      },
    ],
    [
      'who has talked with one other alone',
      async () => {
        const id = await person('x')
        await store.risks.addSignals(id, { address: 'x', device: null }, 1)
        for (const turn of [1, 2, 3]) await call(`x${turn}`, id, peers[0] ?? '')
        return id
      },
    ],
    [
      'whose calls were short',
      async () => {
        const id = await person('x')
        await store.risks.addSignals(id, { address: 'x', device: null }, 1)
        for (const peer of peers) await call(`x${peer}`, id, peer, { lastedMs: 59_999 })
        return id
      },
    ],
    [
      'whose calls nobody saw',
      async () => {
        const id = await person('x')
        await store.risks.addSignals(id, { address: 'x', device: null }, 1)
        for (const peer of peers) await call(`x${peer}`, id, peer, { isSeen: false })
        return id
      },
    ],
  ])('somebody %s does not count', async (_, make) => {
    for (const name of ['a', 'b']) await choose(await settled(name), 'chess')
    await choose(await make(), 'chess')
    expect(await common()).toEqual([])
    await choose(await settled('c'), 'chess')
    expect(await common()).toEqual(['chess'])
  })

  test('an interest of people who may not chat is not common', async () => {
    const people: string[] = []
    for (const name of ['a', 'b', 'c']) people.push(await settled(name))
    for (const id of people) await choose(id, 'chess')
    const change = async (to: BlockStatus) => putStatus(store, await existing(people[0] ?? ''), to)
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
