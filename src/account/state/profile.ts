import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Gender } from '#protocol/fields.ts'
import type { OwnProfile } from '#protocol/profile-endpoints.ts'
import { trimNickname } from '#protocol/visible-words.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { webpBlob } from '../../platform/state/webp-blob.ts'
import type { PictureEditor } from '../ports.ts'
import type { Crop, PictureSize } from '../rules/crop.ts'
import { type NicknameRefusal, nicknameRefusal } from '../rules/nickname-refusal.ts'
import type { AccountStore } from './account.ts'

type Ports = {
  api: Api
  log: Log
  pictures: PictureEditor<MediaStream, Blob>
}

/** A picture that the user has chosen, before it is cropped. */
export type ChosenPicture = { file: Blob; size: PictureSize }

/** Why no picture was chosen. `none`: it is no picture. `changed`: the browser would replace the picture by noise. */
export type NoPicture = 'none' | 'changed'

export type ProfileDraft = {
  nickName: string
  gender: Gender
  showsPicture: boolean
  picture: 'kept' | 'removed' | (ChosenPicture & { crop: Crop })
}

/** Why a profile was not saved. */
export type ProfileFault = 'failed' | 'picture-refused' | 'picture-unreadable' | NicknameRefusal

const faultOfCode: Partial<Record<ErrorCode, ProfileFault>> = {
  'picture-refused': 'picture-refused',
  'encode-failed': 'picture-unreadable',
  'wrong-type': 'picture-unreadable',
  'too-large': 'picture-unreadable',
}

export type ProfileStore = ReturnType<typeof createProfileStore>

/** Reads and changes the user's own profile. */
export function createProfileStore({ api, log, pictures }: Ports, account: Pick<AccountStore, 'takeProfile'>) {
  const stored = signal<OwnProfile | null>(null)
  const saving = signal(false)
  /** Number of the current read: a response that belongs to a closed dialog changes nothing. */
  let reads = 0

  async function read(): Promise<void> {
    reads += 1
    const own = reads
    const profile = await api.request('readProfile', undefined)
    if (own !== reads) return
    stored.value = profile
    const picture = profile.picture === null ? null : webpBlob(profile.picture)
    await account.takeProfile({ nickName: profile.nickName, picture })
  }

  async function send({ nickName, gender, showsPicture, picture }: ProfileDraft): Promise<void> {
    const blob = typeof picture === 'string' ? null : await pictures.crop(picture.file, picture.crop)
    await api.request('changeProfile', {
      NickName: trimNickname(nickName),
      Gender: gender,
      ShowPicture: showsPicture ? 'true' : 'false',
      RemovePicture: picture === 'removed' ? 'true' : 'false',
      ...(blob && { file: { blob, fileName: 'profile.jpg' } }),
    })
  }

  async function chosen(from: () => Promise<Blob>): Promise<ChosenPicture | NoPicture> {
    try {
      const file = await from()
      return { file, size: await pictures.measure(file) }
    } catch (thrown) {
      log.error('There is no picture to choose', thrown)
      return toAppError(thrown).code === 'canvas-changed' ? 'changed' : 'none'
    }
  }

  return {
    /** The profile that the server has stored; null until it is read. */
    stored: stored as ReadonlySignal<OwnProfile | null>,
    saving: saving as ReadonlySignal<boolean>,

    /** Resolves with false if the profile could not be read. */
    async load(): Promise<boolean> {
      try {
        await read()
        return true
      } catch (thrown) {
        log.error('The profile could not be read', thrown)
        return false
      }
    },

    /** Resolves with 'none' for a file that is no picture. */
    open: (file: Blob) => chosen(async () => file),

    /** Takes a picture with the open camera. Resolves with 'none' if the camera gives no picture. */
    photograph: (stream: MediaStream) => chosen(() => pictures.still(stream)),

    /** Resolves with null once the profile is saved and shown, with `failed` while another change is being saved. */
    async save(draft: ProfileDraft): Promise<ProfileFault | null> {
      if (saving.peek()) return 'failed'
      saving.value = true
      try {
        await send(draft)
      } catch (thrown) {
        log.error('The profile was not saved', thrown)
        const { code } = toAppError(thrown)
        return faultOfCode[code] ?? nicknameRefusal(code) ?? 'failed'
      } finally {
        saving.value = false
      }
      // A saved profile that cannot be read again is shown by the next visit.
      await read().catch((thrown: unknown) => log.error('The saved profile could not be read', thrown))
      return null
    },

    forget(): void {
      reads += 1
      stored.value = null
    },
  }
}
