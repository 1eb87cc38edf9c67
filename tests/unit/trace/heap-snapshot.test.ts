import { expect, it } from 'vitest'
import { parseHeap, whatGrew } from '../../trace/heap-snapshot.ts'

type Made = { type: string; name: string; id: number; edges?: [type: string, name: string, to: number][] }

const NODE_TYPES = ['hidden', 'object', 'native', 'string', 'synthetic']
const EDGE_TYPES = ['property', 'element', 'weak']

/** Writes a snapshot as the browser does; `to` counts nodes. */
function heapOf(made: readonly Made[]) {
  const strings: string[] = []
  const text = (value: string) => strings.push(value) - 1
  const nodes = made.flatMap(({ type, name, id, edges = [] }) => [
    NODE_TYPES.indexOf(type),
    text(name),
    id,
    edges.length,
  ])
  const edges = made.flatMap(({ edges = [] }) =>
    edges.flatMap(([type, name, to]) => [
      EDGE_TYPES.indexOf(type),
      type === 'element' ? Number(name) : text(name),
      to * 4,
    ]),
  )
  const meta = {
    node_fields: ['type', 'name', 'id', 'edge_count'],
    node_types: [NODE_TYPES, 'string', 'number', 'number'],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [EDGE_TYPES, 'string_or_number', 'node'],
  }
  return parseHeap(JSON.stringify({ snapshot: { meta }, nodes, edges, strings }))
}

const root = (edges: Made['edges']): Made => ({ type: 'synthetic', name: '', id: 1, ...(edges && { edges }) })
const peer = (id: number): Made => ({ type: 'native', name: 'RTCPeerConnection', id })

it('names the classes of which objects are kept, with what keeps one of them alive', () => {
  const [atStart, kept, alsoKept, ofTheScreen] = [5, 9, 11, 13]
  const window: Made = { type: 'object', name: 'Window', id: 3 }
  const before = heapOf([root([['property', 'window', 1]]), window, peer(atStart)])
  const middle = heapOf([root([]), peer(atStart), peer(kept), peer(alsoKept), peer(21), peer(23)])
  const after = heapOf([
    root([
      ['weak', 'all', 4],
      ['property', '5 / DevTools console', 4],
      ['property', 'screen', 6],
      ['property', 'window', 1],
    ]),
    { ...window, edges: [['property', 'calls', 2]] },
    {
      type: 'object',
      name: 'Array',
      id: 7,
      edges: [
        ['element', '0', 3],
        ['element', '1', 4],
      ],
    },
    peer(atStart),
    peer(kept),
    peer(alsoKept),
    peer(ofTheScreen),
    { type: 'native', name: 'blink::ComputedStyle', id: 21 },
    { type: 'native', name: 'blink::ComputedStyle', id: 23 },
    { type: 'string', name: 'a', id: 15 },
  ])
  expect(whatGrew([before, middle, after], 2)).toEqual([
    {
      name: 'RTCPeerConnection',
      before: 1,
      after: 4,
      kept: 2,
      path: 'window: Window > calls: Array > [1]: RTCPeerConnection',
    },
  ])
  expect(whatGrew([before, middle, after], 3)).toEqual([])
})
