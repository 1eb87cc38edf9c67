import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Profiles, StoredPicture } from '../rules/profile-ports.ts'

function columnsOf(picture: StoredPicture | null) {
  const { large = null, thumbnail = null, check = 'unchecked' } = picture ?? {}
  return { picture: large, thumbnail, pictureCheck: check, pictureChosen: 1 }
}

export function createProfiles(db: Database): Profiles {
  return {
    async find(accountId) {
      const row = await db
        .selectFrom('profiles')
        .select(['nickName', 'gender', 'dateOfBirth', 'showsPicture'])
        .select(['picture', 'thumbnail', 'pictureCheck', 'pictureChosen'])
        .where('accountId', '=', accountId)
        .executeTakeFirst()
      if (!row) return null
      const { picture, thumbnail, pictureCheck, pictureChosen, showsPicture, ...profile } = row
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
        .select(['thumbnail', 'pictureCheck as check'])
        .where('accountId', '=', accountId)
        .where('showsPicture', '=', 1)
        .where('picture', 'is not', null)
        .executeTakeFirst()
      return row ?? null
    },

    change(accountId, { nickName, gender, showsPicture, picture }) {
      const change = { nickName, gender, showsPicture: Number(showsPicture) }
      const chosen = picture !== undefined && columnsOf(picture)
      return changesRow(
        db
          .updateTable('profiles')
          .set({ ...change, ...chosen })
          .where('accountId', '=', accountId),
      )
    },

    async complete(accountId, { large, thumbnail, check }) {
      await db
        .updateTable('profiles')
        .set(check === 'refused' ? { ...columnsOf(null), pictureCheck: check } : { thumbnail, pictureCheck: check })
        .where('accountId', '=', accountId)
        .where('picture', '=', large)
        .execute()
    },

    correctBirth: (accountId, dateOfBirth) =>
      changesRow(db.updateTable('profiles').set({ dateOfBirth }).where('accountId', '=', accountId)),
  }
}
