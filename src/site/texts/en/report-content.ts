import { PRODUCT_NAME } from '#protocol/constants.ts'

export const texts = {
  'report-content.title': 'Report content',
  'report-content.lead': `Somebody has published or sent an intimate picture of you without your consent, or pretends to be you on ${PRODUCT_NAME}? Tell us here. You need no account.`,
  'report-content.form': 'Your notice',
  'report-content.kind': 'What happened?',
  'report-content.kind.intimate-picture': 'An intimate picture of me was published or sent without my consent',
  'report-content.kind.impersonation': 'Somebody pretends to be me',
  'report-content.email': 'Your e-mail address',
  'report-content.email.hint': 'For our answer alone. The person whom you report does not see it.',
  'report-content.day': 'When it happened: date',
  'report-content.time': 'Time, if you know it',
  'report-content.description': 'Description',
  'report-content.description.hint':
    'Where it was seen, what it shows, and how we can recognise it: the nickname, the time, what was said. Please do not send the picture itself.',
  'report-content.link': 'Link (optional)',
  'report-content.link.hint':
    'To a statement of your own that these facts are true, or to the place where the picture can be seen.',
  'report-content.isTrue':
    'I declare that what I write here is, as far as I know, true and complete, and that I am the person concerned or may act for them.',
  'report-content.isGoodFaith':
    'I believe in good faith that the picture that I describe was published or sent without the consent of the person whom it shows.',
  'report-content.signature': 'Signature: your full name',
  'report-content.signature.hint':
    'Typing your name here signs this notice, for yourself or for the person whom it shows. Only moderators see it.',
  'report-content.send': 'Send the notice',
  'report-content.sending': 'Sending...',
  'report-content.proving':
    'Many notices are coming in. Your browser is doing a calculation that a flood of them could not pay for: it takes up to half a minute.',
  'report-content.no-script': 'This form needs JavaScript.',
  'report-content.fault.kind': 'What happened? Choose one of the two.',
  'report-content.fault.email': 'Your e-mail address: please write it in full, as in name@example.org.',
  'report-content.fault.day.missing': 'Date: please say on which day it happened. An estimate is enough.',
  'report-content.fault.day': 'Date: this day does not exist or is in the future.',
  'report-content.fault.time': 'Time: hours and minutes are needed, as in 23:59.',
  'report-content.fault.description.missing': 'Description: please say what happened.',
  'report-content.fault.description.too-long': 'Description: {max} characters at most. Please shorten it.',
  'report-content.fault.description': 'Description: it has characters that cannot be shown. Please type it anew.',
  'report-content.fault.link.too-long': 'Link: {max} characters at most.',
  'report-content.fault.link': 'Link: it begins with https://, and has no spaces and no @ before the name of the site.',
  'report-content.fault.isTrue': 'Your declaration is needed before we can act.',
  'report-content.fault.isGoodFaith': 'Your statement that there was no consent is needed for an intimate picture.',
  'report-content.fault.signature': 'Signature: please type your full name, at most {max} characters.',
  'report-content.failure.unsent':
    'It could not be sent. Everything that you typed is still here: please try again when your network is back. It is not counted twice.',
  'report-content.failure.too-many':
    'Too many notices are coming in from your network or in all. Everything that you typed is still here: please try again in an hour.',
  'report-content.failure.refused': 'Our server did not accept it. Everything that you typed is still here.',
  'report-content.receipt': 'Your notice has arrived',
  'report-content.reference': 'Reference number',
  'report-content.received': 'Received',
  'report-content.due': 'Answer at the latest',
  'report-content.receipt.keep':
    'Please write the number down. With it and your e-mail address you can look up the answer below at any time.',
  'report-content.receipt.again': 'Send another notice',
  'report-content.next': 'What happens next',
  'report-content.next.receipt': 'You get a reference number at once.',
  'report-content.next.read':
    'A moderator, never a program, reads the notice: within 48 hours for an intimate picture without consent, within 7 days for an impersonation.',
  'report-content.next.answer':
    'The answer says what we have done and why. You can read it here with your number; where this service sends e-mail, it comes to you as well.',
  'report-content.next.complain':
    'If the answer is wrong, send another notice with the number of the first one. You can also turn to the police or to a court, at any time. Calls are not recorded here: we can close accounts, and cannot fetch back what somebody has saved elsewhere.',
  'report-content.lookup': 'Look a notice up',
  'report-content.lookup.read': 'Show its state',
  'report-content.lookup.reading': 'Looking it up...',
  'report-content.lookup.unknown':
    'There is no notice with this number and this e-mail address. Please check both. A notice is deleted 180 days after its answer.',
  'report-content.lookup.unread': 'That did not work. Please try again in a moment.',
  'report-content.lookup.deleted': 'The notice is deleted. Nothing of it is left.',
  'report-content.state': 'State',
  'report-content.state.open': 'No moderator has answered yet. The answer comes by {date}.',
  'report-content.state.acted': 'We have acted on it on {date}:',
  'report-content.state.declined': 'We could not act on it, {date}:',
  'report-content.erase': 'Delete this notice',
  'report-content.erase.title': 'Delete this notice?',
  'report-content.erase.text':
    'Everything about it is deleted at once, your e-mail address and our answer included. A notice without an answer is withdrawn by that.',
  'report-content.erase.keep': 'Keep it',
  'report-content.data': 'Your data',
  'report-content.data.text':
    'We keep what you write here until 180 days after our answer, for this notice alone, and only moderators see it. You can delete it yourself before, with your number. More is in our <privacy>data privacy notice</privacy>.',
} as const

declare global {
  interface TextGroups {
    'report-content': typeof texts
  }
}
