import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { DAY_MS } from '#protocol/durations.ts'
import type { AppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import { fieldError } from '../../platform/http/problems.ts'
import { FACEBOOK_RATE } from '../../platform/http/rate-limits.ts'
import { type DeletionHttp, digestOf } from './my-data-routes.ts'

const FORM = 'application/x-www-form-urlencoded'
const BODY_LIMIT = 16 * 1024
/** Difference between the time in a signed request and the server's clock above which the request is refused. */
const FRESH_MS = DAY_MS
const CODE_BYTES = 16

const formSchema = v.object({ signed_request: v.pipe(v.string(), v.maxLength(8192)) })
const payloadSchema = v.object({
  algorithm: v.literal('HMAC-SHA256'),
  issued_at: v.number(),
  user_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
})
type Payload = v.InferOutput<typeof payloadSchema>

function refused(detail: string): AppError {
  return fieldError('bad-request', 'signed_request', detail)
}

function isSignedWith(secret: string, payload: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(payload).digest()
  return isSameSecret(Buffer.from(signature, 'base64url'), expected)
}

/** Returns the content of a signed request after a check of its signature and its time. Throws `bad-request`. */
function readSignedRequest(text: string, secret: string, now: number): Payload {
  const [signature = '', payload = '', ...more] = text.split('.')
  if (more.length > 0 || !isSignedWith(secret, payload, signature)) throw refused('The signature is wrong')
  const decoded = Buffer.from(payload, 'base64url').toString('utf8')
  const parsed = tryParse(v.pipe(v.string(), v.parseJson(), payloadSchema), decoded)
  if (!parsed.success) throw refused('The content is wrong')
  if (Math.abs(now - parsed.output.issued_at * 1000) > FRESH_MS) throw refused('The request is not of today')
  return parsed.output
}

/**
 * The endpoint to which Facebook sends the deletion request of a user who removes the app at Facebook. The request is authenticated by its
 * signature; it has no Origin and no cookie. A repeated request changes nothing and receives one more code for the same deletion.
 */
export async function facebookDeletion(app: FastifyInstance, { deps }: { deps: DeletionHttp }): Promise<void> {
  const { facebookSecret: secret, publicOrigin, deletions, personalData, clock, deletionService } = deps
  if (secret === null) return
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })

  async function record(userId: string, code: { digest: string; proof: string }): Promise<void> {
    if (await deletions.addCode(code)) return
    const accountId = await personalData.accountOf('Facebook', userId)
    if (accountId === null) await deletions.recordNothing('Facebook', clock.now(), code)
    else await deletionService.request(accountId, 'Facebook', code)
  }

  app.post(
    '/facebook/data-deletion',
    { bodyLimit: BODY_LIMIT, config: { rateLimit: FACEBOOK_RATE } },
    async (request, reply) => {
      const form = tryParse(formSchema, request.body)
      if (!form.success) throw refused('A signed request is needed')
      const text = form.output.signed_request
      const { user_id: userId } = readSignedRequest(text, secret, clock.now())
      const code = randomBytes(CODE_BYTES).toString('base64url')
      // The digest of the payload, not of the signature: base64url can encode one signature in more than one way.
      await record(userId, { digest: digestOf(code), proof: digestOf(text.split('.')[1] ?? '') })
      reply.header('cache-control', 'no-store')
      return { url: `${publicOrigin()}/deletion-status?code=${code}`, confirmation_code: code }
    },
  )
}
