import type { Place } from './limited.ts'
import { safeLabel } from './safe-label.ts'

type Listener = EventListenerOrEventListenerObject
type Options = boolean | AddEventListenerOptions
/** Listeners by type and phase, as the browser distinguishes them, each with the function that ends its counting. */
type Known = Map<string, Map<Listener, () => void>>

const isCapture = (options: Options | undefined) => (typeof options === 'object' ? options.capture : options) === true
const keyOf = (type: string, options: Options | undefined) => (isCapture(options) ? `${type} (capture)` : type)

/** A listener that was added and not removed. `on` is target and event, such as "window resize". */
export type LeftListener = { on: string; listener: Listener }

/** Follows listeners that are added to these targets from now on. Returns a function that returns those left. */
export function followListeners(targets: Readonly<Record<string, EventTarget>>): () => LeftListener[] {
  const all = Object.entries(targets).map(([name, target]) => ({ name, known: follow(target) }))
  return () =>
    all.flatMap(({ name, known }) =>
      [...known].flatMap(([key, ofKey]) => [...ofKey.keys()].map((listener) => ({ on: `${name} ${key}`, listener }))),
    )
}

function follow(target: EventTarget): Known {
  const known: Known = new Map()
  const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)]

  target.addEventListener = (type: string, listener: Listener | null, options?: Options) => {
    const key = keyOf(type, options)
    const { once = false, signal } = typeof options === 'object' ? options : {}
    if (listener && !signal?.aborted && !known.get(key)?.has(listener)) {
      const forget = () => void known.get(key)?.delete(listener)
      const settings = { capture: isCapture(options), once: true, passive: true }
      // Added before the listener itself, since that may stop the event for later listeners.
      if (once) add(type, forget, settings)
      signal?.addEventListener('abort', forget, { once: true })
      const ofKey = known.get(key) ?? new Map<Listener, () => void>()
      known.set(key, ofKey)
      ofKey.set(listener, () => {
        if (once) remove(type, forget, settings)
        signal?.removeEventListener('abort', forget)
        forget()
      })
    }
    add(type, listener, options)
  }

  target.removeEventListener = (type: string, listener: Listener | null, options?: boolean | EventListenerOptions) => {
    if (listener) known.get(keyOf(type, options))?.get(listener)?.()
    remove(type, listener, options)
  }
  return known
}

/** Counts listeners by event and by source text of their function. */
export function placesOfListeners(left: readonly LeftListener[]): Place[] {
  const places = new Map<string, Place>()
  for (const { on, listener } of left) {
    const source = `${on} ${nameOf(listener)}${String(listener)}`
    const count = (places.get(source)?.count ?? 0) + 1
    places.set(source, { where: safeLabel(`${on}: ${nameOf(listener) || '(anonymous)'}`), count, worst: count })
  }
  return [...places.values()]
}

const nameOf = (listener: LeftListener['listener']) => (typeof listener === 'function' ? listener.name : 'handleEvent')
