import * as v from 'valibot'
import { errorCodes } from './errors.ts'

const errorCodeSchema = v.picklist(errorCodes)

/** An RFC 9457 problem document as the API sends it; `field` names the rejected input. */
export const problemSchema = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  code: v.fallback(errorCodeSchema, 'unknown'),
  detail: v.optional(v.string()),
  field: v.optional(v.string()),
})
export type Problem = v.InferOutput<typeof problemSchema>
