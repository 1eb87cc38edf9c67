import { expect, onTestFinished } from 'vitest'
import type { FleetWithUsers } from '../fleet/many-servers.ts'
import { Talker } from './hub-talker.ts'

/** So many people, all of them in a match. */
export async function gatherTalkers({ origin, createUser }: FleetWithUsers, count: number): Promise<Talker[]> {
  const talkers: Talker[] = []
  for (let index = 0; index < count; index += 1) {
    const talker = new Talker(origin, await createUser(`p${index}`))
    onTestFinished(() => talker.stop())
    talkers.push(talker)
  }
  await Promise.all(talkers.map((talker) => talker.start()))
  await Promise.all(talkers.map((talker) => talker.until(() => talker.session !== null)))
  return talkers
}

/** Everybody says something that arrives, in a match that both sides know, and nobody is in two. */
export async function expectHealed(talkers: Talker[], { store }: FleetWithUsers): Promise<void> {
  const before = new Map(talkers.map((talker) => [talker, talker.arrived.length]))
  await Promise.all(talkers.map((talker) => talker.until(() => talker.arrived.length > (before.get(talker) ?? 0) + 1)))
  expect(talkers.flatMap(({ overlaps }) => overlaps)).toEqual([])
  const live = await store.matchRecords.all()
  const people = live.flatMap(({ caller, callee }) => [caller, callee])
  expect(new Set(people).size).toBe(people.length)
}

/** What the hub said has arrived has arrived: once, as the ids tell. */
export function expectNothingLost(talkers: Talker[]): void {
  const heard = new Set(talkers.flatMap((talker) => [...talker.heard.keys()]))
  const lost = talkers.flatMap(({ arrived }) => arrived.filter(({ id }) => !heard.has(id)))
  expect(lost).toEqual([])
}
