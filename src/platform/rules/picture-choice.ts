/** What a user chooses between a good picture and little data. `sound` is sound only: no picture is sent or wanted. */
export const pictureChoices = ['best', 'balanced', 'saver', 'sound'] as const
export type PictureChoice = (typeof pictureChoices)[number]

/** True if the page also loads nothing ahead of need. */
export function savesData(choice: PictureChoice): boolean {
  return choice === 'saver' || choice === 'sound'
}

/** The choice until the user makes a choice. `wantsLessData`: the browser or the system asks pages for little data. */
export function presetChoice(wantsLessData: boolean): PictureChoice {
  return wantsLessData ? 'saver' : 'best'
}
