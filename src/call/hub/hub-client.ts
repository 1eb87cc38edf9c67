import { AppError } from '#protocol/errors.ts'
import type { HubMethod, HubMethods } from '#protocol/hub.ts'
import { span } from '#workers/trace.ts'
import type { HubClient } from '../ports.ts'
import { createHubListeners } from './hub-listeners.ts'
import { createHubRunner, type HubOptions } from './hub-runner.ts'

/** The values of the table of hub methods. The compiler checks them, so that the bundle does not contain the table. */
const CHAT_MS: HubMethods['SendChatMessageToPeer']['timeLimitMs'] = 25_000
const INVOKE_MS: HubMethods[Exclude<HubMethod, 'SendChatMessageToPeer'>]['timeLimitMs'] = 15_000

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
      if (!connection?.id()) throw new AppError('hub-unavailable', 'Undefined hub connection.')
      const since = performance.now()
      try {
        await connection.invoke(method, args, limitOf(method))
      } finally {
        // The time limit alone can take so long.
        const isAnswered = performance.now() - since < limitOf(method)
        span('Hub', isAnswered ? method : `unanswered ${method}`, since, undefined, isAnswered ? 'primary' : 'error')
      }
    },
  }
}
