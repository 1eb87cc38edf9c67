import type { HubRouter } from './hub-router.ts'

/** The router of a single server: this server holds the state of all users. */
export function createLocalRouter({ queue, matchRecords }: Pick<HubRouter, 'queue' | 'matchRecords'>): HubRouter {
  const nothing = () => undefined
  return {
    queue,
    matchRecords,
    tickets: null,
    hearsOthers: true,
    start: async ({ lifecycle, execute }) => ({ ...lifecycle, invoked: execute }),
    forget: nothing,
    waitForUsers: async () => undefined,
    disconnectElsewhere: nothing,
    logOutElsewhere: nothing,
    forgetLoginsElsewhere: nothing,
    sweep: nothing,
    stopRetries: nothing,
    leave: async () => undefined,
  }
}
