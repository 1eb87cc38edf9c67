import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApp } from '../../../../server/app.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import { seededRandom } from '../../../support/run-seed.ts'
import { migratedFolder } from '../../../support/stores/migrated.ts'
import { openStore } from '../../../support/stores/store.ts'

async function setUp() {
  const folder = await migratedFolder()
  const store = await openStore(folder, randomUUID)
  const built = await createApp({
    config: readConfig({}),
    secrets: { jwt: 'j'.repeat(32), alias: 'a'.repeat(32), evidence: [{ id: 'e', secret: 'e'.repeat(32) }] },
    database: store,
    clock: movableClock(),
    random: seededRandom(),
    newId: randomUUID,
    dist: null,
    ownOrigins: () => ['http://localhost:3000'],
    log: pino({ level: 'silent' }),
  })
  const status = async (url: string) => (await built.app.inject(url)).statusCode
  return { ...built, store, status, clean: () => rm(folder, { recursive: true }) }
}

test('a draining server is alive, but not ready and serves nothing', async () => {
  const { app, drain, store, status, clean } = await setUp()
  expect(await status('/readyz')).toBe(200)
  await drain()
  expect(await status('/healthz')).toBe(200)
  expect(await status('/readyz')).toBe(503)
  const refused = await app.inject('/api/server/time/get')
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.json()).toMatchObject({ code: 'unavailable' })
  await app.close()
  await store.close()
  await clean()
})

test('a server without its store is alive, but not ready', async () => {
  const { app, store, status, clean } = await setUp()
  await app.ready()
  const figures = async () => (await app.inject('/metrics')).body
  expect(await figures()).toContain('waggle_dependency_up{dependency="database"} 1')
  await store.close()
  expect(await status('/healthz')).toBe(200)
  expect(await status('/readyz')).toBe(503)
  // Now of all times they are needed, without what only the records know.
  expect(await figures()).toContain('waggle_dependency_up{dependency="database"} 0')
  expect(await figures()).toContain('waggle_hub_connections 0')
  expect(await figures()).not.toMatch(/^waggle_moderation/m)
  await app.close()
  await clean()
})
