/**
 * Counts which components React has run, by name. React looks for this hook when its module is first loaded, so a test file
 * imports this one before any other.
 */

type Fiber = { type: unknown; flags: number; alternate: Fiber | null; child: Fiber | null; sibling: Fiber | null }

/** React sets it on what it has called in this pass, and leaves what it has skipped without. */
const PERFORMED_WORK = 1

let runs = new Map<string, number>()

function count({ type }: Fiber): void {
  const inner = typeof type === 'object' && type !== null && 'type' in type ? type.type : type
  // The text that a signal in JSX stands for is a component of its own, and nothing but that text.
  if (typeof inner !== 'function' || inner.name === 'value') return
  runs.set(inner.name, (runs.get(inner.name) ?? 0) + 1)
}

/** A fiber that was not touched is the same object as before, and so is all below it. */
function visit(fiber: Fiber | null, before: ReadonlySet<Fiber>): void {
  for (let next = fiber; next; next = next.sibling) {
    if (before.has(next)) continue
    if (next.flags & PERFORMED_WORK) count(next)
    const old = new Set<Fiber>()
    for (let child = next.alternate?.child ?? null; child; child = child.sibling) old.add(child)
    visit(next.child, old)
  }
}

Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    checkDCE() {},
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    onCommitFiberRoot(_renderer: number, root: { current: Fiber }) {
      visit(root.current, new Set())
    },
  },
})

/** What has run since this was last asked: names of components, and how often each. */
export function takeRuns(): Record<string, number> {
  const taken = Object.fromEntries(runs)
  runs = new Map()
  return taken
}
