import type { Sound } from '../domain/ports.ts'

type Note = { hertz: number; at: number; seconds: number }

/** A fifth up for somebody who was found, one short note for something written. */
const tunes: Record<Sound, Note[]> = {
  match: [
    { hertz: 523.25, at: 0, seconds: 0.18 },
    { hertz: 783.99, at: 0.16, seconds: 0.32 },
  ],
  message: [{ hertz: 659.25, at: 0, seconds: 0.16 }],
}

const VOLUME = 0.12
const ATTACK_SECONDS = 0.015
/** What an exponential fade counts as silence. */
const SILENCE = 0.0001

/** The longest tune has faded by then. */
const CLOSE_AFTER_MS = 1_000

/** Plays a tune; nothing is heard where the browser lets no sound out before the page was touched. */
export function playSound(sound: Sound): void {
  const context = new AudioContext()
  for (const note of tunes[sound]) playNote(context, note)
  setTimeout(() => void context.close(), CLOSE_AFTER_MS)
}

function playNote(context: AudioContext, { hertz, at, seconds }: Note): void {
  const start = context.currentTime + at
  const loudness = new GainNode(context, { gain: 0 })
  loudness.gain.setValueAtTime(SILENCE, start)
  loudness.gain.exponentialRampToValueAtTime(VOLUME, start + ATTACK_SECONDS)
  loudness.gain.exponentialRampToValueAtTime(SILENCE, start + seconds)
  const tone = new OscillatorNode(context, { frequency: hertz, type: 'triangle' })
  tone.connect(loudness).connect(context.destination)
  tone.start(start)
  tone.stop(start + seconds)
}
