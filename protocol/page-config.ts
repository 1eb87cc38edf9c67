import * as v from 'valibot'
import { logLevelSchema } from './fields.ts'
import { listOf } from './parse.ts'

/** The id of the JSON block in the page in which the server tells the browser its public configuration. */
export const PAGE_CONFIG_ID = 'page-config'

const linkSchema = v.pipe(v.string(), v.url())

const HUB_SITES_MAX = 16
const LOG_LEVELS_MAX = 16

/** Where the hub of a region is. */
const hubSiteSchema = v.object({ region: v.string(), origin: v.string() })
export type HubSite = v.InferOutput<typeof hubSiteSchema>

/** What an operator configures and a visitor's browser may know. An absent provider shows no button. */
export const pageConfigSchema = v.object({
  providers: v.object({
    google: v.nullable(v.object({ clientId: v.string() })),
    facebook: v.nullable(v.object({ appId: v.string() })),
    /** Both buttons open the server's own development sign-in. */
    development: v.boolean(),
  }),
  /** None where the page's own host has the only hub. */
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
  /** Whether camera pictures of the dashboard are looked at by a classifier. */
  frameClassifier: v.boolean(),
  matchTimeoutMs: v.number(),
  nextWaitSeconds: v.number(),
  understoodWaitSeconds: v.number(),
  /** Levels of the browser's own log that are sent; none of the others is even written. */
  logs: listOf(logLevelSchema, LOG_LEVELS_MAX),
})
export type PageConfig = v.InferOutput<typeof pageConfigSchema>

/** The message by which the development sign-in popup hands its result to the page that opened it. */
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
