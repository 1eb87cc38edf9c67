export type FriendlyText = { title: string; message: string }

/** What a person reads when the application itself failed; one of them is picked at random. */
export const friendlyTexts: readonly [FriendlyText, ...FriendlyText[]] = [
  { title: 'Server is taking a break', message: 'It will be back shortly. Give it a moment and try again.' },
  { title: 'Page lost its way', message: 'We could not put this page together. Starting again usually finds it.' },
  {
    title: 'Connection hit pause',
    message: 'Something stopped between you and us. Check your connection and try again.',
  },
  { title: 'This page took a nap', message: 'It did not wake up in time. A fresh start will do.' },
  { title: 'The internet sneezed', message: 'Part of what we sent got lost on the way. Please try again.' },
  { title: 'We dropped the thread', message: 'We lost track of what you were doing. Start again from the first page.' },
  { title: 'The wires got crossed', message: 'Two things happened at once and neither finished. Please try again.' },
  { title: 'That did not go to plan', message: 'The fault is ours, and nothing that you entered was shared.' },
  { title: 'A gear slipped', message: 'One step failed, so we stopped here. Please try again.' },
  { title: 'We lost our place', message: 'This page no longer knows where it was. A new start puts it right.' },
]
