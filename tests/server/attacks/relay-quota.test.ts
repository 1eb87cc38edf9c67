import { expect, onTestFinished, test } from 'vitest'
import { takeRelayQuota } from '../../support/attacks/relay-quota.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startCoturn } from '../../support/servers/coturn.ts'
import { type SignedInVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { openTurnClient } from '../../support/servers/turn-client.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

/** `user-quota` of `deploy/coturn/turnserver.conf`. */
const USER_QUOTA = 24
const turn = { TURN_URL: 'turn:turn.example.org', TURN_SECRET: 'secret-of-this-test' }

async function start(env: Record<string, string> = turn) {
  // TURN user names change with the day, so the clock does not advance.
  const server = await startServer(env, { clock: movableClock() })
  onTestFinished(server.stop)
  return server
}

async function problemOf(person: SignedInVisitor): Promise<{ status: number; code: unknown }> {
  const response = await person.send('readTurn', undefined)
  const { code } = (await response.json()) as { code?: unknown }
  return { status: response.status, code }
}

test('30 sets of credentials of one account open no more allocations than one set, and another account still gets one', async () => {
  const coturn = await startCoturn()
  onTestFinished(coturn.stop)
  const server = await start(coturn.env)
  const greedy = await signIn(server, { email: 'greedy@example.org' })
  const other = await signIn(server, { email: 'other@example.org' })
  const opened = await takeRelayQuota(
    {
      port: coturn.port,
      credentials: () => greedy.request('readTurn', undefined),
      sets: 30,
      allocationsPerSet: 2,
    },
    async () => {
      const client = await openTurnClient(coturn.port)
      expect(await client.allocate(await other.request('readTurn', undefined))).toBe('ok')
      await client.release()
      client.close()
    },
  )
  expect(opened).toBe(USER_QUOTA)
})

test('a suspended account gets no credentials', async () => {
  const server = await start()
  const ada = await signIn(server, { email: 'ada@example.org' })
  expect((await problemOf(ada)).status).toBe(200)
  for (const status of ['Blocked', 'Appeal', 'InReview'] as const) {
    await server.edit(async (store) => putStatus(store, await accountOf(store, ada.email), status))
    expect(await problemOf(ada)).toEqual({ status: 403, code: 'blocked' })
  }
  await server.edit(async (store) => putStatus(store, await accountOf(store, ada.email), 'Warning'))
  expect((await problemOf(ada)).status).toBe(200)
})

test('an account without a profile, or with a deletion under way, gets no credentials', async () => {
  const server = await start()
  const newcomer = await signIn(server, { email: 'newcomer@example.org', profile: false })
  expect(await problemOf(newcomer)).toEqual({ status: 409, code: 'wrong-state' })
  const leaving = await signIn(server, { email: 'leaving@example.org' })
  await leaving.request('deleteData', undefined)
  const back = await signIn(server, { email: 'leaving@example.org' })
  expect(await problemOf(back)).toEqual({ status: 409, code: 'wrong-state' })
  await back.request('keepData', undefined)
  expect((await problemOf(back)).status).toBe(200)
})
