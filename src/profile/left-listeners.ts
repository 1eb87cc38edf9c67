import { safeLabel } from './safe-label.ts'
import type { Place } from './tally.ts'

type Listener = EventListenerOrEventListenerObject
/** By event, such as "resize", with a mark for those of the capture phase. */
type Left = Map<string, Set<Listener>>

/**
 * Follows the listeners on window and document that are added from now on, except those that remove themselves. Returns a function that
 * counts those that are left, by event and source text of the function.
 */
export function followListeners(): () => Place[] {
  const targets = [window, document].map((target) => ({
    name: target === window ? 'window' : 'document',
    left: follow(target),
  }))
  return () =>
    targets.flatMap(({ name, left }) => [...left].flatMap(([event, set]) => groupsOf(`${name} ${event}`, set)))
}

function follow(target: EventTarget): Left {
  const left: Left = new Map()
  const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)]
  const keyOf = (type: string, options?: boolean | EventListenerOptions) =>
    (typeof options === 'object' ? options.capture : options) ? `${type} (capture)` : type

  target.addEventListener = (type, listener, options) => {
    add(type, listener, options)
    const { once = false, signal } = typeof options === 'object' ? options : {}
    if (!listener || once || signal?.aborted) return
    const key = keyOf(type, options)
    left.set(key, (left.get(key) ?? new Set()).add(listener))
    signal?.addEventListener('abort', () => left.get(key)?.delete(listener), { once: true })
  }
  target.removeEventListener = (type, listener, options) => {
    remove(type, listener, options)
    if (listener) left.get(keyOf(type, options))?.delete(listener)
  }
  return left
}

function groupsOf(event: string, listeners: ReadonlySet<Listener>): Place[] {
  const bySource = new Map<string, Listener[]>()
  for (const listener of listeners) {
    const source = `${nameOf(listener)}${String(listener)}`
    bySource.set(source, [...(bySource.get(source) ?? []), listener])
  }
  return [...bySource.values()].map((same) => {
    const name = same[0] ? nameOf(same[0]) : ''
    return { where: safeLabel(`${event}: ${name || '(anonymous)'}`), count: same.length, worst: same.length }
  })
}

const nameOf = (listener: Listener) => (typeof listener === 'function' ? listener.name : 'handleEvent')
