import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'

export const texts = {
  'about.title': 'About us',
  'about.lead': `${PRODUCT_NAME} brings two strangers together for a conversation, face to face, for as long as both enjoy it.`,
  'about.how': 'How it works',
  'about.how.sign-in':
    'Sign in with {providers} and choose a nickname. No other user sees your name or your e-mail address.',
  'about.how.camera': 'Turn on your camera and microphone and press Start video chat.',
  'about.how.match':
    'We connect you with somebody who is waiting too. You see each other, hear each other and can write.',
  'about.how.next': 'Stay as long as you both like. Press Next match to meet somebody else, or Exit to stop.',
  'about.who': 'Who it is for',
  'about.who.text': `Adults only. You must be ${MINIMUM_AGE} or older to use ${PRODUCT_NAME}, and an account that belongs to a minor is closed permanently.`,
  'about.meet': 'Who you meet',
  'about.meet.shared':
    'If you say which languages you speak and what you like, you first meet people who share a language and an interest with you, then a language, then anybody. Nobody waits for the sake of it, and nobody is told what you do not share.',
  'about.meet.no-gender':
    'You cannot choose the gender of the people you meet. People lie to such a filter, and it drives harassment.',
  'about.direct': 'From you to them',
  'about.direct.text':
    'Picture and sound travel from one person to the other and are not recorded. Chats are never stored. When two networks cannot reach each other directly, the encrypted stream passes through a relay, if there is one; it cannot read the stream.',
  'about.safe': 'Keeping it a good place',
  'about.safe.rules':
    'Everybody agrees to the same community rules. Anybody can be reported during a call, and reports have consequences: a warning, a suspension that can be appealed, or a permanent block.',
  'about.safe.checks.on': 'A program examines camera pictures of the dashboard for content that breaks the rules.',
  'about.safe.checks.off': 'No program examines camera pictures for what they show at present.',
  'about.safe.checks.unknown': 'Whether a program also examines camera pictures depends on how the service is set up.',
  'about.safe.curtain.on': 'In a call your own device looks at the pictures, if it can, and hides what may be nudity.',
  'about.safe.curtain.off': 'In a call no program looks at the pictures.',
  'about.safe.curtain.unknown': 'Your own device may look at the pictures of a call, and hide what may be nudity.',
  'about.safe.more':
    'The rules are in our <terms>terms and conditions</terms>. What we know about you, and for how long, is in our <privacy>data privacy notice</privacy>.',
  'about.contact': 'Talk to us',
  'about.contact.text': 'Questions, ideas and complaints reach people at <contact/>.',
} as const

declare global {
  interface TextGroups {
    about: typeof texts
  }
}
