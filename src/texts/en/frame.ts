import { COPYRIGHT_YEAR, PRODUCT_NAME } from '#protocol/constants.ts'

/** What stands around the screens: bar, profile, footer, cookies. */
export const texts = {
  'frame.main': 'Main',
  'frame.home': 'Home',
  'frame.privacy': 'Data Privacy',
  'frame.terms': 'Terms & Conditions',
  'frame.about': 'About Us',
  'frame.more': 'More options',
  'frame.language': 'Language',
  'frame.greeting': 'Hi, <name/>',
  'frame.profile': 'Profile',
  'frame.close': 'Close',
  'frame.logout': 'Logout',
  'frame.follow': 'Follow us',
  'frame.whatsapp': 'WhatsApp channel',
  'frame.rights': `© ${COPYRIGHT_YEAR} ${PRODUCT_NAME}. All rights reserved.`,
  'frame.cookies.title': 'Cookies',
  'frame.cookies.text':
    'We need a few cookies to keep you signed in. With your consent we also use cookies for ads and analytics.',
  'frame.cookies.more': 'Read more',
  'frame.cookies.necessary': 'Necessary only',
  'frame.cookies.all': 'Allow all cookies',
  'frame.contents': 'On this page',
  'frame.updated': 'Last updated {date}',
} as const
