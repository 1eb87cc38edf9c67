import { MINIMUM_AGE } from '#protocol/constants.ts'
import { nicknameMessages } from '#protocol/fields.ts'

export const texts = {
  'welcome.title': 'Your profile',
  'welcome.hint': 'Others see your nickname, never your e-mail address.',
  'welcome.email': 'E-mail',
  'welcome.nickname': 'Nickname',
  'welcome.nickname.missing': nicknameMessages.missing,
  'welcome.nickname.too-long': nicknameMessages.tooLong,
  'welcome.nickname.letters': nicknameMessages.letters,
  'welcome.nickname.reserved': 'This nickname could be mistaken for the staff of this site. Please choose another one.',
  'welcome.nickname.contact':
    'This nickname reads like a phone number or an address. Please choose another one, so that strangers cannot reach you.',
  'welcome.nickname.refused': 'This nickname has a word that is not accepted here. Please choose another one.',
  'welcome.birth': 'Date of birth',
  'welcome.birth.format': 'DD/MM/YYYY',
  'welcome.birth.open': 'Open calendar',
  'welcome.birth.fixed': 'You cannot change your date of birth.',
  'welcome.birth.final': 'You cannot change it later.',
  'welcome.birth.missing': 'Date of birth is required',
  'welcome.birth.future': 'A date of birth cannot be in the future',
  'welcome.age.title': 'Is your date of birth right?',
  'welcome.age.text': 'You were born on {day}, so you are {age}. You cannot change it later.',
  'welcome.age.right': 'Yes, it is right',
  'welcome.age.saving': 'Sending...',
  'welcome.gender': 'Gender',
  'welcome.gender.boy': 'Boy',
  'welcome.gender.girl': 'Girl',
  'welcome.gender.others': 'Others',
  'welcome.confirm': 'Confirm',
  'welcome.calendar.loading': 'Loading calendar',
  'welcome.calendar.failed': 'The calendar could not be loaded. Type the day here.',
  'welcome.calendar.title': 'Choose a day',
  'welcome.calendar.previous-month': 'Previous month',
  'welcome.calendar.next-month': 'Next month',
  'welcome.calendar.month': 'Month',
  'welcome.calendar.year': 'Year',
  'welcome.calendar.earlier-years': 'Earlier years',
  'welcome.calendar.later-years': 'Later years',
  'welcome.calendar.close': 'Close',
  'welcome.consent.title': 'Stay safe and have fun!',
  'welcome.consent.risk':
    'You will be connected randomly and anonymously with strangers, and you may be shown inappropriate content. Do not share personal information.',
  'welcome.consent.cookies':
    'We use cookies that keep you signed in. Cookies for ads and analytics are set only if you allow them.',
  'welcome.consent.agreement': `By clicking Accept you confirm that you are ${MINIMUM_AGE} or older, that you understand the risks, and that you agree to our <privacy>privacy policy</privacy>.`,
  'welcome.consent.birth':
    'You left the date of birth as we proposed it. Were you really born on {day}? You cannot change it later. Accept confirms it.',
  'welcome.consent.correct-birth': 'Change the date of birth',
  'welcome.consent.back': 'Back',
  'welcome.consent.accept': 'Accept',
  'welcome.consent.saving': 'Creating profile...',
} as const

declare global {
  interface TextGroups {
    welcome: typeof texts
  }
}
