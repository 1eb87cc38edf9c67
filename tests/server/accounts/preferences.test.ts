import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { SUGGESTED_FROM_NETWORKS } from '#protocol/constants.ts'
import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import { problemSchema } from '#protocol/problem.ts'
import type { CommonTerms } from '../../../server/accounts/rules/profile-ports.ts'
import { createSuggestions } from '../../../server/accounts/rules/suggestions.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

async function start() {
  const server = await startServer({}, { clock: movableClock() })
  onTestFinished(server.stop)
  return { server, ada: await signIn(server, { email: 'ada@x.org' }) }
}

test('languages and interests are kept as normalised, read, exported and replaced', async () => {
  const { server, ada } = await start()
  const kept = { languages: ['es', 'fil'], interests: ['chess', 'über uns'] }
  expect(
    await ada.request('changePreferences', { languages: ['es', 'fil'], interests: [' CHESS', 'Über  uns'] }),
  ).toEqual(kept)
  await server.restart()
  expect(await ada.request('readProfile', undefined)).toMatchObject(kept)
  expect((await ada.request('exportData', undefined)).profile).toMatchObject(kept)
  // An older client changes its profile without them.
  await ada.request('changeProfile', { NickName: 'Ada', Gender: 'girl', ShowPicture: 'false' })
  expect(await ada.request('readProfile', undefined)).toMatchObject(kept)
  const none = { languages: [], interests: [] }
  expect(await ada.request('changePreferences', none)).toEqual(none)
  expect(await ada.request('readProfile', undefined)).toMatchObject(none)
})

test('a new profile has the languages of the browser, which a later one of the same person does not change', async () => {
  const { server } = await start()
  const zoe = await signIn(server, { email: 'zoe@x.org', language: 'es-MX,es;q=0.9,en-US;q=0.8,xx;q=0.7' })
  expect(await zoe.request('readProfile', undefined)).toMatchObject({ languages: ['es', 'en'], interests: [] })
  await zoe.request('changePreferences', { languages: [], interests: [] })
  const again = await signIn(server, { email: 'zoe@x.org', language: 'es-MX' })
  expect(await again.request('readProfile', undefined)).toMatchObject({ languages: [] })
})

test('what is refused names its field and changes nothing', async () => {
  const { server, ada } = await start()
  const kept = { languages: ['en'], interests: ['chess'] }
  await ada.request('changePreferences', kept)
  const refused = async (input: typeof kept) => {
    const response = await ada.send('changePreferences', input)
    return [response.status, v.parse(problemSchema, await response.json()).field]
  }
  expect(await refused({ ...kept, languages: ['tlh'] })).toEqual([400, 'languages'])
  expect(await refused({ ...kept, languages: ['en', 'es', 'de', 'fr', 'it', 'pt'] })).toEqual([400, 'languages'])
  expect(await refused({ ...kept, interests: ['chess', '<i>go</i>'] })).toEqual([400, 'interests'])
  expect(await refused({ ...kept, interests: ['a'.repeat(10_000)] })).toEqual([400, 'interests'])
  expect(await ada.request('readProfile', undefined)).toMatchObject(kept)
  const eve = await signIn(server, { email: 'eve@x.org', profile: false })
  expect((await eve.send('changePreferences', kept)).status).toBe(409)
})

test('more than 30 changes a minute are refused', async () => {
  const { ada } = await start()
  const statuses: number[] = []
  for (let turn = 0; turn < 31; turn += 1)
    statuses.push((await ada.send('changePreferences', { languages: [], interests: [] })).status)
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([30, 429])
})

test('an interest of one person is not suggested to anybody', async () => {
  const { ada } = await start()
  await ada.request('changePreferences', { languages: [], interests: ['my full name'] })
  expect(await ada.request('readSuggestions', undefined)).toEqual({ interests: [] })
})

test('suggestions are counted once in ten minutes, by the policy of standing, and again after a failure', async () => {
  let now = 20 * DAY_MS
  const counts: CommonTerms[] = []
  let fails = true
  let refused: string[] = []
  const suggestions = createSuggestions({
    preferences: {
      commonInterests: async (terms) => {
        counts.push(terms)
        if (fails) throw new Error('no database')
        return ['chess', 'go']
      },
    },
    words: { suggestable: async (interests) => interests.filter((interest) => !refused.includes(interest)) },
    settled: { standingDays: 14, standingCalls: 10 },
    clock: { now: () => now },
  })
  await expect(suggestions()).rejects.toThrow('no database')
  fails = false
  expect([await suggestions(), await suggestions()]).toEqual([
    ['chess', 'go'],
    ['chess', 'go'],
  ])
  refused = ['go']
  expect(await suggestions()).toEqual(['chess'])
  now += 10 * MINUTE_MS
  await suggestions()
  const terms = { networks: SUGGESTED_FROM_NETWORKS, max: 300, calls: 10, lastedMs: MINUTE_MS }
  expect(counts).toEqual(
    [6 * DAY_MS, 6 * DAY_MS, 6 * DAY_MS + 10 * MINUTE_MS].map((createdBefore) => ({ ...terms, createdBefore })),
  )
})
