import { NOT_AVAILABLE } from '#protocol/constants.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { AttachedLoginSession, LoginSessions, RefreshTokens } from '../rules/login-ports.ts'

async function create(db: Database, id: string, at: number): Promise<void> {
  await db
    .insertInto('userSessions')
    .values({ id, createdAt: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns null for `NOT_AVAILABLE`, which a browser sends in place of an unknown name. */
const knownName = (name: string | null) => (name === NOT_AVAILABLE ? null : name)

async function attachedTo(db: Database, accountId: string): Promise<AttachedLoginSession[]> {
  const rows = await db
    .selectFrom('userSessions as session')
    .leftJoin('ipDetails as location', 'location.sessionId', 'session.id')
    .select(['session.id', 'signedInAt', 'attachedAt', 'createdAt', 'browser', 'device', 'os'])
    .select(['session.city', 'session.country', 'location.city as locatedCity', 'location.country as locatedCountry'])
    .select((build) =>
      build
        .selectFrom('refreshTokens as token')
        .select((inner) => inner.fn.max('token.expiresAt').as('until'))
        .whereRef('token.sessionId', '=', 'session.id')
        .where('token.accountId', '=', accountId)
        .where('token.usedAt', 'is', null)
        .as('until'),
    )
    // The condition on the owner uses an index; there is none on the account.
    .where('session.ownerId', '=', accountId)
    .where('session.accountId', '=', accountId)
    .orderBy('attachedAt', 'desc')
    .orderBy('session.id')
    .execute()
  return rows.map(({ id, signedInAt, attachedAt, createdAt, until, browser, device, os, ...location }) => ({
    id,
    signedInAt: signedInAt ?? createdAt,
    seenAt: attachedAt ?? createdAt,
    until,
    browser: knownName(browser),
    device: knownName(device),
    os: knownName(os),
    city: knownName(location.locatedCity) ?? knownName(location.city),
    country: knownName(location.locatedCountry) ?? knownName(location.country),
  }))
}

export function createLoginSessions(db: Database): LoginSessions {
  return {
    create: (id, at) => create(db, id, at),

    async find(id) {
      const row = await db
        .selectFrom('userSessions')
        .select(['id', 'accountId', 'enteredAt', 'signedInAt', 'createdAt'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      const { accountId, enteredAt, signedInAt, createdAt } = row
      return { id, accountId, entered: enteredAt !== null, signedInAt: signedInAt ?? createdAt }
    },

    async enter(entry, at) {
      const { UserAppRunOn: browser, UserDeviceName: device, UserDeviceOs: os } = entry
      const { UserCity: city = null, UserCountry: country = null } = entry
      const entered = { enteredAt: at, browser, device, os, city, country }
      await db.updateTable('userSessions').set(entered).where('id', '=', entry.UserSessionId).execute()
    },

    open: (token, at) =>
      db.transaction().execute(async (step) => {
        const { sessionId, accountId } = token
        await create(step, sessionId, at)
        const login = { accountId, ownerId: accountId, attachedAt: at, signedInAt: at }
        await step.updateTable('userSessions').set(login).where('id', '=', sessionId).execute()
        await step.deleteFrom('refreshTokens').where('sessionId', '=', sessionId).execute()
        await step.insertInto('refreshTokens').values(token).execute()
      }),

    recordVisit: (id, accountId, at) => touchLoginSession(db, id, accountId, { attachedAt: at }),

    confirmSignIn: (id, accountId, at) => touchLoginSession(db, id, accountId, { attachedAt: at, signedInAt: at }),

    attachedTo: (accountId) => attachedTo(db, accountId),

    async setLocation(id, location) {
      await db
        .insertInto('ipDetails')
        .values({ sessionId: id, ...location })
        .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(location))
        .execute()
    },

    async deviceOf(id) {
      const sessions = db.selectFrom('userSessions').select(['browser', 'device', 'os'])
      const row = await sessions.where('id', '=', id).executeTakeFirst()
      return row?.browser ? JSON.stringify([row.browser, row.device, row.os]) : null
    },

    end: (id, accountId) =>
      db.transaction().execute(async (step) => {
        // Locks the row even if this account is not signed in with it: else a sign-in at the same time could add a
        // token that the deletion below would remove.
        await step
          .updateTable('userSessions')
          .set(({ fn, ref, val }) => ({ accountId: fn('nullif', [ref('accountId'), val(accountId)]) }))
          .where('id', '=', id)
          .execute()
        const tokens = step.deleteFrom('refreshTokens').where('accountId', '=', accountId).where('sessionId', '=', id)
        await deleteUntilNoneLeft(() => tokens.executeTakeFirst())
      }),
  }
}

/** Sets these times of the login session. Changes nothing and returns false unless this account is still signed in with it. */
function touchLoginSession(
  db: Database,
  id: string,
  accountId: string,
  times: { attachedAt: number; signedInAt?: number },
): Promise<boolean> {
  return changesRow(
    db
      .updateTable('userSessions')
      .set(times)
      .where((session) => session.and({ id, accountId })),
  )
}

/**
 * Repeats a deletion of tokens until it deletes none. A rotation in a concurrent transaction can add a token that the deletion does
 * not see; the deletion waits for that transaction's row lock, so that the next deletion sees the new token.
 */
export async function deleteUntilNoneLeft(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  let removed = 1n
  while (removed > 0n) removed = (await remove()).numDeletedRows
}

export function createRefreshTokens(db: Database): RefreshTokens {
  return {
    async find(digest) {
      const row = await db.selectFrom('refreshTokens').selectAll().where('digest', '=', digest).executeTakeFirst()
      return row ?? null
    },

    rotate(digest, use, next) {
      return db.transaction().execute(async (step) => {
        // Locks the login session first, in the same order as all statements that end a login.
        if (!(await touchLoginSession(step, next.sessionId, next.accountId, { attachedAt: use.usedAt }))) return 'ended'
        const unused = step.updateTable('refreshTokens').where((token) => token.and({ digest, usedAt: null }))
        if (!(await changesRow(unused.set(use)))) return 'used'
        await step.insertInto('refreshTokens').values(next).execute()
        return 'rotated'
      })
    },

    async setCrossed(digest) {
      await db.updateTable('refreshTokens').set({ isCrossed: 1 }).where('digest', '=', digest).execute()
    },

    async revokeFamily(family) {
      await deleteUntilNoneLeft(() => db.deleteFrom('refreshTokens').where('family', '=', family).executeTakeFirst())
    },
  }
}
