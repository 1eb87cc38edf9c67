import { CHAT_DELIVERY_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { HubMethod } from '#protocol/hub.ts'
import { span } from '#workers/trace.ts'
import type { HubClient } from '../domain/ports.ts'
import { createHubListeners } from './hub-listeners.ts'
import { createHubRunner, type HubOptions } from './hub-runner.ts'

const INVOKE_MS = 15_000
/** The hub holds a chat message while it waits for a peer whose connection was lost. */
const CHAT_MS = CHAT_DELIVERY_MS + INVOKE_MS

function limitOf(method: HubMethod): number {
  return method === 'SendChatMessageToPeer' ? CHAT_MS : INVOKE_MS
}

/** Loads SignalR: import this module when it is needed. One client a page: the hub takes two for two tabs. */
export function createHubClient(options: HubOptions): HubClient {
  const listeners = createHubListeners(options.log)
  const runner = createHubRunner(options, listeners)
  return {
    start: runner.start,
    stop: runner.stop,
    on: listeners.on,
    onState: listeners.onState,

    connectionId: () => runner.open()?.id() ?? '',

    async invoke(method, ...args) {
      const connection = runner.open()
      if (!connection?.id()) throw new AppError('hub-unavailable', 'The hub is not connected')
      const since = performance.now()
      try {
        await connection.invoke(method, args, limitOf(method))
      } finally {
        span('Hub', method, since)
      }
    },
  }
}
