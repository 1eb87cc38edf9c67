import { expect, onTestFinished } from 'vitest'
import type { FleetWithUsers } from '../fleet/many-servers.ts'
import { ChatClient } from './hub-talker.ts'

/** So many people, all of them in a match. */
export async function connectChatClients({ origin, createUser }: FleetWithUsers, count: number): Promise<ChatClient[]> {
  const talkers: ChatClient[] = []
  for (let index = 0; index < count; index += 1) {
    const talker = new ChatClient(origin, await createUser(`p${index}`))
    onTestFinished(() => talker.stop())
    talkers.push(talker)
  }
  await Promise.all(talkers.map((talker) => talker.start()))
  await Promise.all(talkers.map((talker) => talker.until(() => talker.session !== null)))
  return talkers
}

/** Everybody says something that arrives, in a match that both sides know, and nobody is in two. */
export async function expectAllChatting(talkers: ChatClient[], { store }: FleetWithUsers): Promise<void> {
  const before = new Map(talkers.map((talker) => [talker, talker.acknowledged.length]))
  await Promise.all(
    talkers.map((talker) => talker.until(() => talker.acknowledged.length > (before.get(talker) ?? 0) + 1)),
  )
  expect(talkers.flatMap(({ overlaps }) => overlaps)).toEqual([])
  const live = await store.matchRecords.all()
  const people = live.flatMap(({ caller, callee }) => [caller, callee])
  expect(new Set(people).size).toBe(people.length)
}

/** What the hub said has arrived has arrived: once, as the ids tell. */
export function expectNothingLost(talkers: ChatClient[]): void {
  const heard = new Set(talkers.flatMap((talker) => [...talker.received.keys()]))
  const lost = talkers.flatMap(({ acknowledged: arrived }) => arrived.filter(({ id }) => !heard.has(id)))
  expect(lost).toEqual([])
}
