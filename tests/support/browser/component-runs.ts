/**
 * Counts the renders of each component by name. React looks for this hook when its module is loaded, so a test file must import
 * this one before any other.
 */

type Fiber = { type: unknown; flags: number; alternate: Fiber | null; child: Fiber | null; sibling: Fiber | null }

/** React's flag of a fiber that it rendered in this pass; skipped fibers do not have it. */
const PERFORMED_WORK = 1

let runs = new Map<string, number>()

function count({ type }: Fiber): void {
  const inner = typeof type === 'object' && type !== null && 'type' in type ? type.type : type
  // A signal in JSX is a component of its own that renders only its text.
  if (typeof inner !== 'function' || inner.name === 'LiveText') return
  runs.set(inner.name, (runs.get(inner.name) ?? 0) + 1)
}

/** Skips a fiber that is the same object as before, since its subtree has not changed either. */
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

/** Returns the number of renders by component since the last call. */
export function takeRuns(): Record<string, number> {
  const taken = Object.fromEntries(runs)
  runs = new Map()
  return taken
}
