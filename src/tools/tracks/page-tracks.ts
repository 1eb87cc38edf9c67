import { span } from '#workers/trace.ts'

/** A script in a performance entry of type `long-animation-frame`, for which TypeScript has no types. */
type FrameScript = {
  startTime: number
  duration: number
  /** How the script was called: `user-callback`, `event-listener`, `resolve-promise`, `classic-script` ... */
  invokerType: string
  /** Name of the caller. For a script it is an address; for an image without an id it contains one. */
  invoker: string
  sourceURL: string
  sourceFunctionName: string
  /** Negative if unknown. */
  sourceCharPosition: number
  forcedStyleAndLayoutDuration: number
}
export type LongFrame = {
  startTime: number
  duration: number
  blockingDuration: number
  /** 0 if the frame was not rendered. */
  styleAndLayoutStart: number
  scripts: readonly FrameScript[]
}

const TYPE = 'long-animation-frame'
const FUNCTION = /^[\w$.<>#]+$/

/** Draws long animation frames, also earlier ones. Does nothing in a browser that does not report them. */
export function followLongFrames(origin: string): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(TYPE)) return
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) drawLongFrame(entry as unknown as LongFrame, origin)
  }).observe({ type: TYPE, buffered: true })
}

export function drawLongFrame(frame: LongFrame, origin: string): void {
  const { startTime, duration, blockingDuration, styleAndLayoutStart, scripts } = frame
  const end = startTime + duration
  const label = `frame ${Math.round(duration)} ms, blocking ${Math.round(blockingDuration)} ms`
  span('Long frames', label, startTime, end, blockingDuration > 0 ? 'error' : 'primary')
  for (const script of scripts) {
    span('Long frames', scriptLabel(script, origin), script.startTime, script.startTime + script.duration)
  }
  if (styleAndLayoutStart > 0) span('Long frames', 'style and layout', styleAndLayoutStart, end, 'primary-dark')
}

function scriptLabel(script: FrameScript, origin: string): string {
  const { invokerType, invoker, sourceFunctionName } = script
  const by = safeInvoker(invoker)
  const name = by === '' ? invokerType : `${invokerType} ${by}`
  const called = FUNCTION.test(sourceFunctionName) ? `: ${sourceFunctionName}` : ''
  const forced = Math.round(script.forcedStyleAndLayoutDuration)
  return `${name}${called} in ${place(script, origin)}${forced > 0 ? `, forced layout ${forced} ms` : ''}`
}

function place({ sourceURL, sourceCharPosition }: FrameScript, origin: string): string {
  const file = scriptName(sourceURL, origin) ?? 'no script of ours'
  return sourceCharPosition < 0 ? file : `${file}:${sourceCharPosition}`
}

/** Matches `Window.onmessage`, `BUTTON.onclick`, `TimerHandler:setTimeout`, `RTCPeerConnection.getStats.then`. */
const invokerName = /^[A-Za-z]\w*(?:[.:][A-Za-z]\w*)*$/

/** Returns the caller of a script of a long frame, without ids and addresses; empty if nothing is left. */
function safeInvoker(invoker: string): string {
  const name = invoker.replace(/#[^.[\]]*|\[.*\]/g, '')
  return invokerName.test(name) ? name : ''
}

type Loaded = Pick<PerformanceResourceTiming, 'name' | 'startTime' | 'responseEnd' | 'transferSize' | 'encodedBodySize'>

const KB = 1_024

/** Draws the load of each script, also of those loaded before this call. */
export function followChunks(origin: string): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) drawChunk(entry, origin)
  }).observe({ type: 'resource', buffered: true })
}

export function drawChunk(
  { name, startTime, responseEnd, transferSize, encodedBodySize }: Loaded,
  origin: string,
): void {
  const script = scriptName(name, origin)
  if (script === null) return
  // A body comes from a cache if nothing was transferred.
  const from = transferSize === 0 && encodedBodySize > 0 ? ', cache' : ''
  span('Chunks', `${script}, ${(encodedBodySize / KB).toFixed(1)} KB${from}`, startTime, responseEnd)
}

const SCRIPT = /^\/(?:[^?#]*\/)?([\w.-]+\.(?:m?js|tsx?))(?:[?#]|$)/

/** Returns the file name of a script of this site; null for others, because an address may contain a token. */
function scriptName(address: string, origin: string): string | null {
  if (!address.startsWith(`${origin}/`)) return null
  return SCRIPT.exec(address.slice(origin.length))?.[1] ?? null
}
