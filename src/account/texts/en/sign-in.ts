import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'

export const texts = {
  'sign-in.title': 'Sign in',
  'sign-in.heading': `Welcome to ${PRODUCT_NAME}`,
  'sign-in.provider': 'Sign in with {provider}',
  'sign-in.waiting': 'Signing in...',
  'sign-in.agreement':
    'By registering you agree to <terms>Terms and conditions</terms> and <privacy>Data privacy policy</privacy>',
  'sign-in.promise.adults': `Adults only: ${MINIMUM_AGE} or older`,
  'sign-in.promise.anonymous': 'No other user sees your name or e-mail',
  'sign-in.promise.not-recorded': 'Conversations are not recorded',
  'sign-in.hello': 'Hello',
  'sign-in.hi': 'Hi',
} as const

declare global {
  interface TextGroups {
    'sign-in': typeof texts
  }
}
