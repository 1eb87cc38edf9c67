import * as v from 'valibot'

const snapshotSchema = v.object({
  snapshot: v.object({
    meta: v.object({
      node_fields: v.array(v.string()),
      node_types: v.tupleWithRest([v.array(v.string())], v.unknown()),
      edge_fields: v.array(v.string()),
      edge_types: v.tupleWithRest([v.array(v.string())], v.unknown()),
    }),
  }),
  // Millions of numbers that the browser wrote are not looked at one by one.
  nodes: v.custom<number[]>(Array.isArray),
  edges: v.custom<number[]>(Array.isArray),
  strings: v.custom<string[]>(Array.isArray),
})

type HeapNode = { type: string; name: string; id: number; edges: number; firstEdge: number }
export type Heap = { nodes: HeapNode[]; edgesOf(node: HeapNode): { type: string; name: string; to: number }[] }

/** Classes of objects that grow by something a script keeps; the rest, such as strings and code, belong to them or to the engine. */
const COUNTED = new Set(['object', 'native', 'closure'])

/** What the engine, the timeline of the browser and the tool itself make; none of it is the product's to free. */
const INTERNAL =
  /^(?:blink::|system \/|cppgc|Performance|TaskAttribution|LayoutShift|DOMRectReadOnly|LargestContentfulPaint|InteractionContentfulPaint)/
const TOOL = 'DevTools console'

export function parseHeap(text: string): Heap {
  const { snapshot, nodes: flat, edges, strings } = v.parse(snapshotSchema, JSON.parse(text))
  const { node_fields: fields, edge_fields: edgeFields } = snapshot.meta
  const [nodeTypes] = snapshot.meta.node_types
  const [edgeTypes] = snapshot.meta.edge_types
  const at = (index: number, name: string) => flat[index + fields.indexOf(name)] ?? 0
  const nodes: HeapNode[] = []
  let firstEdge = 0
  for (let index = 0; index < flat.length; index += fields.length) {
    const count = at(index, 'edge_count')
    const type = nodeTypes[at(index, 'type')] ?? ''
    nodes.push({ type, name: strings[at(index, 'name')] ?? '', id: at(index, 'id'), edges: count, firstEdge })
    firstEdge += count * edgeFields.length
  }
  return {
    nodes,
    edgesOf({ edges: count, firstEdge: from }) {
      return Array.from({ length: count }, (_, index) => {
        const edge = from + index * edgeFields.length
        const type = edgeTypes[edges[edge + edgeFields.indexOf('type')] ?? 0] ?? ''
        const name = edges[edge + edgeFields.indexOf('name_or_index')] ?? 0
        const isIndex = type === 'element' || type === 'hidden'
        const to = (edges[edge + edgeFields.indexOf('to_node')] ?? 0) / fields.length
        return { type, name: isIndex ? `[${name}]` : (strings[name] ?? ''), to }
      })
    },
  }
}

/** `kept` objects of a class were made in the first half of the rounds, and are still there after the second. */
export type Grown = { name: string; before: number; after: number; kept: number; path: string }

/**
 * The classes of which at least `least` objects were made between `before` and `middle` and are still there `after`, with the shortest
 * path that keeps one of them alive. What a screen has for as long as it is shown is made anew each time, and is not among them.
 */
export function whatGrew([before, middle, after]: readonly [Heap, Heap, Heap], least: number): Grown[] {
  const old = new Set(before.nodes.map(({ id }) => id))
  const survivors = new Set(middle.nodes.map(({ id }) => id))
  const isKept = ({ id }: HeapNode) => survivors.has(id) && !old.has(id)
  const [first, last] = [countsOf(before), countsOf(after)]
  const grown = [...countsOf({ ...after, nodes: after.nodes.filter(isKept) })]
    .filter(([, kept]) => kept >= least)
    .map(([name, kept]) => ({ name, before: first.get(name) ?? 0, after: last.get(name) ?? 0, kept }))
    .sort((one, other) => other.kept - one.kept)
  const paths = keptPaths(after, isKept, new Set(grown.map(({ name }) => name)))
  return grown.map((row) => ({ ...row, path: paths.get(row.name) ?? 'not reachable: kept by the browser itself' }))
}

function countsOf({ nodes }: Heap): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { type, name } of nodes)
    if (COUNTED.has(type) && !INTERNAL.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Walks from the root, nearest objects first, along everything that keeps an object alive. */
function keptPaths(
  { nodes, edgesOf }: Heap,
  isKept: (node: HeapNode) => boolean,
  wanted: ReadonlySet<string>,
): Map<string, string> {
  const from = new Map<number, { node: number; edge: string }>()
  const seen = new Set([0])
  const paths = new Map<string, string>()
  const queue = [0]
  for (const index of queue) {
    const node = nodes[index]
    if (!node) continue
    if (wanted.has(node.name) && COUNTED.has(node.type) && isKept(node) && !paths.has(node.name))
      paths.set(node.name, pathTo(index, from, nodes))
    if (paths.size === wanted.size) break
    for (const { type, name, to } of edgesOf(node)) {
      if (type === 'weak' || name.includes(TOOL) || seen.has(to)) continue
      seen.add(to)
      from.set(to, { node: index, edge: name })
      queue.push(to)
    }
  }
  return paths
}

function pathTo(
  index: number,
  from: ReadonlyMap<number, { node: number; edge: string }>,
  nodes: readonly HeapNode[],
): string {
  const steps: string[] = []
  for (let step = from.get(index), at = index; step; at = step.node, step = from.get(at))
    steps.unshift(`${step.edge}: ${nodes[at]?.name.slice(0, 40)}`)
  return steps.join(' > ')
}
