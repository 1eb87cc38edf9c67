import { expect, onTestFinished } from 'vitest'
import type { FleetWithUsers } from '../fleet/many-servers.ts'
import { ChatClient } from './chat-client.ts'

/** No two clients of a file are the same user. */
let people = 0

/** Connects `count` clients; resolves when each is in a match. */
export async function connectChatClients({ origin, createUser }: FleetWithUsers, count: number): Promise<ChatClient[]> {
  const clients: ChatClient[] = []
  for (let index = 0; index < count; index += 1) {
    people += 1
    const client = new ChatClient(origin, await createUser(`p${people}`))
    onTestFinished(() => client.stop())
    clients.push(client)
  }
  await Promise.all(clients.map((client) => client.start()))
  await Promise.all(clients.map((client) => client.until(() => client.session !== null)))
  return clients
}

/** Each client delivers another message, and no one is in two matches. */
export async function expectAllChatting(clients: ChatClient[], { store }: FleetWithUsers): Promise<void> {
  const before = new Map(clients.map((client) => [client, client.acknowledged.length]))
  await Promise.all(
    clients.map((client) => client.until(() => client.acknowledged.length > (before.get(client) ?? 0) + 1)),
  )
  expect(clients.flatMap(({ overlaps }) => overlaps)).toEqual([])
  const live = await store.matchRecords.all()
  const people = live.flatMap(({ caller, callee }) => [caller, callee])
  expect(new Set(people).size).toBe(people.length)
}

/** Each message that the hub confirmed as delivered was received. */
export function expectNothingLost(clients: ChatClient[]): void {
  const received = new Set(clients.flatMap((client) => [...client.received.keys()]))
  const lost = clients.flatMap(({ acknowledged }) => acknowledged.filter(({ id }) => !received.has(id)))
  expect(lost).toEqual([])
}
