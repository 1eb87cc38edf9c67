import { expect, onTestFinished, test, vi } from 'vitest'
import { playSound } from '../../../src/platform/io/play-sound.ts'

test.each(['match', 'message'] as const)(
  'the tune of a %s is played, and its audio context is closed',
  async (sound) => {
    const made: AudioContext[] = []
    const Real = AudioContext
    vi.stubGlobal(
      'AudioContext',
      class extends Real {
        constructor() {
          super()
          made.push(this)
        }
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    const started = vi.spyOn(OscillatorNode.prototype, 'start')
    playSound(sound)
    expect(started).toHaveBeenCalledTimes(sound === 'match' ? 2 : 1)
    started.mockRestore()
    await expect.poll(() => made.map(({ state }) => state)).toEqual(['closed'])
  },
)
