export const texts = {
  'shared.languages': 'You both speak {languages}.',
  'shared.interests': 'You both like {interests}.',
  'shared.both': 'You both speak {languages} and like {interests}.',
} as const

declare global {
  interface TextGroups {
    shared: typeof texts
  }
}
