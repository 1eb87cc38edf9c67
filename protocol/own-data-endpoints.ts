import * as v from 'valibot'
import { COOKIE_TIMEOUT_MS } from './constants.ts'
import { deletionCodeSchema, deletionStateSchema, pendingDeletionSchema } from './deletion.ts'
import { type Endpoint, validSchema } from './endpoint.ts'
import { providerSchema, tokenSchema } from './fields.ts'
import { endLoginSchema, ownLoginsSchema } from './logins.ts'
import { myDataSchema } from './my-data.ts'
import { deletionWaitSchema } from './start.ts'

/** Endpoints for a user's own login sessions, export and deletion: a part of the table in rest.ts. */
export const ownDataEndpoints = {
  /** Returns the login sessions of the caller's account. */
  readLogins: { method: 'GET', path: 'user/logins/get', login: true, response: ownLoginsSchema },
  /** Ends one login session of the caller's account at once; succeeds if it has ended already. */
  endLogin: {
    method: 'POST',
    path: 'user/logins/end',
    login: true,
    json: endLoginSchema,
    response: validSchema,
    again: 'repeatable',
  },
  /** Ends every login session of the caller's account except the requesting one. */
  endOtherLogins: {
    method: 'POST',
    path: 'user/logins/end-others',
    login: true,
    response: validSchema,
    again: 'repeatable',
  },
  /**
   * Signs the same user in again with the provider; login session and profile do not change. Rejected with `other-account` if
   * the provider names another account.
   */
  signInAgain: {
    method: 'POST',
    path: 'user/logins/sign-in-again',
    login: true,
    json: v.object({ source: providerSchema, sourceAccessToken: tokenSchema }),
    response: validSchema,
    timeoutMs: COOKIE_TIMEOUT_MS,
    again: 'repeatable',
  },
  /** Returns everything that is stored about the caller. Rejected with `sign-in-again` if the last sign-in is too old. */
  exportData: { method: 'GET', path: 'user/data/get', login: true, response: myDataSchema },
  /** Ends every login session of the caller at once and schedules the deletion. Rejected like `exportData`. */
  deleteData: {
    method: 'POST',
    path: 'user/data/delete',
    login: true,
    response: pendingDeletionSchema,
    again: 'repeatable',
  },
  readDeletion: {
    method: 'GET',
    path: 'user/data/deletion/get',
    login: true,
    response: deletionWaitSchema,
  },
  /** Cancels the requested deletion. */
  keepData: { method: 'POST', path: 'user/data/keep', login: true, response: validSchema, again: 'repeatable' },
  /** Returns the state of a deletion that was requested at the identity provider. */
  readDeletionStatus: {
    method: 'GET',
    path: 'user/data/deletion-status/get',
    login: false,
    query: v.object({ code: deletionCodeSchema }),
    response: v.object({ state: deletionStateSchema }),
  },
} as const satisfies Record<string, Endpoint>
