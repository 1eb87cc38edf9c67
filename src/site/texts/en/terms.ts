import { MINIMUM_AGE, PRODUCT_NAME, REVIEW_DAYS } from '#protocol/constants.ts'

export const texts = {
  'terms.lead': 'These are the rules you agree to by registering. They are short on purpose: please read all of them.',
  'terms.adults': 'Adults only',
  'terms.adults.text': `You must be ${MINIMUM_AGE} or older. We judge your age by the date of birth that you enter, and you cannot change it later; a moderator can correct a mistake. Minors are banned permanently.`,
  'terms.rules': 'Community rules',
  'terms.rules.respect': 'Be respectful. Harassment, bullying and hate speech lead to a ban.',
  'terms.rules.pressure': 'Do not discriminate, and do not pressure anyone into anything.',
  'terms.rules.explicit': 'No explicit content without consent. Adult or offensive content leads to an instant ban.',
  'terms.rules.spam': 'No spam and no flooding of the chat.',
  'terms.rules.impersonate': 'Do not impersonate anybody.',
  'terms.rules.record': 'Do not record or share a chat without the consent of the other person.',
  'terms.rules.fraud': 'Scams and fraud lead to a ban. Illegal activity is reported to the authorities.',
  'terms.safe': 'Stay safe',
  'terms.safe.share': 'Do not share your real name, address, phone number, e-mail address or social media accounts.',
  'terms.safe.passwords': 'Never share passwords or bank details.',
  'terms.safe.careful': 'Conversations are anonymous, but be careful: you do not know who sits on the other side.',
  'terms.safe.leave': 'Leave the chat at once if you feel unsafe, and report the person.',
  'terms.safe.meet': 'Do not meet strangers in real life.',
  'terms.reports': 'Reports, suspensions and appeals',
  'terms.reports.steps': `You can report the person you are talking to. After several reports an account first gets a warning, then a temporary suspension. A suspended account can submit an appeal from the dashboard; we decide within ${REVIEW_DAYS} days and tell you the result.`,
  'terms.reports.block':
    'Repeated violations lead to a permanent block. Do not bypass a ban: repeat offenders are blocked permanently, with every account they open.',
  'terms.reports.anybody':
    'Whoever is shown in an intimate picture without consent, or is impersonated, can <report>report it without an account</report>. A moderator answers within 48 hours, or within 7 days about an impersonation. The <transparency>transparency report</transparency> shows in numbers what was reported and decided.',
  'terms.responsibility': 'Your responsibility',
  'terms.responsibility.text': `You are responsible for what you say, show and do on ${PRODUCT_NAME}. People are connected at random; you may meet content that you find inappropriate, and you take part at your own risk.`,
  'terms.account': 'Your account',
  'terms.account.text':
    'You sign in with a {providers} account that is yours. One person, one account. Keep access to it to yourself; what is done with your account counts as done by you.',
  'terms.moderation': 'Moderation',
  'terms.moderation.checks.on': 'To keep the rules, a program examines camera pictures of the dashboard.',
  'terms.moderation.checks.off': 'No program examines camera pictures for what they show at present.',
  'terms.moderation.checks.unknown':
    'To keep the rules, camera pictures of the dashboard may be examined by a program.',
  'terms.moderation.curtain.on':
    'In a call your own device looks at the pictures, if it can and you leave that on, and hides what may be nudity. It makes mistakes, and nobody is reported or punished for what it finds.',
  'terms.moderation.curtain.off': 'In a call no program looks at the pictures.',
  'terms.moderation.curtain.unknown':
    'Your own device may look at the pictures of a call and hide what may be nudity. It makes mistakes, and nobody is reported or punished for what it finds.',
  'terms.moderation.text':
    'When somebody is reported, a picture of what the reporter saw and one from the camera of the reported person are sent to our moderators. Flagged content may be kept temporarily as evidence. The details are in our <privacy>privacy policy</privacy>.',
  'terms.service': 'The service',
  'terms.service.text': `${PRODUCT_NAME} is offered as it is. We work to keep it available, and we may change, limit or end parts of it. We do not promise that you will find a partner, or that a call will never be interrupted. Nothing in these terms limits rights that the law gives you and that cannot be waived.`,
  'terms.payments': 'Payments',
  'terms.payments.text': `${PRODUCT_NAME} is free today. If premium features come, they will be paid for through compliant payment gateways, and never without your explicit order.`,
  'terms.changes': 'Changes',
  'terms.changes.text':
    'When these terms change, the date at the top changes with them. Each time you sign in, you are asked for your consent before you go on.',
  'terms.contact': 'Contact',
  'terms.contact.text': 'Write to <contact/> about anything in these terms.',
} as const

declare global {
  interface TextGroups {
    terms: typeof texts
  }
}
