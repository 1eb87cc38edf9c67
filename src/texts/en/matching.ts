import { MINIMUM_AGE } from '#protocol/constants.ts'

export const texts = {
  'matching.title': 'Finding a partner',
  'matching.title.found': 'Match found',
  'matching.searching': 'Finding a partner...',
  'matching.found': 'Match found!',
  'matching.calling': 'Calling <name/>...',
  'matching.cancel': 'Cancel Matching',
  'matching.own-picture': 'Your picture',
  'matching.hub.reconnecting': 'The connection dropped for a moment. Reconnecting...',
  'matching.hub.lost': 'Connection lost.',
  'matching.tip.0': 'Never share your real name, address, phone number or social media.',
  'matching.tip.1': 'Never share passwords or bank details.',
  'matching.tip.2': 'Leave the chat at any moment if you feel unsafe.',
  'matching.tip.3': 'Do not meet strangers in real life.',
  'matching.tip.4': 'Be respectful: harassment, bullying and hate speech lead to a ban.',
  'matching.tip.5': 'Adult or offensive content leads to an instant ban.',
  'matching.tip.6': 'Do not record or share a chat without consent.',
  'matching.tip.7': 'Somebody asks for money? That is a scam: report them.',
  'matching.tip.8': `Everybody here is ${MINIMUM_AGE} or older. Report anybody who is not.`,
} as const
