import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { type BeforeErasure, createDeletionService } from '../../../server/privacy/rules/deletion.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import type { Store } from '../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../support/stores/stores.ts'

const clock = movableClock()
const never = () => false
describe.each(backends)('the records in $name', ({ make }) => {
  let backend: StoreBackend
  let store: Store
  let faults: string[]

  beforeEach(async () => {
    backend = await make()
    store = await backend.open()
    faults = []
  })
  afterEach(async () => {
    await store.close()
    await backend.remove()
  })

  const person = async (name: string) => {
    const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
    return (await store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)).id
  }

  function service(beforeErasure: BeforeErasure[] = [], disconnect: (id: string) => void = () => {}) {
    const { deletions, accounts } = store
    return createDeletionService({ deletions, accounts, clock, delayDays: 3, disconnect, beforeErasure })
  }

  const fault = (accountId: string) => void faults.push(accountId)

  test('what must outlive an account is stored before the deletion, and a failure there prevents it', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    for (const id of [ada, bob]) await service().request(id, 'user')
    clock.forward(3 * DAY_MS)
    const kept: string[] = []
    const failing: BeforeErasure = async ({ id }) => {
      if (id === ada) throw new Error('the digest could not be kept')
      kept.push(id)
      expect(await store.accounts.find(id)).not.toBeNull()
    }
    expect(await service([failing]).eraseDue(never, fault)).toBe(1)
    expect([faults, kept]).toEqual([[ada], [bob]])
    expect(await store.accounts.find(ada)).not.toBeNull()
    expect(await store.accounts.find(bob)).toBeNull()

    // The next run erases the rest, and the one after that nothing.
    expect(await service().eraseDue(never, fault)).toBe(1)
    expect(await store.accounts.find(ada)).toBeNull()
    expect(await service().eraseDue(never, fault)).toBe(0)
  })

  test('a server that stops in the middle goes on with the accounts that are left', async () => {
    const people = [await person('ada'), await person('bob'), await person('eve')]
    for (const id of people) await service().request(id, 'user')
    clock.forward(3 * DAY_MS)
    let done = 0
    const first = service([], () => {
      done += 1
    })
    expect(await first.eraseDue(() => done === 1, fault)).toBe(1)
    await store.close()
    store = await backend.open()
    expect(await service().eraseDue(never, fault)).toBe(2)
    expect(await Promise.all(people.map((id) => store.accounts.find(id)))).toEqual([null, null, null])
  })

  test('a legal hold or a cancellation between the query and the deletion keeps everything', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    for (const id of [ada, bob]) await service().request(id, 'user')
    clock.forward(3 * DAY_MS)
    const late: BeforeErasure = async ({ id }) => {
      if (id === ada) await store.legalHolds.set({ accountId: id, reason: 'r', setBy: 's', at: 1 })
      else await store.deletions.cancel(id, clock.now())
    }
    const onSuspended: string[] = []
    const one = service([late], (id) => void onSuspended.push(id))
    for (const id of await store.deletions.ready(clock.now(), 10)) {
      await late({ id } as never)
      expect(await store.deletions.erase(id, clock.now())).toBe(false)
    }
    expect(await one.eraseDue(never, fault)).toBe(0)
    expect(await store.accounts.find(ada)).not.toBeNull()
    expect(await store.accounts.find(bob)).not.toBeNull()
    expect(onSuspended).toEqual([])
  })

  test('an account under a legal hold is not deleted by any way', async () => {
    const ada = await person('ada')
    await store.legalHolds.set({ accountId: ada, reason: 'first', setBy: 's', at: 1 })
    await store.legalHolds.set({ accountId: ada, reason: 'second', setBy: 's', at: 2 })
    expect(await store.legalHolds.all()).toEqual([{ accountId: ada, reason: 'second', setBy: 's', at: 2 }])
    expect(await store.legalHolds.accountsOf('ADA@example.org')).toEqual([{ id: ada, provider: 'Google' }])
    await service().request(ada, 'user')
    clock.forward(3 * DAY_MS)
    expect(await store.deletions.erase(ada, clock.now())).toBe(false)
    expect(await store.deletions.cancel(ada, clock.now())).toBe(false)
  })

  test('hundreds of deletions are carried out in one run', async () => {
    const people = await Promise.all(Array.from({ length: 120 }, (_, index) => person(`p${index}`)))
    for (const id of people) await service().request(id, 'user')
    clock.forward(3 * DAY_MS)
    expect(await service().eraseDue(never, fault)).toBe(120)
  })

  test('records under a legal hold stay complete, without a name, when the other account is deleted, and go with the hold', async () => {
    const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
    await store.legalHolds.set({ accountId: ada, reason: 'r', setBy: 's', at: 1 })
    const report = { session: 'm', type: 'ReportOnly', callMs: 1, ...confirmedCall, at: 1 } as const
    await store.reports.add({ ...report, reporter: bob, reported: ada })
    await store.reports.add({ ...report, session: 'n', reporter: bob, reported: eve })
    const picture = {
      session: 'm',
      reporter: bob,
      userSession: 'u',
      sha256: 'x',
      print: null,
      at: 1,
      keyId: 'k',
      signature: 's',
    }
    const sealed = { ...picture, kind: 'reporters-view', sealed: new Uint8Array([1]) } as const
    await store.evidence.add({ ...sealed, id: 'held', uploader: bob, subject: ada })
    await store.evidence.add({ ...sealed, id: 'free', session: 'n', uploader: bob, subject: eve })
    await store.loginSessions.create('s', 1)
    await store.logins.attach('s', bob, 1)
    await service().request(bob, 'Facebook', { digest: 'code', proof: 'p' })
    clock.forward(3 * DAY_MS)
    expect(await service().eraseDue(never, fault)).toBe(1)

    expect(await store.deletions.stateOf('code')).toBe('done')
    expect(await store.personalData.accountOf('Google', 'bob')).toBeNull()
    expect(await store.accounts.find(bob)).toMatchObject({ email: '', firstName: '', lastName: '', status: 'Valid' })
    expect(await store.loginSessions.find('s')).toBeNull()
    expect((await store.evidence.list({ account: bob })).map(({ id }) => id)).toEqual(['held'])
    expect(await store.reports.subjects(0)).toEqual([ada])
    // A new sign-in creates a new account.
    expect(await person('bob')).not.toBe(bob)

    expect(await store.expiry.remove('erased-accounts', clock.now() + 1, 10)).toBe(0)
    await store.legalHolds.release(ada)
    expect(await store.expiry.remove('erased-accounts', clock.now() + 1, 10)).toBe(1)
    expect(await store.accounts.find(bob)).toBeNull()
    expect(await store.evidence.list({ subject: ada })).toEqual([])
  })
})
