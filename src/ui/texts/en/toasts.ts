import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'

/** Texts of the popup at the bottom, and of the error popup of a refusal. */
export const texts = {
  'toasts.popup-blocked': 'Sign-in popup was blocked. Please allow popups for this site',
  'toasts.sign-in-cancelled': 'Sign-in was cancelled',
  'toasts.sign-in-unreachable':
    '{provider} could not be reached. Check your connection, and allow {provider} in blockers of ads and trackers.',
  'toasts.sign-in-lost': 'Your sign-in was lost on the way. Please sign in again',
  'toasts.sign-in-failed': 'Failed to sign in with {provider}: {reason}',
  'toasts.peer-left': '{nickName} has left the chat.',
  'toasts.connection-lost': 'The connection to {nickName} was lost.',
  'toasts.unnamed-peer': 'Anonymous',
  'toasts.report-taken': 'Thank you. Your report was sent to the moderators.',
  'toasts.report-waiting': 'Your report will be sent as soon as the connection is back.',
  'toasts.report-failed': 'Your report could not be sent. If you still see this person, please report them again.',
  'toasts.hub-unavailable':
    'Error E300: Unable to connect to our services. Please check your internet connection and try again.',
  'toasts.replaced': 'You opened the chat in another tab, so it ended here.',
  'toasts.camera-refused': 'Unable to access camera and microphone. Please reset permissions and try again.',
  'toasts.relay-unavailable':
    'No relay server is available, so your network address cannot be hidden. Try again later or turn off "Hide my network address".',
  'toasts.deletion-asked': 'Your account will be deleted by {due}. If you want to keep it, sign in before {start}.',
  'toasts.pictures-changed':
    'Your browser turns pictures into noise to protect you from fingerprinting. Allow this page to read canvases, so that safety checks and your profile picture work.',
  'toasts.device-moved': 'Your sound is now on: {labels}',
  'toasts.message-too-long': 'A message has at most {max} characters; yours has {length}.',
  'toasts.no-small-window': 'The small window could not be opened.',
  'toasts.refused.back': 'Back to the start',
  'toasts.refused.underage.title': `${PRODUCT_NAME} is for adults`,
  'toasts.refused.underage.text': `You must be ${MINIMUM_AGE} years or older. Your account is permanently suspended. If you chose the date by mistake, contact us: our address is on the page About Us.`,
  'toasts.refused.blocked.title': 'Your account is suspended',
  'toasts.refused.blocked.text':
    'You cannot chat with this account. The dashboard shows the reason, and what you can do.',
  'toasts.refused.email-missing.title': 'We need your e-mail address',
  'toasts.refused.email-missing.text':
    'The account that you chose gave us no confirmed e-mail address. Sign in again and allow access to it, or use another account.',
  'toasts.refused.provider-refused.title': 'Your sign-in was not confirmed',
  'toasts.refused.provider-refused.text':
    'The account that you chose could not be confirmed. Please sign in again, or use another account.',
  'toasts.refused.provider-unavailable.title': 'Your account could not be checked',
  'toasts.refused.provider-unavailable.text':
    'Google or Facebook does not answer at the moment. Please sign in again in a few minutes.',
} as const

declare global {
  interface TextGroups {
    toasts: typeof texts
  }
}
