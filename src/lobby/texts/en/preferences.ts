/** Texts of the languages and interests of a user. */
export const texts = {
  'preferences.title': 'Who I meet',
  'preferences.why':
    'You first meet people who share a language and an interest with you, then a language, then anybody. Nobody is told what you do not share.',
  'preferences.loading': 'Loading your languages and interests...',
  'preferences.not-read': 'Your languages and interests could not be loaded. Please try again.',
  'preferences.languages': 'Languages I speak',
  'preferences.languages.hint': 'Up to {max}. Type to search.',
  'preferences.languages.proposed': 'These are the languages of your browser. They count once you save.',
  'preferences.languages.refused': 'These languages were not accepted. Please choose them from the list.',
  'preferences.languages.unknown': 'No language fits. Please choose one from the list.',
  'preferences.interests': 'Interests',
  'preferences.interests.hint': 'Up to {max}, in your own words. Enter adds one.',
  'preferences.interests.refused':
    'An interest has a word that is not accepted here. Please remove it or choose another one.',
  'preferences.interests.letters':
    'Only letters and digits are allowed, with one space, hyphen or apostrophe between words.',
  'preferences.interests.digits': 'An interest can have at most {max} digits.',
  'preferences.interests.too-long': 'An interest cannot exceed {max} characters.',
  'preferences.interests.known': 'You have this interest already.',
  'preferences.full': 'You have chosen {max}. Remove one to choose another.',
  'preferences.count': '{count} of {max}',
  'preferences.remove': 'Remove {name}',
  'preferences.added': '{name} added.',
  'preferences.removed': '{name} removed.',
  'preferences.found': '{count, plural, =0 {Nothing found.} one {# found.} other {# found.}}',
  'preferences.failed': 'This could not be saved. Nothing is lost: please try again.',
  'preferences.save': 'Save',
  'preferences.saving': 'Saving...',
  'preferences.cancel': 'Cancel',
  'preferences.saved': 'Saved. It counts from your next search on.',
} as const

declare global {
  interface TextGroups {
    preferences: typeof texts
  }
}
