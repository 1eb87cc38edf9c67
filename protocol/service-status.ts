import * as v from 'valibot'
import { get } from './endpoint.ts'

/** The parts of the product that the page /status shows. */
export type ServicePart = 'signIn' | 'matching' | 'calls' | 'pictures'

/** `works`: nothing is known to be wrong. `trouble`: the part fails for some people. */
const partStatusSchema = v.variant('state', [
  v.object({ state: v.literal('works') }),
  /** `since`: when the part last worked, by the server's clock. */
  v.object({ state: v.picklist(['trouble', 'down']), since: v.number() }),
])
export type PartStatus = v.InferOutput<typeof partStatusSchema>

const serviceStatusSchema = v.object({
  signIn: partStatusSchema,
  matching: partStatusSchema,
  calls: partStatusSchema,
  pictures: partStatusSchema,
})
export type ServiceStatus = v.InferOutput<typeof serviceStatusSchema>

/** Shorter than that of other endpoints: a user who asks for the status already suspects that the server does not answer. */
const STATUS_TIMEOUT_MS = 5_000

/** Public: the response has states and times, but no count and no name of a machine. */
export const readServiceStatus = get('status/get', {
  login: false,
  response: serviceStatusSchema,
  timeoutMs: STATUS_TIMEOUT_MS,
})
