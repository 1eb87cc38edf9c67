import type { OwnPictureState } from '#protocol/profile-endpoints.ts'
import type { OwnProfile } from './profile-ports.ts'

/** What the classifier said about a profile picture; `unchecked` until it has answered. */
export type PictureCheck = 'unchecked' | 'passed' | 'refused'

/** Resolves with `unchecked` where the classifier gives no answer now. */
export type CheckPicture = (picture: Uint8Array, accountId: string) => Promise<PictureCheck>

/** True for a picture that others may see. Without a classifier, unchecked pictures too. */
export function mayBeSeen(check: PictureCheck, isChecked: boolean): boolean {
  return check === 'passed' || (check === 'unchecked' && !isChecked)
}

export function pictureStateOf(
  { picture, isPictureRefused }: Pick<OwnProfile, 'picture' | 'isPictureRefused'>,
  isChecked: boolean,
): OwnPictureState {
  if (!picture) return isPictureRefused ? 'refused' : 'none'
  return mayBeSeen(picture.check, isChecked) ? 'ready' : 'checking'
}
