import * as v from 'valibot'
import { COOKIE_TIMEOUT_MS } from './constants.ts'
import { type Endpoint, validSchema } from './endpoint.ts'
import { providerSchema, tokenSchema } from './fields.ts'
import { endLoginSchema, ownLoginsSchema } from './logins.ts'
import { deletionCodeSchema, deletionStateSchema, myDataSchema, pendingDeletionSchema } from './my-data.ts'

/** The endpoints of a person's own logins, export and deletion: a part of the table in rest.ts. */
export const ownDataEndpoints = {
  /** Where the caller's account is signed in. */
  readLogins: { method: 'GET', path: 'user/logins/get', login: true, response: ownLoginsSchema },
  /** Ends one login of the caller's account at once; one that is over already is no error. */
  endLogin: {
    method: 'POST',
    path: 'user/logins/end',
    login: true,
    json: endLoginSchema,
    response: validSchema,
    again: 'repeatable',
  },
  /** Ends every login of the caller's account but the one that asks. */
  endOtherLogins: {
    method: 'POST',
    path: 'user/logins/end-others',
    login: true,
    response: validSchema,
    again: 'repeatable',
  },
  /**
   * Signs the same person in again with the provider; session and profile stay as they are. Refused with `other-account` where the
   * provider names another person.
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
  /** Everything that the server keeps about the caller. Refused with `sign-in-again` where the sign-in is too old. */
  exportData: { method: 'GET', path: 'user/data/get', login: true, response: myDataSchema },
  /** Ends every login of the caller at once; the deletion itself follows later. Refused as of `exportData`. */
  deleteData: {
    method: 'POST',
    path: 'user/data/delete',
    login: true,
    response: pendingDeletionSchema,
    again: 'repeatable',
  },
  /** `deletion` is null while none was asked for; `delayDays` is how long one can be taken back. */
  readDeletion: {
    method: 'GET',
    path: 'user/data/deletion/get',
    login: true,
    response: v.object({ deletion: v.nullable(pendingDeletionSchema), delayDays: v.number() }),
  },
  /** Takes the wish for deletion back. */
  keepData: { method: 'POST', path: 'user/data/keep', login: true, response: validSchema, again: 'repeatable' },
  /** What became of a deletion that was asked for at the identity provider. */
  readDeletionStatus: {
    method: 'GET',
    path: 'user/data/deletion-status/get',
    login: false,
    query: v.object({ code: deletionCodeSchema }),
    response: v.object({ state: deletionStateSchema }),
  },
} as const satisfies Record<string, Endpoint>
