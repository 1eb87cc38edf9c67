import * as v from 'valibot'
import { logLevelSchema } from './fields.ts'
import { listOf } from './parse.ts'

/** The id of the JSON block in which the server writes the public configuration into the page. */
export const PAGE_CONFIG_ID = 'page-config'

const linkSchema = v.pipe(v.string(), v.url())

const HUB_SITES_MAX = 16
const LOG_LEVELS_MAX = 16

/** A region and the origin of its hub. */
const hubSiteSchema = v.object({ region: v.string(), origin: v.string() })
export type HubSite = v.InferOutput<typeof hubSiteSchema>

/** The public part of the operator's configuration. A provider that is null has no button. */
export const pageConfigSchema = v.object({
  providers: v.object({
    google: v.nullable(v.object({ clientId: v.string() })),
    facebook: v.nullable(v.object({ appId: v.string() })),
    /** True if both buttons open the server's own development sign-in. */
    development: v.boolean(),
  }),
  /** Empty if the page's own host has the only hub. */
  hubs: listOf(hubSiteSchema, HUB_SITES_MAX),
  contactEmail: v.string(),
  storeUrl: linkSchema,
  socialLinks: v.object({
    linkedin: linkSchema,
    twitter: linkSchema,
    instagram: linkSchema,
    facebook: linkSchema,
    whatsapp: linkSchema,
    snapchat: linkSchema,
    youtube: linkSchema,
    tiktok: linkSchema,
  }),
  /** Whether a classifier checks camera pictures of the dashboard. */
  frameClassifier: v.boolean(),
  matchTimeoutMs: v.number(),
  nextWaitSeconds: v.number(),
  understoodWaitSeconds: v.number(),
  /** Log levels that the browser records and sends; entries of other levels are discarded. */
  logs: listOf(logLevelSchema, LOG_LEVELS_MAX),
})
export type PageConfig = v.InferOutput<typeof pageConfigSchema>

/** The message that the development sign-in popup posts to the page that opened it. */
export const developmentIdentitySchema = v.object({
  type: v.literal('development-identity'),
  identity: v.nullable(
    v.object({
      accessToken: v.string(),
      email: v.string(),
      firstName: v.string(),
      lastName: v.string(),
      pictureUrl: v.string(),
    }),
  ),
})
