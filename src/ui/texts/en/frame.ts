import { COPYRIGHT_YEAR, PRODUCT_NAME } from '#protocol/constants.ts'

/** Texts around the screens: bar, profile, footer. */
export const texts = {
  'frame.main': 'Main',
  'frame.home': 'Home',
  'frame.privacy': 'Data Privacy',
  'frame.terms': 'Terms & Conditions',
  'frame.about': 'About Us',
  'frame.transparency': 'Transparency',
  'frame.service-status': 'Service status',
  'frame.more': 'More options',
  'frame.language': 'Language',
  'frame.greeting': 'Hi, <name/>',
  'frame.profile': 'Profile',
  'frame.close': 'Close',
  'frame.edit-profile': 'Edit profile',
  'frame.edit-profile.failed': 'Your profile could not be opened. Please try again.',
  'frame.logout': 'Logout',
  'frame.follow': 'Follow us',
  'frame.whatsapp': 'WhatsApp channel',
  'frame.rights': `© ${COPYRIGHT_YEAR} ${PRODUCT_NAME}. All rights reserved.`,
  'frame.report-content': 'Report an intimate picture or impersonation',
  'frame.contents': 'On this page',
  'frame.updated': 'Last updated {date}',
  'frame.contact-address': 'our contact address',
} as const

declare global {
  interface TextGroups {
    frame: typeof texts
  }
}
