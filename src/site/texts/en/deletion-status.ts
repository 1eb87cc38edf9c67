import { DELETION_BUSINESS_DAYS } from '#protocol/deletion.ts'

export const texts = {
  'deletion-status.title': 'Deletion status',
  'deletion-status.retry': 'Try again',
  'deletion-status.more': 'How deletion works',
  'deletion-status.reading': 'Looking it up...',
  'deletion-status.waiting': `The request has arrived. The data are deleted within ${DELETION_BUSINESS_DAYS} business days of it.`,
  'deletion-status.held':
    'The request has arrived. The law asks us to keep these data apart for now; they are deleted as soon as we may.',
  'deletion-status.done': 'The data are deleted. Nothing is left.',
  'deletion-status.cancelled': 'The account was kept: its owner signed in and took the request back.',
  'deletion-status.unknown': 'We do not know this code. Please check that it is whole.',
  'deletion-status.unread': 'We could not look it up. Please try again in a moment.',
} as const

declare global {
  interface TextGroups {
    'deletion-status': typeof texts
  }
}
