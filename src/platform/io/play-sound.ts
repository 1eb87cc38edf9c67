import type { Sound } from '../ports.ts'

type Note = { hertz: number; at: number; seconds: number }

/** The notes of the sounds: a rising fifth for a match, one short note for a message. */
const tunes: Record<Sound, Note[]> = {
  match: [
    { hertz: 523.25, at: 0, seconds: 0.18 },
    { hertz: 783.99, at: 0.16, seconds: 0.32 },
  ],
  message: [{ hertz: 659.25, at: 0, seconds: 0.16 }],
}

const VOLUME = 0.12
const ATTACK_SECONDS = 0.015
/** Target of the exponential fade, which cannot reach 0. */
const SILENCE = 0.0001

/** Time after which the audio context is closed, longer than the longest tune. */
const CLOSE_AFTER_MS = 1_000

/** Plays a tune. Returns a function that ends it. Silent if the browser allows no sound before an interaction. */
export function playSound(sound: Sound): () => void {
  const context = new AudioContext()
  for (const note of tunes[sound]) playNote(context, note)
  const timer = setTimeout(close, CLOSE_AFTER_MS)

  function close(): void {
    clearTimeout(timer)
    if (context.state !== 'closed') void context.close()
  }
  return close
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
