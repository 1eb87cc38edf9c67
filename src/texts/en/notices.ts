import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'

/** What the popup at the bottom says, and the error popup of a refusal. */
export const texts = {
  'notices.popup-blocked': 'Sign-in popup was blocked. Please allow popups for this site',
  'notices.sign-in-cancelled': 'Sign-in was cancelled',
  'notices.sign-in-unreachable':
    '{provider} could not be reached. Check your connection, and allow {provider} in blockers of ads and trackers.',
  'notices.sign-in-lost': 'Your sign-in was lost on the way. Please sign in again',
  'notices.sign-in-failed': 'Failed to sign in with {provider}: {reason}',
  'notices.peer-left': '{nickName} has left the chat.',
  'notices.connection-lost': 'The connection to {nickName} was lost.',
  'notices.unnamed-peer': 'Anonymous',
  'notices.report-taken': 'Thank you. Your report was sent to the moderators.',
  'notices.report-waiting': 'Your report will be sent as soon as the connection is back.',
  'notices.report-failed': 'Your report could not be sent. If you still see this person, please report them again.',
  'notices.hub-unavailable':
    'Error E300: Unable to connect to our services. Please check your internet connection and try again.',
  'notices.replaced': 'You opened the chat in another tab, so it ended here.',
  'notices.camera-refused': 'Unable to access camera and microphone. Please reset permissions and try again.',
  'notices.relay-unavailable':
    'No relay server is available, so your network address cannot be hidden. Try again later or turn off "Hide my network address".',
  'notices.deletion-asked': 'Your account will be deleted by {due}. If you want to keep it, sign in before {start}.',
  'notices.pictures-changed':
    'Your browser turns pictures into noise to protect you from fingerprinting. Allow this page to read canvases, so that safety checks and your profile picture work.',
  'notices.device-moved': 'Your sound is now on: {labels}',
  'notices.message-too-long': 'A message has at most {max} characters; yours has {length}.',
  'notices.no-small-window': 'The small window could not be opened.',
  'notices.refused.back': 'Back to the start',
  'notices.refused.underage.title': `${PRODUCT_NAME} is for adults`,
  'notices.refused.underage.text': `You must be ${MINIMUM_AGE} years or older. Your account is permanently suspended. If you chose the date by mistake, contact us: our address is on the page About Us.`,
  'notices.refused.blocked.title': 'Your account is suspended',
  'notices.refused.blocked.text':
    'You cannot chat with this account. The dashboard shows the reason, and what you can do.',
  'notices.refused.email-missing.title': 'We need your e-mail address',
  'notices.refused.email-missing.text':
    'The account that you chose gave us no confirmed e-mail address. Sign in again and allow access to it, or use another account.',
  'notices.refused.provider-refused.title': 'Your sign-in was not confirmed',
  'notices.refused.provider-refused.text':
    'The account that you chose could not be confirmed. Please sign in again, or use another account.',
  'notices.refused.provider-unavailable.title': 'Your account could not be checked',
  'notices.refused.provider-unavailable.text':
    'Google or Facebook does not answer at the moment. Please sign in again in a few minutes.',
} as const
