/** What a user chooses between a good picture and little data. With `sound` no picture is sent or received. */
export const pictureChoices = ['best', 'balanced', 'saver', 'sound'] as const
export type PictureChoice = (typeof pictureChoices)[number]

/** True if the choice is one of the data saver: the page then loads nothing ahead of need. */
export function savesData(choice: PictureChoice): boolean {
  return choice === 'saver' || choice === 'sound'
}

/** The choice until the user makes a choice. `wantsLessData`: the browser or the system asks pages for little data. */
export function presetChoice(wantsLessData: boolean): PictureChoice {
  return wantsLessData ? 'saver' : 'best'
}
