import { rm } from 'node:fs/promises'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { SUGGESTED_FROM_NETWORKS } from '#protocol/constants.ts'
import { problemSchema } from '#protocol/problem.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn, operatorCommand } from '../../support/stores/moderators.ts'
import type { Store } from '../../support/stores/store.ts'

async function start(env: Record<string, string> = {}) {
  const dataDir = await migratedFolder()
  const server = await startServer(env, { dataDir, clock: movableClock() })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { server, dataDir }
}

const change = { Gender: 'girl', ShowPicture: 'false' } as const

async function problemOf(response: Response) {
  const { status, code, field } = v.parse(problemSchema, await response.json())
  return { status, code, field }
}

test('a nickname is refused with its field and the reason, at the welcome and at a change, and nothing is saved', async () => {
  const { server } = await start()
  const ada = await signIn(server, { email: 'ada@x.org' })
  const eve = await signIn(server, { email: 'eve@x.org', profile: false })
  const welcome = { EmailAddress: 'eve@x.org', Gender: 'girl', DOB: '1990-12-10', ConsentAgreed: 'true' } as const
  for (const [NickName, code] of [
    ['Wаggle Suppоrt', 'nickname-reserved'],
    ['Mоdеrаtоr', 'nickname-reserved'],
    ['nine nine eight one two', 'nickname-contact'],
    ['site dot evil dot net', 'nickname-contact'],
    ['fаggоt', 'word-refused'],
  ] as const) {
    const refusal = { status: 400, code, field: 'NickName' }
    expect(await problemOf(await ada.send('changeProfile', { ...change, NickName }))).toEqual(refusal)
    expect(await problemOf(await eve.send('addProfile', { ...welcome, NickName }))).toEqual(refusal)
  }
  expect(await ada.request('readProfile', undefined)).toMatchObject({ nickName: 'Ada' })
  expect((await eve.send('readProfile', undefined)).status).toBe(409)
})

test('an interest with a slur is refused with its field; an address in words may be kept', async () => {
  const { server } = await start()
  const ada = await signIn(server, { email: 'ada@x.org' })
  const sent = await ada.send('changePreferences', { languages: [], interests: ['chess', 'hate nіggеrs'] })
  expect(await problemOf(sent)).toEqual({ status: 400, code: 'word-refused', field: 'interests' })
  const kept = { languages: [], interests: ['site punto evil punto com'] }
  expect(await ada.request('changePreferences', kept)).toEqual(kept)
})

async function people(store: Store, count: number, interests: readonly string[], networkOf: (index: number) => string) {
  for (let index = 0; index < count; index += 1) {
    const name = `${interests[0]} ${index}`
    const identity = { provider: 'Google', subject: name, email: `${index}@${interests.length}.org` } as const
    const { id } = await store.accounts.signIn({ ...identity, firstName: 'x', lastName: 'NA' }, 1)
    const profile = {
      nickName: 'x',
      gender: 'girl',
      dateOfBirth: '1990-12-10',
      consentVersion: '1',
      consentAt: 1,
    } as const
    await store.accounts.saveProfile(id, profile, null)
    await store.preferences.replace(id, { languages: [], interests: [...interests] })
    await store.risks.addSignals(id, { address: networkOf(index), device: null }, Date.now())
  }
}

test('accounts of one network put nothing among the suggestions, people of many do, and a refused word is gone at once', async () => {
  const { server, dataDir } = await start({ STANDING_DAYS: '0', STANDING_CALLS: '0' })
  await server.edit(async (store) => {
    await people(store, SUGGESTED_FROM_NETWORKS + 10, ['zorg'], () => 'one network')
    await people(
      store,
      SUGGESTED_FROM_NETWORKS,
      ['chess', 'zorg club', 'evil dot org', 'six one two'],
      (index) => `n${index}`,
    )
  })
  const ada = await signIn(server, { email: 'ada@x.org' })
  const suggested = async () => (await ada.request('readSuggestions', undefined)).interests
  expect(await suggested()).toEqual(['chess', 'zorg club'])

  const mia = await logIn(server, await addModerator(dataDir, 'mia'))
  expect((await mia.requestConsole('readWords', undefined)).suggested).toEqual(['chess', 'zorg club'])
  const refused = { word: 'zorg', moderator: 'mia', at: expect.any(Number) }
  for (const _ of ['first', 'again'])
    expect(await mia.requestConsole('refuseWord', { word: ' ZORG' })).toEqual({
      suggested: ['chess'],
      refused: [refused],
    })
  expect(await suggested()).toEqual(['chess'])
  const nickname = await ada.send('changeProfile', { ...change, NickName: 'Zоrg' })
  expect(await problemOf(nickname)).toMatchObject({ code: 'word-refused', field: 'NickName' })

  for (const _ of ['first', 'again'])
    expect((await mia.requestConsole('allowWord', { word: 'zorg' })).refused).toEqual([])
  expect(await suggested()).toEqual(['chess', 'zorg club'])
  await ada.request('changeProfile', { ...change, NickName: 'Zorg' })
  await mia.requestConsole('refuseWord', { word: 'zorg' })
  // Her nickname is from before: it prevents no other change.
  await ada.request('changeProfile', { ...change, NickName: 'Zorg' })
  const audit = (await operatorCommand(dataDir, { do: 'audit' })).split('\n').filter((line) => line.includes('word-'))
  expect(audit).toHaveLength(3)
  expect(audit.join()).toMatch(/mia.*word-.*zorg.*mia.*word-.*zorg/s)
})
