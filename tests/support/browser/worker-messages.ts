/**
 * Records each message that this page sends to a worker, by worker, method, and endpoint: 'network request readStart'. The list is
 * `workerMessages` of the page, and `workerAnswers` names the worker of each message to the page. Returns a function that ends the recording. Playwright runs it in the page, so it uses nothing from outside.
 */
export function recordWorkerMessages(): () => void {
  const names = new WeakMap<Worker, string>()
  const sent: string[] = []
  const answers: string[] = []
  const Native = globalThis.Worker
  const post = Native.prototype.postMessage

  /** Reads a request of `workers/rpc.ts`: its description, then its arguments, each wrapped by Comlink. */
  function nameOf(message: unknown): string {
    const { path = [], argumentList = [] } = message as { path?: string[]; argumentList?: { value?: unknown }[] }
    const [request, first] = argumentList.map(({ value }) => value)
    if (typeof request === 'number') return `${path.join('.')}`
    const method = (request as { name?: string } | undefined)?.name ?? 'unknown'
    return typeof first === 'string' && method.startsWith('request') ? `${method} ${first}` : method
  }

  globalThis.Worker = class extends Native {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, options)
      const name = options?.name ?? ''
      names.set(this, name)
      // The first listener runs before the one that resolves the request.
      this.addEventListener('message', () => void answers.push(name))
    }
  }
  Native.prototype.postMessage = function (this: Worker, ...given: [unknown, never]) {
    sent.push(`${names.get(this)} ${nameOf(given[0])}`)
    post.apply(this, given)
  }
  Object.assign(globalThis, { workerMessages: sent, workerAnswers: answers })
  return () => {
    globalThis.Worker = Native
    Native.prototype.postMessage = post
  }
}

type Recorded = { workerMessages: string[]; workerAnswers: string[] }

/** Returns the messages to workers since the last time, in order, and the number of messages from them. */
export function takeWorkerMessages(): { sent: string[]; answers: number } {
  const { workerMessages, workerAnswers } = globalThis as unknown as Recorded
  return { sent: workerMessages.splice(0), answers: workerAnswers.splice(0).length }
}
