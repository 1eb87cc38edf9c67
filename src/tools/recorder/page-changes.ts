import { limits } from './findings.ts'
import type { Tally } from './tally.ts'
import { callerOf, componentOf } from './where.ts'

/** A screen has some hundred nodes: a meter or a clock changes a few of them. */
const NODES_MIN = 50
/** Frames a second from which a change looks like a movement. */
const FRAMES_MIN = 10
const SECOND_MS = 1_000

/** What a script reads of an element's place or size lays the page out, if it was changed before. */
const reads: readonly [object, readonly string[]][] = [
  [HTMLElement.prototype, ['offsetWidth', 'offsetHeight', 'offsetTop', 'offsetLeft']],
  [Element.prototype, ['clientWidth', 'clientHeight', 'scrollWidth', 'scrollHeight', 'scrollTop']],
]

/** Follows, for the lifetime of the page, seconds full of changed nodes, and layouts that scripts force. */
export function followChanges({ storms, layouts }: { storms: Tally; layouts: Tally }): void {
  const storm = createStormCount(storms)
  const forced = createLayoutCount(layouts)
  const observer = new MutationObserver(storm.changed)
  const what = { subtree: true, childList: true, characterData: true, attributes: true }
  observer.observe(document.documentElement, what)

  function read(): void {
    const records = observer.takeRecords()
    if (records.length === 0) return
    storm.changed(records)
    forced.add()
  }
  for (const [owner, names] of reads) for (const name of names) beforeGet(owner, name, read)
  const { getBoundingClientRect } = Element.prototype
  Element.prototype.getBoundingClientRect = function readBox() {
    read()
    return getBoundingClientRect.call(this)
  }
}

function beforeGet(owner: object, name: string, run: () => void): void {
  const property = Object.getOwnPropertyDescriptor(owner, name)
  const get = property?.get
  if (!property || !get) return
  Object.defineProperty(owner, name, {
    ...property,
    get(this: unknown): unknown {
      run()
      return get.call(this)
    },
  })
}

/** Time of the frame, the same for all that runs until the next one. */
const frameNow = () => Number(document.timeline.currentTime ?? 0)

/** A frame is counted when the next one forces a layout. */
export function createLayoutCount(tally: Tally, frameAt = frameNow) {
  let frame = { at: -1, layouts: 0, where: '' }
  return {
    add(): void {
      const at = frameAt()
      if (at !== frame.at) {
        if (frame.where !== '') tally.add(frame.where, frame.layouts)
        frame = { at, layouts: 0, where: '' }
      }
      frame.layouts += 1
      if (frame.layouts > limits['layout-thrash'].most) frame.where ||= callerOf(new Error('read'))
    },
  }
}

export function createStormCount(tally: Tally, frameAt = frameNow) {
  let frame = { at: -1, nodes: 0 }
  let second = { at: -1, frames: 0, where: '' }
  let seconds = 0

  function endSecond(now: number): void {
    seconds = second.frames >= FRAMES_MIN ? seconds + 1 : 0
    if (seconds > limits['render-storm'].most) tally.add(second.where, seconds)
    // A second without a change ends the row.
    if (now > second.at + 1) seconds = 0
    second = { at: now, frames: 0, where: '' }
  }

  return {
    changed(records: readonly MutationRecord[]): void {
      const at = frameAt()
      const now = Math.floor(at / SECOND_MS)
      if (now !== second.at) endSecond(now)
      if (at !== frame.at) frame = { at, nodes: 0 }
      const before = frame.nodes
      for (const { addedNodes, removedNodes } of records)
        frame.nodes += Math.max(1, addedNodes.length + removedNodes.length)
      if (before >= NODES_MIN || frame.nodes < NODES_MIN) return
      second.frames += 1
      second.where ||= componentOf(records.at(-1)?.target ?? null)
    },
  }
}
