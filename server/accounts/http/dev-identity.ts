import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { emailSchema, providerSchema } from '#protocol/fields.ts'
import { checkOrigin, parseFields } from '../../platform/http/endpoint-route.ts'
import type { Jwt } from './jwt.ts'

const nameSchema = v.pipe(v.string('A name is text'), v.maxLength(100, 'A name has at most 100 characters'))

const personSchema = v.object({
  source: providerSchema,
  /** Empty in order to try a provider that has no address of the user. */
  email: v.union([v.literal(''), emailSchema], 'An e-mail address is needed'),
  firstName: nameSchema,
  lastName: nameSchema,
  pictureUrl: v.optional(v.string()),
})

const files = {
  '/dev-identity': { name: 'page.html', type: 'text/html; charset=utf-8' },
  '/dev-identity/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
  '/dev-identity/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
}

type Deps = { jwt: Jwt; newId: () => string; originAllowed: (origin: string | undefined) => boolean }

/** An identity provider of the server itself, for a first run and for tests: it issues a token for any identity without a check. */
export async function devIdentity(app: FastifyInstance, { jwt, newId, originAllowed }: Deps): Promise<void> {
  app.removeContentTypeParser('text/plain')

  for (const [path, { name, type }] of Object.entries(files)) {
    const content = await readFile(new URL(`dev-identity/${name}`, import.meta.url))
    app.get(path, (_request, reply) => reply.header('cache-control', 'no-cache').type(type).send(content))
  }

  app.post('/dev-identity/token', async (request) => {
    checkOrigin(request, originAllowed)
    const { source, email, firstName, lastName } = parseFields(personSchema, request.body)
    const sub = email === '' ? newId() : email.toLowerCase()
    return { accessToken: await jwt.makeDevelopmentToken({ sub, source, email, firstName, lastName }) }
  })
}
