import { fileOf, safeLabel } from './safe-label.ts'

/** Names of components from the outside in, at most. */
const COMPONENTS_MAX = 3
/** React's own mark of an element; there is no public one. */
const FIBER = '__reactFiber$'

type Fiber = { type?: unknown; return?: Fiber | null }

/** Returns the components that drew the node, such as "Chat > Line"; without React the element's name. */
export function componentOf(node: Node | null): string {
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  if (!element) return '?'
  const key = Object.keys(element).find((name) => name.startsWith(FIBER))
  const names: string[] = []
  let fiber: Fiber | null | undefined = key ? (element as unknown as Record<string, Fiber>)[key] : null
  while (fiber && names.length < COMPONENTS_MAX) {
    if (typeof fiber.type === 'function' && fiber.type.name !== '') names.unshift(fiber.type.name)
    fiber = fiber.return
  }
  return safeLabel(names.join(' > ') || element.localName)
}

/** Chromium: "at name (address:1:2)" or "at address:1:2"; Firefox and Safari: "name@address:1:2". */
const LINE = /^\s*(?:at (?:(.+?) \()?|(.*?)@)(\S+?):(\d+):(\d+)\)?$/

/** Returns function, file and position of the first line of the stack that is of another file than the stack's first. */
export function callerOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').flatMap((line) => {
    const [, name, other, address = '', row, column] = LINE.exec(line) ?? []
    return address ? [{ name: name ?? other ?? '', file: fileOf(address), place: `${row}:${column}` }] : []
  })
  const caller = lines.find(({ file }) => file !== lines[0]?.file) ?? lines.at(-1)
  return caller ? `${safeLabel(caller.name)} ${caller.file}:${caller.place}`.trim() : '?'
}
