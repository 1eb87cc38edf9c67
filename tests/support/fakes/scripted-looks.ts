import type { PictureLooks } from '../../../src/curtain/ports.ts'

/** Looks whose results the test sets. `flags` are the labels of the videos that are flagged. */
export function scriptedLooks() {
  const script = {
    flags: new Set<string>(),
    /** The outcome of the start. */
    start: async () => ({ model: 'scripted-1', firstLookMs: 50 }),
    /** Whether the videos have a picture. */
    hasPicture: true,
    /** Called before each look, which waits for it. */
    beforeLook: async () => {},
    /** Labels of the videos that were looked at. */
    looked: [] as string[],
    /** Workers that run. */
    running: 0,
    starts: 0,
  }
  const looks: PictureLooks<HTMLVideoElement> = {
    async start() {
      script.starts += 1
      script.running = 1
      return script.start()
    },
    async look(video) {
      const label = video.getAttribute('aria-label') ?? ''
      script.looked.push(label)
      await script.beforeLook()
      if (!script.hasPicture) return null
      const flagged = script.flags.has(label)
      return { flagged, score: Number(flagged), state: null }
    },
    keepLooking: async () => null,
    interrupt() {},
    stop() {
      script.running = 0
    },
  }
  return { script, looks }
}
