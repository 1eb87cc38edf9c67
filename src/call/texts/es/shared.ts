import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/shared.ts'

export const texts: Translation<typeof english> = {
  'shared.languages': 'Los dos habláis {languages}.',
  'shared.interests': 'Compartís el gusto por {interests}.',
  'shared.both': 'Los dos habláis {languages} y compartís el gusto por {interests}.',
}
