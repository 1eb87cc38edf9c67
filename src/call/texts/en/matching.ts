import { MINIMUM_AGE } from '#protocol/constants.ts'

export const texts = {
  'matching.title': 'Finding a partner',
  'matching.title.found': 'Match found',
  'matching.searching': 'Finding a partner...',
  'matching.found': 'Match found!',
  'matching.calling': 'Calling <name/>...',
  'matching.report-last': 'Report {name}',
  'matching.cancel': 'Cancel Matching',
  'matching.alone': 'You are the only one here right now.',
  'matching.others': '{count, plural, one {# other is searching.} other {# others are searching.}}',
  'matching.many': 'At least {count} others are searching.',
  'matching.speaking': 'At least {count} of them speak a language of yours.',
  'matching.long': 'This takes longer than usual.',
  'matching.nobody': 'Nobody is here right now.',
  'matching.to-dashboard': 'Back to the dashboard',
  'matching.call-back': 'Call me back',
  'matching.call-back.offer': 'We can call you when somebody comes.',
  'matching.call-back.title': 'You can use another tab: the title of this one changes when somebody comes.',
  'matching.call-back.on': 'We will call you when somebody comes. Keep this tab open.',
  'matching.call-back.blocked':
    'Your browser blocks notifications here. Keep this tab open: its title changes when somebody comes.',
  'matching.call-back.body': 'Come back to start your video chat.',
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
  'matching.tip.8': `Everybody here must be ${MINIMUM_AGE} or older. Report anybody who is not.`,
} as const

declare global {
  interface TextGroups {
    matching: typeof texts
  }
}
