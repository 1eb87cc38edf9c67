import type { Fleet } from '../../../server/fleet/fleet.ts'

/** A fleet of one server that does and stores nothing. */
export function quietFleet({ queue, matchRecords }: Pick<Fleet, 'queue' | 'matchRecords'>): Fleet {
  const tickets = new Map<string, string>()
  return {
    self: 'here',
    isAvailable: true,
    queue,
    matchRecords,
    tickets: {
      async put(token, ticket) {
        tickets.set(token, ticket)
        return true
      },
      take: async (token) => tickets.get(token) ?? null,
    },
    start: async () => undefined,
    attach: async () => ({ home: 'here', order: 1, isKnown: false }),
    forget: () => undefined,
    isMember: () => true,
    send: () => undefined,
    sendAll: () => undefined,
    stopRetries: () => undefined,
    leave: async () => undefined,
  }
}
