import * as v from 'valibot'
import { PICTURE_LIMIT, SUGGESTIONS_MAX } from './constants.ts'
import { type Endpoint, get, post, validSchema } from './endpoint.ts'
import { genderSchema, isoDaySchema, nicknameSchema, sessionIdSchema } from './fields.ts'
import { listOf } from './parse.ts'
import { preferencesSchema, storedPreferencesSchema } from './preferences.ts'

/** A WebP in base64; the server encodes every profile picture as WebP. */
const webpSchema = v.nullable(v.pipe(v.string(), v.base64()))

/**
 * `checking`: the classifier has not judged the picture yet, and nobody else sees it. `refused`: the classifier flagged
 * the picture, and the server removed it. `ready`: others see the picture if the user shows it.
 */
const ownPictureStateSchema = v.picklist(['none', 'ready', 'checking', 'refused'])
export type OwnPictureState = v.InferOutput<typeof ownPictureStateSchema>

const flagSchema = v.picklist(['true', 'false'], 'This is true or false')

const ownProfileSchema = v.object({
  nickName: nicknameSchema,
  gender: genderSchema,
  dateOfBirth: isoDaySchema,
  /** Whether the people that the user meets see the picture. */
  showsPicture: v.boolean(),
  pictureState: ownPictureStateSchema,
  picture: webpSchema,
  /** Older servers send neither languages nor interests. */
  languages: v.optional(storedPreferencesSchema.entries.languages),
  interests: v.optional(storedPreferencesSchema.entries.interests),
})
export type OwnProfile = v.InferOutput<typeof ownProfileSchema>

/** Endpoints for a user's own profile, and for the picture of the peer: a part of the table in rest.ts. */
export const profileEndpoints = {
  readProfile: get('user/profile/get', { response: ownProfileSchema }),
  /**
   * Changes the stored profile, except the date of birth. Rejected with `wrong-state` before the first profile, and with `picture-refused`
   * if the classifier flags the picture. Without a picture and without `RemovePicture` the stored picture is kept.
   */
  changeProfile: post('user/profile/change', {
    form: {
      fields: v.object({
        NickName: nicknameSchema,
        Gender: genderSchema,
        ShowPicture: flagSchema,
        RemovePicture: v.optional(flagSchema, 'false'),
      }),
      file: { name: 'ProfilePicture', limit: PICTURE_LIMIT, optional: true },
    },
    response: v.object({ ...validSchema.entries, pictureState: ownPictureStateSchema }),
    again: 'repeatable',
  }),
  /**
   * Returns the small picture of the caller's present partner; null if the partner has no picture or does not show it. `session` is the id
   * of the match. Rejected with `not-found` unless the match goes on and the caller is one of its two users.
   */
  readMatchPicture: get('match/picture/get', {
    query: v.object({ session: sessionIdSchema }),
    response: v.object({ picture: webpSchema }),
  }),
  /** Replaces languages and interests, and returns them as they are kept. Rejected with `wrong-state` before the first profile. */
  changePreferences: post('profile/preferences', {
    json: preferencesSchema,
    response: storedPreferencesSchema,
    again: 'repeatable',
  }),
  /** Interests that settled users of `SUGGESTED_FROM_NETWORKS` networks or more have chosen, the most used first. */
  readSuggestions: get('profile/suggestions', {
    response: v.object({ interests: listOf(v.string(), SUGGESTIONS_MAX) }),
  }),
} satisfies Record<string, Endpoint>
