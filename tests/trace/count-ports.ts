/** Messages and bytes of one port of the page, such as `network` for the worker of this name. */
export type PortCount = { port: string; sent: number; sentBytes: number; received: number; receivedBytes: number }

type Counted = typeof globalThis & { portCounts: Map<string, PortCount> }

/**
 * Runs in each document before anything of the page. Counts the messages of each worker and of each port that is on the page; what
 * two workers send each other cannot be seen there. Sizes are of text, numbers and binary data without the overhead of a clone.
 */
export function countPorts(): void {
  const page = globalThis as Counted
  page.portCounts = new Map()
  const known = new WeakMap<object, PortCount>()
  let ports = 0

  function countsOf(target: object): PortCount {
    let counts = known.get(target)
    if (!counts) {
      ports += 1
      counts = { port: `port ${ports}`, sent: 0, sentBytes: 0, received: 0, receivedBytes: 0 }
      known.set(target, counts)
      page.portCounts.set(counts.port, counts)
    }
    return counts
  }

  function bytesOf(value: unknown, seen = new Set<unknown>()): number {
    if (typeof value === 'string') return value.length
    if (typeof value !== 'object' || value === null) return 8
    if (seen.has(value)) return 0
    seen.add(value)
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
    if (value instanceof Blob) return value.size
    if (typeof VideoFrame !== 'undefined' && value instanceof VideoFrame) return value.allocationSize()
    if (value instanceof ImageBitmap) return value.width * value.height * 4
    return Object.entries(value).reduce((sum, [key, field]) => sum + key.length + bytesOf(field, seen), 0)
  }

  function listen(target: EventTarget): void {
    const counts = countsOf(target)
    EventTarget.prototype.addEventListener.call(target, 'message', (event) => {
      counts.received += 1
      counts.receivedBytes += bytesOf((event as MessageEvent).data)
    })
  }

  for (const { prototype } of [Worker, MessagePort]) {
    const { postMessage } = prototype
    prototype.postMessage = function (this: Worker & MessagePort, message: unknown, ...rest: never[]) {
      const counts = countsOf(this)
      counts.sent += 1
      counts.sentBytes += bytesOf(message)
      return Reflect.apply(postMessage, this, [message, ...rest])
    }
  }
  const { start } = MessagePort.prototype
  MessagePort.prototype.start = function () {
    listen(this)
    return Reflect.apply(start, this, [])
  }
  page.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      listen(this)
      countsOf(this).port = options?.name ?? String(url)
    }
  }
}

/** Runs in the page. */
export function readPorts(): PortCount[] {
  return [...((globalThis as Counted).portCounts?.values() ?? [])]
}
