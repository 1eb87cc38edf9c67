import { DELETION_BUSINESS_DAYS } from '#protocol/my-data.ts'

/** Taking one's data along, and the way out and back. */
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
    'Where an account was blocked for breaking the rules, we keep only what is needed to uphold that block. Where a warning, a suspension or a review is open, we keep only what is needed to go on with it, until it ends.',
  'my-data.keep': 'Keep my account',
  'my-data.keeping': 'Keeping...',
  'my-data.keep.failed': 'Your account could not be kept. Please try again.',
  'my-data.going': 'Your account is being deleted',
  'my-data.going.until':
    'You asked for this on {asked}. Everything we keep about you will be gone by {due}. Until then you cannot start a video chat.',
  'my-data.going.mind': 'Changed your mind? Before {start} you can keep your account as it was.',
  'my-data.held':
    'You asked for this on {asked}. The law asks us to keep your data apart for now, so the deletion waits. Nobody uses them meanwhile, and you cannot start a video chat.',
  'my-data.held.next': 'As soon as we may, everything is deleted. You need not ask again.',
} as const
