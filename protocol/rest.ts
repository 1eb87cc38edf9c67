import * as v from 'valibot'
import { addCurtainCounts, addExperience, reportConnection } from './call-counts.ts'
import {
  COOKIE_TIMEOUT_MS,
  FRAME_LIMIT,
  IP_LOOKUP_TIMEOUT_MS,
  LOG_BATCH_ENTRIES,
  LOG_BATCH_LIMIT,
  LOG_TIMEOUT_MS,
  NULL_EMAIL_ADDRESS,
  PICTURE_LIMIT,
} from './constants.ts'
import { contentNoticeEndpoints } from './content-notices.ts'
import { deletionCodeSchema, deletionStateSchema, pendingDeletionSchema } from './deletion.ts'
import { type Endpoint, get, type InputOf, post, remove, validSchema } from './endpoint.ts'
import {
  deviceTextSchema,
  emailSchema,
  genderSchema,
  hostNameSchema,
  ipDetailSchema,
  isoDaySchema,
  nicknameSchema,
  personNameSchema,
  platformSchema,
  providerSchema,
  sessionIdSchema,
  tokenSchema,
} from './fields.ts'
import { logEntrySchema } from './log-entry.ts'
import { endLoginSchema, ownLoginsSchema } from './logins.ts'
import { blockCaseSchema, blockStatusSchema } from './moderation.ts'
import { myDataSchema } from './my-data.ts'
import { onlineCountsSchema } from './online-counts.ts'
import { listOf, recordsOf } from './parse.ts'
import { profileEndpoints } from './profile-endpoints.ts'
import { readServiceStatus } from './service-status.ts'
import { blockStateSchema, deletionWaitSchema, readStart } from './start.ts'
import { readTransparency } from './transparency.ts'

const cookieValueSchema = v.object({ cookieValue: v.string('Cookie value missing or invalid') })
const cookieSetSchema = v.object({
  CookieValue: v.pipe(v.string('A cookie value is needed'), v.nonEmpty('A cookie value is needed'), v.maxLength(2048)),
})

const sessionEntrySchema = v.object({
  UserSessionId: sessionIdSchema,
  DeviceType: platformSchema,
  UserAppRunOn: deviceTextSchema,
  UserDeviceName: deviceTextSchema,
  UserDeviceOs: deviceTextSchema,
  UserCity: ipDetailSchema,
  UserCountry: ipDetailSchema,
})
export type SessionEntry = v.InferInput<typeof sessionEntrySchema>

const ipInfoSchema = v.object({
  ip: ipDetailSchema,
  hostname: hostNameSchema,
  city: ipDetailSchema,
  country: ipDetailSchema,
  loc: ipDetailSchema,
})
export type IpInfo = v.InferOutput<typeof ipInfoSchema>

/** The stored profile of a returning user; the date of birth cannot be changed. */
const storedProfileSchema = v.object({
  nickName: nicknameSchema,
  gender: genderSchema,
  dateOfBirth: isoDaySchema,
  /** The picture that the user chose, a WebP in base64; null if the user removed it. Missing if the picture comes from the provider. */
  picture: v.optional(v.nullable(v.string())),
})
export type StoredProfile = v.InferOutput<typeof storedProfileSchema>

/** A placeholder stands for a value that the client does not have: the login identifies the user of the frame. */
const frameFieldsSchema = v.object({
  EmailAddress: v.union([v.literal(NULL_EMAIL_ADDRESS), emailSchema], 'An e-mail address is needed'),
  UserSessionId: sessionIdSchema,
  /** The sender's browser has replaced the picture by noise. */
  PictureChanged: v.optional(v.literal('true')),
})

const profileFieldsSchema = v.object({
  EmailAddress: emailSchema,
  NickName: nicknameSchema,
  Gender: genderSchema,
  DOB: isoDaySchema,
  ConsentAgreed: v.literal('true', 'The community guidelines must be accepted'),
})

/** The login session identifies the user. Older clients also send an email address, which must then be that of the user. */
const byEmail = v.object({ userEmailAddress: v.optional(emailSchema) })

