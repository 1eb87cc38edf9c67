import * as v from 'valibot'

type Method = 'GET' | 'POST' | 'DELETE'
type Fields = v.GenericSchema<object, object>
type AnySchema = v.GenericSchema<unknown, unknown>

/** A file part of a form: its field name, its largest size in bytes, and whether it may be absent. */
type FilePart = { name: string; limit: number; optional: boolean }

/** One endpoint of the API. `path` is relative to API_BASE; `query`, `json` and `form` are the schemas of what a client sends. */
export type Endpoint = {
  method: Method
  path: string
  /** False for an endpoint that needs no sign-in. */
  login: boolean
  /**
   * True for a GET that replaces the refresh token. It must carry REQUESTED_WITH as a POST does: a page of another site
   * could open its URL, and close that page before the response has set the cookies.
   */
  byScript?: true
  query?: Fields
  json?: AnySchema
  /** Largest JSON body in bytes; JSON_LIMIT by default. */
  jsonLimit?: number
  form?: { fields: Fields; file: FilePart }
  response: AnySchema
  /** API_TIMEOUT_MS by default. */
  timeoutMs?: number
  /**
   * Whether a POST may be sent again although the first request may have succeeded. `repeatable`: the POST is idempotent. `keyed`: it
   * carries an Idempotency-Key, and the server repeats its first response. A keyed endpoint needs a login, so that a response is repeated
   * to its own user only, and sets no cookie. Any other POST is sent once.
   */
  again?: 'repeatable' | 'keyed'
}

/** The response of an endpoint that reports nothing but success. */
export const validSchema = v.object({ message: v.string() })

const usual = { login: true, response: validSchema } as const
type Built<M extends Method, P> = { method: M; path: string } & Omit<typeof usual, keyof P> & P
/** Gives a misspelt property the type never, which makes it an error. */
type Parts<P> = P & { [Name in Exclude<keyof P, keyof Endpoint>]: never }

// Each of these functions returns an endpoint that needs a login and whose response is `validSchema`, unless `parts` says otherwise.
// Without the annotations, a bundle that uses one schema of a table of endpoints would contain the whole table.

/* @__NO_SIDE_EFFECTS__ */
export function get<const P extends Partial<Endpoint>>(path: string, parts: Parts<P>) {
  return { method: 'GET', path, ...usual, ...parts } as unknown as Built<'GET', P>
}
/* @__NO_SIDE_EFFECTS__ */
export function post<const P extends Partial<Endpoint>>(path: string, parts: Parts<P>) {
  return { method: 'POST', path, ...usual, ...parts } as unknown as Built<'POST', P>
}
/* @__NO_SIDE_EFFECTS__ */
export function remove<const P extends Partial<Endpoint>>(path: string, parts: Parts<P>) {
  return { method: 'DELETE', path, ...usual, ...parts } as unknown as Built<'DELETE', P>
}

/** What the Blobs of browsers and of Node have in common. */
type BlobLike = { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> }
/** A file to upload: its bytes and its file name in the form. */
export type FileInput = { blob: BlobLike; fileName: string }

/** The input of one request to an endpoint. */
export type InputOf<E extends Endpoint> = E extends { query: infer S extends AnySchema }
  ? v.InferInput<S>
  : E extends { json: infer S extends AnySchema }
    ? v.InferInput<S>
    : E extends { form: { fields: infer S extends AnySchema; file: infer F } }
      ? v.InferInput<S> & (F extends { optional: true } ? { file?: FileInput } : { file: FileInput })
      : undefined
