import type { LeftListener } from './listeners.ts'
import { safeLabel } from './safe-label.ts'
import type { Place } from './tally.ts'

/** Counts listeners by event and source text of the function. */
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
