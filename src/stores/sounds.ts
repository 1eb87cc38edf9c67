import type { Log, PlaySound, Sound, Storage } from '../domain/ports.ts'
import { createRememberedSwitch } from './remembered-switch.ts'

export type SoundStore = ReturnType<typeof createSoundStore>

/** Short tones for what somebody who looks away would miss; off until they are wanted. */
export function createSoundStore(ports: { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log; play: PlaySound }) {
  const { on, restore, choose } = createRememberedSwitch(ports, 'sounds')

  /** A browser that is out of players is no reason to stop what the sound goes with. */
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
    /** Turned on, it says what it sounds like. */
    choose(next: boolean): void {
      choose(next)
      if (next) play('message')
    },
    play(sound: Sound): void {
      if (on.peek()) play(sound)
    },
  }
}
