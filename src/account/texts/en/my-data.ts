import { DELETION_BUSINESS_DAYS } from '#protocol/deletion.ts'

/** Texts of the export of one's data, and of the deletion and its cancellation. */
export const texts = {
  'my-data.download': 'Download my data',
  'my-data.downloading': 'Collecting...',
  'my-data.download.failed': 'Your data could not be collected. Please try again in a few minutes.',
  'my-data.delete': 'Delete my account',
  'my-data.deleting': 'Deleting...',
  'my-data.delete.failed': 'Your account could not be deleted. Please try again.',
  'my-data.delete.title': 'Delete your account?',
  'my-data.delete.what':
    'Your profile, your picture, your history and everything else we keep about you will be deleted.',
  'my-data.delete.when': `You are signed out at once. Your data are gone within ${DELETION_BUSINESS_DAYS} business days.`,
  'my-data.delete.back':
    'Sign in again and keep your account if you change your mind. You can do so for {days, plural, one {one day.} other {# days.}}',
  'my-data.delete.no-way-back': 'This cannot be taken back.',
  'my-data.delete.block':
    'If the account is blocked, or a warning, suspension or review is open, we keep only what that needs, for as long as it lasts.',
  'my-data.keep': 'Keep my account',
  'my-data.keeping': 'Keeping...',
  'my-data.keep.failed': 'Your account could not be kept. Please try again.',
  'my-data.again.title': 'Please sign in again',
  'my-data.again.why':
    'You signed in a while ago. So that nobody else can do this in your place, please show that it is you.',
  'my-data.again.provider': 'Sign in with {provider}',
  'my-data.again.cancel': 'Cancel',
  'my-data.again.cancelled': 'The sign-in was cancelled.',
  'my-data.again.blocked': 'The sign-in window was blocked. Please allow popups for this site.',
  'my-data.again.other-account': 'That is another account. Please sign in with the one that you use here.',
  'my-data.again.failed': 'The sign-in did not work. Please try again.',
  'my-data.logins': 'Where I am signed in',
  'my-data.logins.title': 'Where you are signed in',
  'my-data.logins.hint': 'If you do not know one of these, end it. That device is signed out at once.',
  'my-data.logins.device': '{browser} on {os}',
  'my-data.logins.unknown': 'Unknown device',
  'my-data.logins.this': 'This device',
  'my-data.logins.no-place': 'Place unknown',
  'my-data.logins.since': 'Signed in: {at}',
  'my-data.logins.seen': 'Last seen: {at}',
  'my-data.logins.end': 'End this login',
  'my-data.logins.end-others': 'End all other logins',
  'my-data.logins.close': 'Close',
  'my-data.logins.loading': 'Loading...',
  'my-data.logins.ended': 'Done. Nobody is signed in there any more.',
  'my-data.logins.not-read': 'The list could not be loaded. Please try again.',
  'my-data.logins.not-ended': 'That did not work. Please try again.',
  'my-data.going': 'Your account is being deleted',
  'my-data.going.until':
    'You asked for this on {asked}. Everything we keep about you will be gone by {due}. Until then you cannot start a video chat.',
  'my-data.going.mind': 'Changed your mind? Before {start} you can keep your account as it was.',
  'my-data.held':
    'You asked for this on {asked}. The law asks us to keep your data apart for now, so the deletion waits. Nobody uses them meanwhile, and you cannot start a video chat.',
  'my-data.held.next': 'As soon as we may, everything is deleted. You need not ask again.',
} as const

declare global {
  interface TextGroups {
    'my-data': typeof texts
  }
}
