import * as v from 'valibot'
import { genderSchema } from '#protocol/fields.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import { pictureChecks } from '../rules/picture-check.ts'
import type { Profiles, StoredPicture } from '../rules/profile-ports.ts'

const shownEntries = {
  pictureCheck: v.picklist(pictureChecks),
  thumbnail: v.nullable(v.instance(Uint8Array)),
}
const shownSchema = v.object(shownEntries)
const rowSchema = v.object({
  ...shownEntries,
  nickName: v.string(),
  gender: genderSchema,
  dateOfBirth: v.string(),
  showsPicture: v.number(),
  pictureChosen: v.number(),
  picture: v.nullable(v.instance(Uint8Array)),
})

/** The columns of a picture that its user chose, or of none. */
function columnsOf(picture: StoredPicture | null) {
  const { large = null, thumbnail = null, check = 'unchecked' } = picture ?? {}
  return { picture: large, thumbnail, pictureCheck: check, pictureChosen: 1 }
}

export function createProfiles(db: Database): Profiles {
  return {
    async find(accountId) {
      const row = await db
        .selectFrom('profiles')
        .select([
          'nickName',
          'gender',
          'dateOfBirth',
          'showsPicture',
          'pictureChosen',
          'pictureCheck',
          'picture',
          'thumbnail',
        ])
        .where('accountId', '=', accountId)
        .executeTakeFirst()
      if (!row) return null
      const { picture, thumbnail, pictureCheck, pictureChosen, showsPicture, ...profile } = parse(rowSchema, row)
      return {
        ...profile,
        showsPicture: showsPicture === 1,
        isPictureChosen: pictureChosen === 1,
        isPictureRefused: pictureCheck === 'refused',
        picture: picture && { large: picture, thumbnail, check: pictureCheck },
      }
    },

    async findShown(accountId) {
      const row = await db
        .selectFrom('profiles')
        .select(['thumbnail', 'pictureCheck'])
        .where('accountId', '=', accountId)
        .where('showsPicture', '=', 1)
        .where('picture', 'is not', null)
        .executeTakeFirst()
      if (!row) return null
      const { thumbnail, pictureCheck } = parse(shownSchema, row)
      return { thumbnail, check: pictureCheck }
    },

    async change(accountId, { nickName, gender, showsPicture, picture }) {
      const { numUpdatedRows } = await db
        .updateTable('profiles')
        .set({
          nickName,
          gender,
          showsPicture: Number(showsPicture),
          ...(picture !== undefined && columnsOf(picture)),
        })
        .where('accountId', '=', accountId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async complete(accountId, { large, thumbnail, check }) {
      await db
        .updateTable('profiles')
        .set(check === 'refused' ? { ...columnsOf(null), pictureCheck: check } : { thumbnail, pictureCheck: check })
        .where('accountId', '=', accountId)
        .where('picture', '=', large)
        .execute()
    },

    async correctBirth(accountId, dateOfBirth) {
      const { numUpdatedRows } = await db
        .updateTable('profiles')
        .set({ dateOfBirth })
        .where('accountId', '=', accountId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
