import type { CDPSession } from 'playwright'
import { CLOSING_MS } from '../../src/tools/recorder/findings.ts'
import { type Grown, type Heap, parseHeap, whatGrew } from './heap-snapshot.ts'
import {
  cancelSearch,
  exitToDashboard,
  type Person,
  searchTogether,
  seeEachOther,
  signInThroughPages,
  withPeople,
} from './journey.ts'
import { table } from './summary.ts'

/** Rounds before the first count: what is loaded or made once is there then. */
const WARM_UP = 3

const COUNTED = [
  'RTCPeerConnections',
  'Nodes',
  'JSEventListeners',
  'Documents',
  'WorkerGlobalScopes',
  'ArrayBufferContents',
  'JSHeapUsedSize',
]

export type Leaks = { person: string; counts: { name: string; before: number; after: number }[]; grown: Grown[] }

/** Lets two people meet and part again and again. Resolves with what there is more of at the end than after the first rounds. */
export async function findLeaks(origin: string, rounds: number): Promise<Leaks[]> {
  return await withPeople(origin, ['Ada', 'Bela'], async (people) => {
    await Promise.all(
      people.map(async (person) => {
        await person.page.goto('/')
        await signInThroughPages(person)
      }),
    )
    const watched = await Promise.all(people.map(({ context, page }) => context.newCDPSession(page)))
    async function lookAfter(times: number): Promise<Look[]> {
      await meetAndPart(people, times)
      // The last call is still closing, and its listeners with it.
      await people[0]?.page.waitForTimeout(CLOSING_MS)
      return await Promise.all(watched.map(lookAt))
    }
    const half = Math.ceil(rounds / 2)
    const before = await lookAfter(WARM_UP)
    const middle = await lookAfter(half)
    const after = await lookAfter(rounds - half)
    return people.map(({ name }, index) => leaksOf(name, [before[index], middle[index], after[index]], half))
  })
}

async function meetAndPart(people: readonly Person[], rounds: number): Promise<void> {
  const [leaver, other] = people
  if (!leaver || !other) throw new Error('A call needs two people')
  for (let round = 0; round < rounds; round += 1) {
    await searchTogether(people)
    await seeEachOther(people)
    await exitToDashboard(leaver)
    await other.page.waitForURL('**/buzzing')
    await cancelSearch(other)
  }
}

type Look = { counts: Map<string, number>; heap: Heap }

async function lookAt(devtools: CDPSession): Promise<Look> {
  // What one round frees may hold what only the next can free.
  for (let round = 0; round < 3; round += 1) await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('Performance.enable')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const parts: string[] = []
  const keep = ({ chunk }: { chunk: string }) => void parts.push(chunk)
  devtools.on('HeapProfiler.addHeapSnapshotChunk', keep)
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  devtools.off('HeapProfiler.addHeapSnapshotChunk', keep)
  return { counts: new Map(metrics.map(({ name, value }) => [name, value])), heap: parseHeap(parts.join('')) }
}

function leaksOf(person: string, [before, middle, after]: (Look | undefined)[], half: number): Leaks {
  if (!before || !middle || !after) throw new Error(`Nothing was counted of ${person}`)
  const counts = COUNTED.map((name) => ({
    name,
    before: before.counts.get(name) ?? 0,
    after: after.counts.get(name) ?? 0,
  }))
  return { person, counts, grown: whatGrew([before.heap, middle.heap, after.heap], half) }
}

export function leaksText(leaks: readonly Leaks[], rounds: number): string {
  const lines = [
    `# What ${rounds} searches, calls and exits left behind`,
    '',
    'The counts are of the screen that is shown and of what is left. They go up and down by some dozens without a leak.',
    '',
  ]
  for (const { person, counts, grown } of leaks) {
    lines.push(`## ${person}`, '')
    lines.push(
      ...table(
        ['what', 'before', 'after'],
        counts.map(({ name, before, after }) => [name, String(before), String(after)]),
      ),
      '',
    )
    if (grown.length === 0)
      lines.push('Of no class one object a round of the first half was still there at the end.', '')
    else {
      lines.push(
        'Classes of which one object a round or more was kept, made in the first half and still there at the end,',
      )
      lines.push('with the shortest path from the root to one of them:', '')
      lines.push(
        ...table(
          ['class', 'before', 'after', 'kept', 'path'],
          grown
            .slice(0, 20)
            .map(({ name, before, after, kept, path }) => [name, ...[before, after, kept].map(String), path]),
        ),
        '',
      )
    }
  }
  return lines.join('\n')
}
