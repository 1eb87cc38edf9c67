import * as v from 'valibot'
import { COOKIE_TIMEOUT_MS } from './constants.ts'
import { deletionCodeSchema, deletionStateSchema, pendingDeletionSchema } from './deletion.ts'
import { type Endpoint, get, post } from './endpoint.ts'
import { providerSchema, tokenSchema } from './fields.ts'
import { endLoginSchema, ownLoginsSchema } from './logins.ts'
import { myDataSchema } from './my-data.ts'
import { deletionWaitSchema } from './start.ts'

/** Endpoints for a user's own login sessions, export and deletion: a part of the table in rest.ts. */
export const ownDataEndpoints = {
  /** Returns the login sessions of the caller's account. */
  readLogins: get('user/logins/get', { response: ownLoginsSchema }),
  /** Ends one login session of the caller's account at once; succeeds if it has ended already. */
  endLogin: post('user/logins/end', { json: endLoginSchema, again: 'repeatable' }),
  /** Ends every login session of the caller's account except the requesting one. */
  endOtherLogins: post('user/logins/end-others', { again: 'repeatable' }),
  /**
   * Signs the same user in again with the provider; login session and profile do not change. Rejected with `other-account` if
   * the provider names another account.
   */
  signInAgain: post('user/logins/sign-in-again', {
    json: v.object({ source: providerSchema, sourceAccessToken: tokenSchema }),
    timeoutMs: COOKIE_TIMEOUT_MS,
    again: 'repeatable',
  }),
  /** Returns everything that is stored about the caller. Rejected with `sign-in-again` if the last sign-in is too old. */
  exportData: get('user/data/get', { response: myDataSchema }),
  /** Ends every login session of the caller at once and schedules the deletion. Rejected like `exportData`. */
  deleteData: post('user/data/delete', { response: pendingDeletionSchema, again: 'repeatable' }),
  readDeletion: get('user/data/deletion/get', { response: deletionWaitSchema }),
  /** Cancels the requested deletion. */
  keepData: post('user/data/keep', { again: 'repeatable' }),
  /** Returns the state of a deletion that was requested at the identity provider. */
  readDeletionStatus: get('user/data/deletion-status/get', {
    login: false,
    query: v.object({ code: deletionCodeSchema }),
    response: v.object({ state: deletionStateSchema }),
  }),
} satisfies Record<string, Endpoint>
