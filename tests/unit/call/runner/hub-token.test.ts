import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { HubClient } from '../../../../src/call/ports.ts'
import { startHub } from '../../../../src/call/runner/hub-exchange.ts'
import { createVisitStore } from '../../../../src/platform/state/visit.ts'
import { fakeApi } from '../../../support/fakes/fake-api.ts'
import { silentLog } from '../../../support/silent-log.ts'

/** A hub client that asks for the token at once. */
function hubThatConnects() {
  const tokens: string[] = []
  const start: HubClient['start'] = async ({ token }) => void tokens.push(await token())
  return { tokens, hub: { start } as HubClient }
}

function visit() {
  const store = createVisitStore()
  store.begin('s1')
  return store
}

test('a hub token that cannot be fetched is logged, and the connection fails with the reason', async () => {
  const log = silentLog()
  const { hub } = hubThatConnects()
  const refused = new AppError('server-unreachable')
  const api = fakeApi({ readHubToken: () => Promise.reject(refused) })
  await expect(startHub({ api, hub, log }, { visit: visit() })).rejects.toBe(refused)
  expect(log.errors).toEqual(['Failed to fetch authentication token'])
})

test('a token is passed on, and nothing is logged', async () => {
  const log = silentLog()
  const { hub, tokens } = hubThatConnects()
  const api = fakeApi({
    readHubToken: ({ userSessionId }) => ({ hubConnectionAccessToken: `token of ${userSessionId}` }),
  })
  await startHub({ api, hub, log }, { visit: visit() })
  expect([tokens, log.errors]).toEqual([['token of s1'], []])
})
