import { PRODUCT_NAME } from '#protocol/constants.ts'

export const texts = {
  'sign-in.title': 'Sign in',
  'sign-in.heading': `Welcome to ${PRODUCT_NAME}`,
  'sign-in.provider': 'Sign in with {provider}',
  'sign-in.waiting': 'Signing in...',
  'sign-in.agreement':
    'By registering you agree to <terms>Terms and conditions</terms> and <privacy>Data privacy policy</privacy>',
  'sign-in.hello': 'Hello',
  'sign-in.hi': 'Hi',
} as const
