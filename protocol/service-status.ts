import * as v from 'valibot'
import type { Endpoint } from './endpoint.ts'

/** The parts of the product that the page /status speaks of. */
export type ServicePart = 'signIn' | 'matching' | 'calls' | 'pictures'

/** `works`: nothing is known to be wrong. `trouble`: it fails for some people. */
const partStateSchema = v.picklist(['works', 'trouble', 'down'])
export type PartState = v.InferOutput<typeof partStateSchema>

const serviceStatusSchema = v.object({
  signIn: partStateSchema,
  matching: partStateSchema,
  calls: partStateSchema,
  pictures: partStateSchema,
})
export type ServiceStatus = v.InferOutput<typeof serviceStatusSchema>

/** A part of the table in rest.ts. */
export const statusEndpoints = {
  /** For everybody: words alone, no count and no name of a machine. */
  readServiceStatus: { method: 'GET', path: 'status/get', login: false, response: serviceStatusSchema },
} as const satisfies Record<string, Endpoint>
