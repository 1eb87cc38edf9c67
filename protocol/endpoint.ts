import * as v from 'valibot'

type Method = 'GET' | 'POST' | 'DELETE'
type Fields = v.GenericSchema<object, object>
type AnySchema = v.GenericSchema<unknown, unknown>

/** A file part of a form: its field name, its largest size in bytes, and whether the form may go without it. */
type FilePart = { name: string; limit: number; optional: boolean }

/** One call of the API. The path is below API_BASE; `query`, `json` and `form` are what the caller sends. */
export type Endpoint = {
  method: Method
  path: string
  /** Without it the call is open to a visitor who has not signed in. */
  login: boolean
  query?: Fields
  json?: AnySchema
  /** Largest JSON body in bytes, where it is not JSON_LIMIT. */
  jsonLimit?: number
  form?: { fields: Fields; file: FilePart }
  response: AnySchema
  /** Where it is not API_TIMEOUT_MS. */
  timeoutMs?: number
  /**
   * How a POST may be sent again that may have been carried out: `repeatable` does no harm twice; `keyed` carries an
   * Idempotency-Key, by which the server knows it again and answers as before. A keyed call needs a login, so that nobody gets
   * somebody else's answer, and sets no cookie. Any other is sent once.
   */
  again?: 'repeatable' | 'keyed'
}

/** The response of an endpoint that returns nothing but success. */
export const validSchema = v.object({ message: v.string() })

/** What a browser's Blob and Node's have in common. */
type BlobLike = { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> }
/** A file as it is sent: its bytes and the name the form gives it. */
export type FileInput = { blob: BlobLike; fileName: string }

/** What the caller of one call hands over. */
export type InputOf<C extends Endpoint> = C extends { query: infer S extends AnySchema }
  ? v.InferInput<S>
  : C extends { json: infer S extends AnySchema }
    ? v.InferInput<S>
    : C extends { form: { fields: infer S extends AnySchema; file: infer F } }
      ? v.InferInput<S> & (F extends { optional: true } ? { file?: FileInput } : { file: FileInput })
      : undefined
