import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { Platform } from '../platform/platform.ts'
import { transparencyRoutes } from './http/transparency-routes.ts'
import { createTransparencyRecords } from './records/transparency-records.ts'

/** Transparency reports: computed and published by the operator's command, and served to everybody. */
export function composeTransparency({ database }: Platform) {
  const { transparency } = database.records(createTransparencyRecords)
  const endpoints: UserEndpointGroup = (endpoint, app) => transparencyRoutes(endpoint, app, transparency)
  return { records: transparency, endpoints }
}
