import { callerName } from './caller-name.ts'

/** Properties whose reading makes the browser lay the page out at once if something has changed. */
const sizes = [
  [HTMLElement.prototype, ['offsetWidth', 'offsetHeight', 'offsetTop', 'offsetLeft']],
  [Element.prototype, ['clientWidth', 'clientHeight', 'scrollHeight', 'scrollWidth', 'scrollTop']],
] as const

/** Records the readings that can force a layout, each with the function that read. `take` returns those since the last time. */
export function recordForcedLayouts() {
  let read: string[] = []
  const undo: (() => void)[] = []

  for (const [owner, names] of sizes) {
    for (const name of names) {
      const native = Object.getOwnPropertyDescriptor(owner, name)
      if (!native?.get) throw new Error(`No ${name}`)
      const { get } = native
      Object.defineProperty(owner, name, {
        ...native,
        get() {
          read.push(`${name} read by ${callerName()}`)
          return get.call(this)
        },
      })
      undo.push(() => void Object.defineProperty(owner, name, native))
    }
  }
  const native = Element.prototype.getBoundingClientRect
  Element.prototype.getBoundingClientRect = function () {
    read.push(`getBoundingClientRect read by ${callerName()}`)
    return native.call(this)
  }
  undo.push(() => {
    Element.prototype.getBoundingClientRect = native
  })

  return {
    take(): string[] {
      const taken = read
      read = []
      return taken
    },
    restore: () => undo.forEach((one) => void one()),
  }
}
