import { callerName } from './caller-name.ts'

type Kept = { what: string; by: string }

/**
 * Records what the page opens and must close: listeners of what outlives a screen, timers that repeat, object URLs.
 * `left` names what is open, and who opened it. `restore` ends the recording.
 */
export function recordOpened() {
  const open = new Map<unknown, Kept>()
  const undo: (() => void)[] = []

  function replace<T extends object, N extends keyof T>(owner: T, name: N, wrap: (native: T[N]) => T[N]): void {
    const native = owner[name]
    owner[name] = wrap(native)
    undo.push(() => {
      owner[name] = native
    })
  }
  function watchListeners(target: EventTarget, label: string): void {
    const keys = new Map<unknown, Map<string, symbol>>()
    const forget = (type: string, listener: unknown) => {
      const key = keys.get(listener)?.get(type)
      keys.get(listener)?.delete(type)
      open.delete(key)
    }
    replace(target, 'addEventListener', (native) => (type, listener, options) => {
      const key = Symbol(type)
      const { once = false, signal = null } = typeof options === 'object' ? options : {}
      if (!keys.get(listener)?.has(type)) {
        keys.set(listener, (keys.get(listener) ?? new Map()).set(type, key))
        open.set(key, { what: `listener of ${type} on ${label}`, by: callerName() })
      }
      if (once) native.call(target, type, () => forget(type, listener), { once })
      signal?.addEventListener('abort', () => forget(type, listener))
      native.call(target, type, listener, options)
    })
    replace(target, 'removeEventListener', (native) => (type, listener, options) => {
      forget(type, listener)
      native.call(target, type, listener, options)
    })
  }

  watchListeners(window, 'window')
  watchListeners(document, 'document')
  if (visualViewport) watchListeners(visualViewport, 'visualViewport')
  replace(
    globalThis,
    'setInterval',
    (native) =>
      ((...given: Parameters<typeof setInterval>) => {
        const id = native(...given)
        open.set(`interval ${id}`, { what: 'interval', by: callerName() })
        return id
      }) as typeof setInterval,
  )
  replace(globalThis, 'clearInterval', (native) => (id) => {
    open.delete(`interval ${id}`)
    native(id)
  })
  replace(URL, 'createObjectURL', (native) => (of) => {
    const url = native.call(URL, of)
    open.set(url, { what: 'object URL', by: callerName() })
    return url
  })
  replace(URL, 'revokeObjectURL', (native) => (url) => {
    open.delete(url)
    native.call(URL, url)
  })

  return {
    left: () => [...open.values()].map(({ what, by }) => `${what}, opened by ${by}`).toSorted(),
    restore: () => undo.toReversed().forEach((one) => void one()),
  }
}
