import { WORKER_TASK } from '#workers/faults.ts'

const HELD_MS = 3_000
/** After requests were held. */
export const FREE_MS = 5_000

type Post = (worker: Worker, args: Parameters<Worker['postMessage']>) => void

/** Every message from the page to a worker goes through `post` until the returned function is called. */
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

/** Each request to a worker computes 200 ms longer. The worker does that itself, once it is told to. */
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

/** A request waits for three seconds with all that follow it; then they are sent in order, and none waits for five. */
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
