import { type Checked, isFlag, isLink, isListOf, isNullOr, isNumber, isObjectOf, isOneOf, isText } from './checks.ts'
import { LOG_LEVELS } from './constants.ts'

/** The id of the JSON block in which the server writes the public configuration into the page. */
export const PAGE_CONFIG_ID = 'page-config'

const HUB_SITES_MAX = 16
const LOG_LEVELS_MAX = 16

/** A region and the origin of its hub. */
const isHubSite = isObjectOf({ region: isText, origin: isText })
export type HubSite = Checked<typeof isHubSite>

/** The public part of the operator's configuration. A provider that is null has no button. */
export const isPageConfig = isObjectOf({
  providers: isObjectOf({
    google: isNullOr(isObjectOf({ clientId: isText })),
    facebook: isNullOr(isObjectOf({ appId: isText })),
    /** True if both buttons open the server's own development sign-in. */
    development: isFlag,
  }),
  /** Empty if the page's own host has the only hub. */
  hubs: isListOf(isHubSite, HUB_SITES_MAX),
  /** Null if the operator has no such address. The same holds for every link below; the page does not show what is null. */
  contactEmail: isNullOr(isText),
  storeUrl: isNullOr(isLink),
  socialLinks: isObjectOf({
    linkedin: isNullOr(isLink),
    twitter: isNullOr(isLink),
    instagram: isNullOr(isLink),
    facebook: isNullOr(isLink),
    whatsapp: isNullOr(isLink),
    snapchat: isNullOr(isLink),
    youtube: isNullOr(isLink),
    tiktok: isNullOr(isLink),
  }),
  /** Whether a classifier checks camera pictures of the dashboard. */
  frameClassifier: isFlag,
  /** Number of flagged looks in a row after which the safety curtain veils a picture of a call; 0 if there is no curtain. */
  curtainLooks: isNumber,
  /** Highest bit rate of the picture that is sent over a relay. */
  relayVideoKbps: isNumber,
  /** Share, from 0 to 1, of the visits with consent that report the user's experience of calls. */
  experienceShare: isNumber,
  matchTimeoutMs: isNumber,
  nextWaitSeconds: isNumber,
  understoodWaitSeconds: isNumber,
  /** Whether there is the page /profile, which shows what this browser measured. */
  profilePage: isFlag,
  /** Log levels that the browser records and sends; entries of other levels are discarded. */
  logs: isListOf(isOneOf(LOG_LEVELS), LOG_LEVELS_MAX),
})
export type PageConfig = Checked<typeof isPageConfig>
