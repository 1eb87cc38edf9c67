/** Texts that the first screen may need, for errors too. They have no placeholders, which would need more code. */
export const texts = {
  'first.slogan': 'Connect, explore, find your people.',
  'first.purpose': 'Anonymous one-to-one video chat for adults.',
  'first.loading': 'Loading',
  'first.offline': 'You are offline. We go on as soon as your network is back.',
  'first.outdated': 'Waggle has a newer version.',
  'first.outdated.text': 'Part of the old one is no longer there. Reload the page to go on.',
  'first.reload': 'Reload',
  'first.close-message': 'Close message',
  'first.try-again': 'Try again !',
  'first.back': 'Back',
  'first.service-status': 'See what works now',
  'first.app.title': 'Download Android app',
  'first.app.text': 'Experience better video calls and enhanced features on our mobile app',
  'first.app.continue': 'Continue on Web',
  'first.app.download': 'Download',
  'first.failure.title': 'Oops! Something went wrong.',
  'first.failure.300':
    'Error <code/>: Unable to connect to our services. Please check your internet connection and try again.',
  'first.failure.302':
    'Error <code/>: Connection problem detected. Please check your internet connection and try again.',
  'first.failure.303': 'Error <code/>: The request is taking longer than expected. Please try again.',
  'first.failure.309': "Error <code/>: We're experiencing technical difficulties. Please try again in a few moments.",
  'first.failure.310': 'Error <code/>: We received an unexpected response. Please try again.',
  'first.failure.400':
    'Error <code/>: Something went wrong. Please try again or contact support if the problem persists.',
  'first.friendly.0.title': 'Server is taking a break',
  'first.friendly.0.text': 'It will be back shortly. Give it a moment and try again.',
  'first.friendly.1.title': 'Page lost its way',
  'first.friendly.1.text': 'We could not put this page together. Starting again usually finds it.',
  'first.friendly.2.title': 'Connection hit pause',
  'first.friendly.2.text': 'Something stopped between you and us. Check your connection and try again.',
  'first.friendly.3.title': 'This page took a nap',
  'first.friendly.3.text': 'It did not wake up in time. A fresh start will do.',
  'first.friendly.4.title': 'The internet sneezed',
  'first.friendly.4.text': 'Part of what we sent got lost on the way. Please try again.',
  'first.friendly.5.title': 'We dropped the thread',
  'first.friendly.5.text': 'We lost track of what you were doing. Start again from the first page.',
  'first.friendly.6.title': 'The wires got crossed',
  'first.friendly.6.text': 'Two things happened at once and neither finished. Please try again.',
  'first.friendly.7.title': 'That did not go to plan',
  'first.friendly.7.text': 'The fault is ours, and nothing that you entered was shared.',
  'first.friendly.8.title': 'A gear slipped',
  'first.friendly.8.text': 'One step failed, so we stopped here. Please try again.',
  'first.friendly.9.title': 'We lost our place',
  'first.friendly.9.text': 'This page no longer knows where it was. A new start puts it right.',
} as const

declare global {
  interface TextGroups {
    first: typeof texts
  }
}
