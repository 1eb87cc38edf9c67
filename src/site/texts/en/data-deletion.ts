import { PRODUCT_NAME } from '#protocol/constants.ts'

export const texts = {
  'data-deletion.title': 'Data deletion',
  'data-deletion.lead': `How to have everything deleted that ${PRODUCT_NAME} keeps about you when you sign in with a social account.`,
  'data-deletion.ask': 'Ask us to delete your data',
  'data-deletion.ask.here':
    'The quickest way: sign in, open your profile at the top right and choose “Delete my account”. With “Download my data” beside it you can take a copy along first.',
  'data-deletion.ask.mail': 'Or ask by e-mail:',
  'data-deletion.ask.write': 'Write an e-mail to <contact/> from the address of your {providers} account.',
  'data-deletion.ask.subject': 'Use the subject “Delete my data”. You need not give a reason.',
  'data-deletion.ask.confirm': 'We confirm that the request has arrived.',
  'data-deletion.ask.deleted': 'Within 7 business days your data are deleted, and we tell you so.',
  'data-deletion.ask.time': 'Within 7 business days your data are deleted.',
  'data-deletion.what': 'What is deleted',
  'data-deletion.what.text':
    'Your name, e-mail address, nickname, gender, date of birth and profile picture, your sessions, the technical details of your visits, and whom you met, blocked or reported. Conversations are not recorded and chats are never stored, so there is nothing of them to delete.',
  'data-deletion.what.kept':
    'Where an account was blocked for breaking the rules, we keep only what is needed to uphold that block. Where a warning, a suspension or a review is open, we keep only what is needed to go on with it, until it ends. Your reports that were found wrong or wait for a decision, and whom you must not meet again, are kept under codes without your name, as the privacy notice says. A deletion that has been carried out cannot be undone.',
  'data-deletion.facebook': 'Remove the app from Facebook',
  'data-deletion.facebook.text':
    'This ends the connection on the side of Facebook. It does not replace the request above.',
  'data-deletion.facebook.settings': 'Open Settings & privacy, then Settings, in your Facebook account.',
  'data-deletion.facebook.apps': 'Choose Apps and Websites.',
  'data-deletion.facebook.remove': `Find ${PRODUCT_NAME} and press Remove.`,
  'data-deletion.more': 'More about your data',
  'data-deletion.more.text': 'All that we keep and why is in our <privacy>data privacy notice</privacy>.',
} as const

declare global {
  interface TextGroups {
    'data-deletion': typeof texts
  }
}
