/** Texts of the cookie banner, and of the dialog in which the choice can be changed. */
export const texts = {
  'cookies.choice': 'Cookie choice',
  'cookies.text':
    'We need a few cookies to keep you signed in. Any cookies for ads and analytics, and reports about faults, wait for your consent.',
  'cookies.more': 'Read more',
  'cookies.only-necessary': 'Necessary only',
  'cookies.all': 'Allow all cookies',
  'cookies.settings': 'Cookie settings',
  'cookies.necessary':
    'Necessary: cookies that keep your session and your sign-in, and what this browser remembers because you chose it, such as your camera, your language or this answer.',
  'cookies.optional':
    'Optional: reports about faults of this page, kept in this browser until they are sent to us, and figures about the quality of calls, without a name. If ads or analytics ever come, they belong here too. Everything works without them.',
  'cookies.optional.none':
    'Optional: nothing at present. If reports about faults or the quality of calls, ads or analytics ever come, they belong here. Everything works without them.',
  'cookies.now.none': 'You have not chosen yet: only what is necessary is used.',
  'cookies.now.necessary': 'You allow what is necessary.',
  'cookies.now.all': 'You allow everything.',
} as const

declare global {
  interface TextGroups {
    cookies: typeof texts
  }
}
