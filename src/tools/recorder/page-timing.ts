import { onINP } from 'web-vitals/attribution'
import { replacedIn } from './alive.ts'
import { limits } from './findings.ts'
import { createRing, type Ring } from './ring.ts'
import { fileOf, safeInvoker, safeLabel } from './safe-label.ts'
import type { Tally } from './tally.ts'

/** Times in ms. */
export type Interaction = {
  at: number
  kind: string
  target: string
  ms: number
  inputDelay: number
  processing: number
  presentationDelay: number
}
/** The interaction that INP is about; `script` is the function that took longest, empty if it is not known. */
export type Inp = Omit<Interaction, 'at'> & { rating: 'good' | 'needs-improvement' | 'poor'; script: string }
export type LongFrame = {
  at: number
  ms: number
  blockingMs: number
  scripts: { name: string; file: string; ms: number }[]
}
export type LoadedFile = { file: string; at: number; ms: number; bytes: number }

const KEPT = 50
const FILES_MAX = 200
/** The shortest duration that the browser reports. */
const INTERACTION_MIN_MS = 16

type EventTiming = PerformanceEventTiming & { interactionId?: number }
type ScriptTiming = PerformanceEntry & {
  invokerType: string
  invoker: string
  sourceFunctionName: string
  sourceURL: string
  sourceCharPosition: number
}
type AnimationFrameTiming = PerformanceEntry & { blockingDuration: number; scripts: ScriptTiming[] }

/**
 * Observes interactions and long animation frames, where the browser reports them, from now on, after those of the page before. `tasks`
 * takes the scripts of long frames that took too long.
 */
export function followPageTiming(
  tasks: Tally,
  earlier: { interactions: readonly Interaction[]; longFrames: readonly LongFrame[] },
) {
  const interactions = createRing<Interaction>(KEPT)
  const frames = createRing<LongFrame>(KEPT)
  earlier.interactions.forEach(interactions.add)
  earlier.longFrames.forEach(frames.add)
  let inp: Inp | null = null

  onINP(
    ({ value, rating, attribution }) => {
      const { interactionType, interactionTarget, inputDelay, processingDuration, presentationDelay } = attribution
      const script = attribution.longestScript?.entry
      inp = {
        kind: interactionType ?? '',
        target: safeLabel(interactionTarget ?? ''),
        ms: value,
        inputDelay,
        processing: processingDuration,
        presentationDelay,
        rating,
        script: script ? safeLabel(`${script.sourceFunctionName} ${fileOf(script.sourceURL)}`.trim()) : '',
      }
    },
    { reportAllChanges: true },
  )
  const keepInteraction = keepInteractions(interactions)
  observe({ type: 'event', durationThreshold: INTERACTION_MIN_MS }, (entry) => keepInteraction(entry as EventTiming))
  observe({ type: 'long-animation-frame', buffered: true }, (entry) =>
    keepFrame(frames, tasks, entry as AnimationFrameTiming),
  )

  return {
    inp: () => inp,
    interactions: interactions.items,
    longFrames: frames.items,
  }
}

/** Returns a function that keeps one row of each interaction, of the longest of its events: a press is a pointerdown, a pointerup and a click. */
export function keepInteractions(ring: Ring<Interaction>): (entry: EventTiming) => void {
  let last: { id: number; row: Interaction } | null = null
  return (entry) => {
    // Pointer moves and the like are no interactions.
    if (!entry.interactionId) return
    const row = {
      at: entry.startTime,
      kind: entry.name,
      // The element may be gone when the browser reports the event.
      target: entry.target instanceof Element ? entry.target.localName : '',
      ms: entry.duration,
      inputDelay: entry.processingStart - entry.startTime,
      processing: entry.processingEnd - entry.processingStart,
      presentationDelay: Math.max(0, entry.startTime + entry.duration - entry.processingEnd),
    }
    if (last?.id !== entry.interactionId) {
      last = { id: entry.interactionId, row }
      ring.add(row)
    } else if (row.ms >= last.row.ms) Object.assign(last.row, row, { target: row.target || last.row.target })
  }
}

function keepFrame(
  ring: Ring<LongFrame>,
  tasks: Tally,
  { startTime, duration, blockingDuration, scripts }: AnimationFrameTiming,
): void {
  ring.add({
    at: startTime,
    ms: duration,
    blockingMs: blockingDuration,
    scripts: scripts.map((script) => ({ ...scriptOf(script), ms: script.duration })),
  })
  for (const script of scripts) {
    // Without an address it is the browser's or an extension's.
    if (fileOf(script.sourceURL) === '' || script.duration <= limits['page-task'].most) continue
    const { name, file } = scriptOf(script)
    tasks.add(safeLabel(file === '' ? name : `${name} ${file}:${script.sourceCharPosition}`), script.duration)
  }
}

/** Returns the name of a script in a long frame and its file. */
export function scriptOf({
  sourceFunctionName,
  invoker,
  invokerType,
  sourceURL,
}: Pick<ScriptTiming, 'sourceFunctionName' | 'invoker' | 'invokerType' | 'sourceURL'>): { name: string; file: string } {
  const file = fileOf(sourceURL)
  // The browser names the file that asked for a promise, not what follows it. That file only passes the caller's question on.
  const isPassedOn = invokerType.endsWith('-promise') && file === replacedIn
  return {
    name: safeLabel(sourceFunctionName || safeInvoker(invoker) || invokerType),
    file: isPassedOn ? '' : file,
  }
}

function observe(
  options: PerformanceObserverInit & { durationThreshold?: number },
  take: (entry: PerformanceEntry) => void,
): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(options.type ?? '')) return
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe(options)
}

/** The scripts and styles that this page has loaded. */
export function filesLoaded(): LoadedFile[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries
    .map(({ name, startTime, duration, transferSize }) => ({
      file: fileOf(name),
      at: startTime,
      ms: duration,
      bytes: transferSize,
    }))
    .filter(({ file }) => /\.(?:js|css|tsx?)$/.test(file))
    .slice(-FILES_MAX)
}
