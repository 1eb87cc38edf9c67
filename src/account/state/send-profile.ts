import type { FileInput } from '#protocol/endpoint.ts'
import type { Gender } from '#protocol/fields.ts'
import type { Api } from '../../platform/ports.ts'

export type ProfileInput = {
  nickName: string
  gender: Gender
  /** yyyy-MM-dd */
  dateOfBirth: string
}

/** Sends the profile with the consent, and the picture if there is one. */
export async function sendProfile(
  api: Api,
  email: string,
  input: ProfileInput,
  picture: FileInput | null,
): Promise<void> {
  await api.request('addProfile', {
    EmailAddress: email,
    NickName: input.nickName,
    Gender: input.gender,
    DOB: input.dateOfBirth,
    ConsentAgreed: 'true',
    ...(picture ? { file: picture } : {}),
  })
}
