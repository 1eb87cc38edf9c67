import { WORKER_TASK } from '#workers/faults.ts'
import type { App } from '../../app/create-app.ts'
import { loadOnce } from '../../platform/load-once.ts'

const LOST_EVERY = 5
const CHUNK_MS = 4_000
/** Delay of the provider's message. Shorter than 5 s, after which the development identity's window closes. */
const PROVIDER_MS = 3_000
const HELD_MS = 3_000
/** Time in which no request is held, after requests were held. */
export const FREE_MS = 5_000

/** Drops the hub's completion of every fifth invocation. Other sockets, such as Vite's, are not changed. */
export function lostMessage(): () => void {
  const Real = globalThis.WebSocket
  let completions = 0
  globalThis.WebSocket = class extends Real {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      if (!new URL(url).pathname.endsWith('/chathub')) return
      // Added as the first listener, so that it runs before the SignalR library's handler.
      this.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (typeof event.data !== 'string' || !event.data.includes('"type":3')) return
        completions += 1
        if (completions % LOST_EVERY === 0) event.stopImmediatePropagation()
      })
    }
  }
  return () => {
    globalThis.WebSocket = Real
  }
}

/** Makes the code of every screen arrive four seconds late. */
export function lateChunk({ pages }: Pick<App, 'pages'>): () => void {
  const before = Object.values(pages).map((page) => ({ page, original: { ...page } }))
  for (const { page, original } of before) {
    const late = loadOnce(async () => {
      await new Promise<void>((resolve) => setTimeout(resolve, CHUNK_MS))
      return original.load()
    })
    Object.assign(page, late)
  }
  return () => {
    for (const { page, original } of before) Object.assign(page, original)
  }
}

/** Delays messages of other windows, such as a provider's sign-in window, by three seconds. */
export function slowProvider(): () => void {
  const late = new WeakSet<Event>()
  function delay(event: MessageEvent<unknown>): void {
    if (late.has(event) || event.source === null || event.source === window) return
    event.stopImmediatePropagation()
    const { data, origin, source } = event
    const again = new MessageEvent('message', { data, origin, source })
    late.add(again)
    setTimeout(() => window.dispatchEvent(again), PROVIDER_MS)
  }
  // Added before the listeners of the sign-in, so that it runs first.
  window.addEventListener('message', delay)
  return () => window.removeEventListener('message', delay)
}

type Post = (worker: Worker, args: Parameters<Worker['postMessage']>) => void

/** Sends messages to workers through the function that `makePost` returns, until the returned function is called. */
function replacePost(makePost: (send: Post) => Post): () => void {
  const { postMessage } = Worker.prototype
  const post = makePost((worker, args) => postMessage.apply(worker, args))
  Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
    post(this, args as Parameters<Worker['postMessage']>)
  }
  return () => {
    Worker.prototype.postMessage = postMessage
  }
}

/** Makes each request to a worker compute 200 ms longer. A worker does so after it has received `WORKER_TASK`. */
export function workerTask(): () => void {
  const told = new WeakSet<Worker>()
  return replacePost((send) => (worker, args) => {
    if (!told.has(worker)) {
      told.add(worker)
      send(worker, [WORKER_TASK])
    }
    send(worker, args)
  })
}

/** Holds a request and all after it for 3 s. Then they are sent in order, and no request is held for 5 s. */
export function stuckQueue(): () => void {
  const held: (() => void)[] = []
  let isFree = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function release(): void {
    isFree = true
    for (const send of held.splice(0)) send()
    timer = setTimeout(() => {
      isFree = false
    }, FREE_MS)
  }

  const restore = replacePost((send) => (worker, args) => {
    if (isFree) return send(worker, args)
    if (held.length === 0) timer = setTimeout(release, HELD_MS)
    held.push(() => send(worker, args))
  })
  return () => {
    restore()
    release()
    clearTimeout(timer)
  }
}