const frameForm = {
  fields: frameFieldsSchema,
  file: { name: 'VideoFrame', limit: FRAME_LIMIT, optional: false },
} as const

/** Every endpoint of the API, for the browser and the server. */
export const endpoints = {
  readStart,
  readSession: get('user/session/get', { login: false, response: cookieValueSchema }),
  createSession: post('user/session/create', { login: false, json: sessionEntrySchema, again: 'repeatable' }),
  addSession: post('user/session/add', {
    json: v.object({ UserSessionId: sessionIdSchema, EmailAddress: emailSchema }),
    again: 'repeatable',
  }),
  setTokens: post('cookie/access-refresh-token/set', {
    login: false,
    json: v.object({
      userEmailAddress: emailSchema,
      userSessionId: sessionIdSchema,
      sourceAccessToken: tokenSchema,
      platformType: platformSchema,
      source: providerSchema,
    }),
    timeoutMs: COOKIE_TIMEOUT_MS,
    // If the response is lost, so are its cookies, and the login session that the request opened is never used.
    again: 'repeatable',
  }),
  addOauthUser: post('user/oauth/add', {
    json: v.object({
      EmailAddress: emailSchema,
      FirstName: personNameSchema,
      LastName: personNameSchema,
      SourceName: providerSchema,
    }),
    /** `profile` is null on a first sign-in; otherwise the welcome form starts from it. */
    response: v.object({ message: v.string(), profile: v.nullable(storedProfileSchema) }),
    again: 'repeatable',
  }),
  addProfile: post('user/profile/add', {
    form: { fields: profileFieldsSchema, file: { name: 'ProfilePicture', limit: PICTURE_LIMIT, optional: true } },
    again: 'repeatable',
  }),
  readProfileCookie: get('cookie/user-profile/get', { response: cookieValueSchema, timeoutMs: COOKIE_TIMEOUT_MS }),
  setProfileCookie: post('cookie/user-profile/set', {
    json: cookieSetSchema,
    timeoutMs: COOKIE_TIMEOUT_MS,
    again: 'repeatable',
  }),
  deleteProfileCookie: remove('cookie/user-profile/delete', { timeoutMs: COOKIE_TIMEOUT_MS }),
  readSessionIdCookie: get('cookie/user-session-id/get', { response: cookieValueSchema, timeoutMs: COOKIE_TIMEOUT_MS }),
  setSessionIdCookie: post('cookie/user-session-id/set', {
    json: cookieSetSchema,
    timeoutMs: COOKIE_TIMEOUT_MS,
    again: 'repeatable',
  }),
  deleteSessionIdCookie: remove('cookie/user-session-id/delete', { timeoutMs: COOKIE_TIMEOUT_MS }),
  /** Returns a marker of presence, never the token. */
  readRefreshToken: get('cookie/refresh-token/get', { response: cookieValueSchema, timeoutMs: COOKIE_TIMEOUT_MS }),
  deleteRefreshToken: remove('cookie/refresh-token/delete', { timeoutMs: COOKIE_TIMEOUT_MS }),
  validateAccessToken: get('cookie/access-token/validate', { timeoutMs: COOKIE_TIMEOUT_MS }),
  /** Authorised only by the cookie of the refresh token. A 401 response is not retried after a refresh. */
  refreshAccessToken: post('cookie/access-token/refresh', {
    login: false,
    timeoutMs: COOKIE_TIMEOUT_MS,
    // A used token is accepted again during its grace period. After it the login session is lost, whether or not the request is sent again.
    again: 'repeatable',
  }),
  /** Returns a marker of presence, never the token. */
  readAccessToken: get('auth/access-token/get', { response: cookieValueSchema }),
  readHubToken: get('auth/hub-access-token/get', {
    query: v.object({ userSessionId: sessionIdSchema }),
    response: v.object({ hubConnectionAccessToken: v.pipe(v.string(), v.nonEmpty()) }),
  }),
  readBlockStatus: get('users/block/get', { query: byEmail, response: blockStateSchema }),
  seeCaseNotice: post('users/block/notice/seen', {
    json: v.object({ UserEmailAddress: emailSchema }),
    again: 'repeatable',
  }),
  appeal: post('users/block/appeal', {
    json: v.object({ UserEmailAddress: emailSchema }),
    response: v.object({ status: blockStatusSchema, case: v.nullish(blockCaseSchema) }),
    again: 'keyed',
  }),
  readBlockList: get('user/block/list', { query: byEmail, response: recordsOf(v.string()) }),
  readMatchedIds: get('user/matched-email-ids/get', {
    query: v.object({ userEmailId: v.optional(emailSchema) }),
    response: v.object({ matchedEmailIds: recordsOf(v.string()) }),
  }),
  readOnlineUsers: get('users/online/get', { login: false, response: onlineCountsSchema }),
  readIp: get('ip/get', { login: false, response: ipInfoSchema, timeoutMs: IP_LOOKUP_TIMEOUT_MS }),
  addIp: post('user/ip/add', {
    json: v.object({
      UserSessionId: sessionIdSchema,
      IpAddress: ipDetailSchema,
      HostName: hostNameSchema,
      City: ipDetailSchema,
      Country: ipDetailSchema,
      Coordinates: ipDetailSchema,
    }),
    timeoutMs: IP_LOOKUP_TIMEOUT_MS,
    again: 'repeatable',
  }),
  addVideoFrame: post('user/video-frame/add', {
    form: frameForm,
    /** `online` holds the numbers that the dashboard would otherwise request; servers of earlier versions do not send it. */
    response: v.object({ ...validSchema.entries, online: v.optional(onlineCountsSchema) }),
    again: 'keyed',
  }),
  addReportedFrame: post('report/video-frame/add', { form: frameForm, again: 'keyed' }),
  readTurn: get('turn', {
    /** `turnUrl` may be several URLs separated by commas. `turnUrl`, `username` and `credential` are empty without a TURN server. */
    response: v.object({ turnUrl: v.string(), username: v.string(), credential: v.string(), stunUrl: v.string() }),
  }),
  readServerTime: get('server/time/get', {
    login: false,
    /** `timestamp` is in milliseconds since 1970; `time` is the same moment in ISO 8601. */
    response: v.object({ timestamp: v.optional(v.number()), time: v.optional(v.string()) }),
  }),
  addLogs: post('logs/add', {
    login: false,
    json: listOf(logEntrySchema, LOG_BATCH_ENTRIES, `A log batch has at most ${LOG_BATCH_ENTRIES} entries`),
    jsonLimit: LOG_BATCH_LIMIT,
    response: v.string(),
    timeoutMs: LOG_TIMEOUT_MS,
  }),
  reportConnection,
  addCurtainCounts,
  addExperience,
  readServiceStatus,
  ...profileEndpoints,
  readLogins: get('user/logins/get', { response: ownLoginsSchema }),
  /** Ends one login session of the caller's account at once; succeeds if it has ended already. */
  endLogin: post('user/logins/end', { json: endLoginSchema, again: 'repeatable' }),
  /** Ends every login session of the caller's account except the requesting one. */
  endOtherLogins: post('user/logins/end-others', { again: 'repeatable' }),
  /**
   * Signs the same user in again with the provider. Login session and profile do not change. Rejected with
   * `other-account` if the provider names another account.
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
  readTransparency,
  ...contentNoticeEndpoints,
  logout: post('cookie/logout/user', {
    login: false,
    /**
     * The login session that is over, so that a late logout does not end that of the next user. Without it, the login
     * session of the cookies ends.
     */
    json: v.nullish(v.object({ UserSessionId: v.optional(sessionIdSchema) })),
    again: 'repeatable',
  }),
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

/** The input of a request: query fields, a JSON body, or form fields with `file`. */
export type EndpointInput<N extends EndpointName> = InputOf<Endpoints[N]>
export type EndpointOutput<N extends EndpointName> = v.InferOutput<Endpoints[N]['response']>
