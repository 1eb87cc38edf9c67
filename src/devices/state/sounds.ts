import type { Log } from '../../platform/log.ts'
import type { PlaySound, Sound, Storage } from '../../platform/ports.ts'
import { createRememberedSwitch } from '../../platform/state/remembered-choice.ts'

export type SoundStore = ReturnType<typeof createSoundStore>

/** Short tones for a found match and a new message; off by default. */
export function createSoundStore(ports: { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log; play: PlaySound }) {
  const { on, restore, forget, choose } = createRememberedSwitch(ports, 'sounds')

  /** A sound that cannot be played must not break the event that it belongs to. */
  function play(sound: Sound): void {
    try {
      ports.play(sound)
    } catch (thrown) {
      ports.log.error('A sound could not be played', thrown)
    }
  }

  return {
    on,
    restore,
    forget,
    /** Turns the sounds on or off; plays one when they are turned on. */
    choose(next: boolean): void {
      choose(next)
      if (next) play('message')
    },
    play(sound: Sound): void {
      if (on.peek()) play(sound)
    },
  }
}
