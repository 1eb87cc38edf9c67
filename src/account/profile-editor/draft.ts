import type { Gender } from '#protocol/fields.ts'
import type { OwnProfile } from '#protocol/profile-endpoints.ts'
import { type CropView, cropOf } from '../rules/crop.ts'
import type { ChosenPicture, ProfileDraft } from '../state/profile.ts'

export type DraftPicture = 'kept' | 'removed' | (ChosenPicture & { view: CropView })

/** What the form contains. */
export type Draft = { nickName: string; gender: Gender; showsPicture: boolean; picture: DraftPicture }

export function draftOf({ nickName, gender, showsPicture }: OwnProfile): Draft {
  return { nickName, gender, showsPicture, picture: 'kept' }
}

export function finished({ picture, ...draft }: Draft): ProfileDraft {
  if (typeof picture === 'string') return { ...draft, picture }
  const { file, size, view } = picture
  return { ...draft, picture: { file, size, crop: cropOf(size, view) } }
}

/** What others see of the draft once it is saved. */
export function seenAs({ picture, showsPicture }: Draft, stored: OwnProfile) {
  const { pictureState } = stored
  if (picture === 'kept' && pictureState === 'refused') return 'refused'
  if (picture === 'removed' || (picture === 'kept' && pictureState === 'none')) return 'none'
  if (!showsPicture) return 'hidden'
  return picture === 'kept' && pictureState === 'checking' ? 'checking' : 'shown'
}
