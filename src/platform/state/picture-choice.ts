import { computed } from '@preact/signals-react'
import { pictureChoices, presetChoice, savesData } from '../rules/picture-choice.ts'
import { createRememberedChoice, type RememberingPorts } from './remembered-choice.ts'

export type PictureChoiceStore = ReturnType<typeof createPictureChoice>

/** The user's choice between a good picture and little data, preset by what browser and system ask for. */
export function createPictureChoice(ports: RememberingPorts & { wantsLessData: () => boolean }) {
  const preset = presetChoice(ports.wantsLessData())
  const { choice, restore, forget, choose } = createRememberedChoice(ports, 'pictureChoice', pictureChoices, preset)
  /** The last choice with a picture, to which the user can return from sound only. */
  let withPicture = preset
  choice.subscribe((now) => {
    if (now !== 'sound') withPicture = now
  })

  return {
    choice,
    /** True while nothing may be prepared or loaded ahead of need. */
    isSaver: computed(() => savesData(choice.value)),
    /** Reads the stored choice; the preset if no choice is stored. Never rejects. */
    restore,
    forget,
    choose,
    /** Leaves the choice `sound`, and restores the last choice with a picture. */
    choosePicture: () => choose(withPicture),
  }
}
