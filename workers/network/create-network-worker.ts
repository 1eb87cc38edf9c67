import { API_ATTEMPTS, API_RETRY_DELAY_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'
import { readStart } from '#protocol/start.ts'
import { serve } from '../rpc.ts'
import type { NetworkWorker } from './contract.ts'
import { createHttpClient, type HttpOptions } from './http-client.ts'
import type { LaterParts } from './later-parts.ts'

export function createNetworkWorker(options: HttpOptions): NetworkWorker {
  const sendRequest = createHttpClient(options)
  let parts: Promise<LaterParts> | null = null
  let media: MessagePort | null = null

  async function loadParts(): Promise<LaterParts> {
    const { retryDelayMs = API_RETRY_DELAY_MS } = options
    for (let attempt = 1; attempt <= API_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
      const loaded = await import('./later-parts.ts').catch(() => null)
      if (loaded) return loaded.createLaterParts(sendRequest, options.baseUrl)
    }
    parts = null
    throw new AppError('network-error', 'A part of the worker could not be loaded')
  }

  /**
   * Loads the rest of the worker once, with as many attempts as a request. A call after a failure loads it again.
   * Rejects with `network-error`.
   */
  function later(): Promise<LaterParts> {
    parts ??= loadParts()
    return parts
  }

  async function request<N extends EndpointName>(
    name: N,
    input: EndpointInput<N>,
    signal?: AbortSignal,
  ): Promise<EndpointOutput<N>> {
    if (name !== 'readStart') return (await later()).request(name, input, signal)
    try {
      return (await sendRequest(readStart, input, { signal })) as EndpointOutput<N>
    } finally {
      // The next request needs the rest of the worker, and loads it again after a failure.
      later().catch(() => {})
    }
  }

  return {
    request,
    async exportData() {
      const data = await request('exportData', undefined)
      return new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    },
    fetchPicture: async (url) => (await later()).fetchPicture(url),
    parseUserAgent: async (userAgent) => (await later()).parseUserAgent(userAgent),
    log: async (level, message) => (await later()).logs.add(level, message),
    switchLogs: async (levels) => (await later()).logs.switchOn(levels),
    identify: async (context) => (await later()).logs.identify(context),
    // Before the logs are loaded, nothing is queued.
    flushLogs: async () => (await parts)?.logs.flush(),
    async connectMedia(port) {
      media?.close()
      media = port
      serve({ request }, port)
    },
  }
}
