import type { Log } from '../../platform/log.ts'
import type { PlaySound, Sound, Storage } from '../../platform/ports.ts'
import { createRememberedSwitch } from '../../platform/state/remembered-choice.ts'

export type SoundStore = ReturnType<typeof createSoundStore>

/** Short sounds for a match and for a new message; off by default. */
export function createSoundStore(ports: { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log; play: PlaySound }) {
  const { on, restore, forget, choose } = createRememberedSwitch(ports, 'sounds')

  /** Plays a sound. A sound that cannot be played must not break the handling of its event. */
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
    /** Switches the sounds on or off, and plays one when they are switched on. */
    choose(next: boolean): void {
      choose(next)
      if (next) play('message')
    },
    play(sound: Sound): void {
      if (on.peek()) play(sound)
    },
  }
}
