import { WORKER_TASK } from '#workers/faults.ts'

const HELD_EVERY_MS = 8_000
const HELD_MS = 3_000

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

/** Requests to workers wait for three of every eight seconds, and are then sent in order. */
export function stuckQueue(): () => void {
  let held: (() => void)[] = []
  let isHeld = true

  function release(): void {
    isHeld = false
    for (const send of held.splice(0)) send()
  }
  function hold(): void {
    isHeld = true
    held = []
    releaseTimer = setTimeout(release, HELD_MS)
  }

  let releaseTimer = setTimeout(release, HELD_MS)
  const holdTimer = setInterval(hold, HELD_EVERY_MS)
  const restore = replacePost((send) => (worker, args) => {
    if (isHeld) held.push(() => send(worker, args))
    else send(worker, args)
  })
  return () => {
    clearInterval(holdTimer)
    clearTimeout(releaseTimer)
    restore()
    release()
  }
}
