/** Frames of a stack that are not of the product. */
const FOREIGN = /\/support\/browser\/|node_modules|\/deps\//

/** Returns the function and file of the product that called this, such as 'useWakeLock (src/call/screens/call-page.tsx:25:5)'. */
export function callerName(): string {
  const frames = (new Error('caller').stack ?? '').split('\n').slice(1)
  const own = frames.find((frame) => !FOREIGN.test(frame)) ?? 'a library'
  return own
    .trim()
    .replace(/^at /, '')
    .replace(/https?:\/\/[^/]+\//, '')
    .replace(/\?[^:)]*/, '')
}
