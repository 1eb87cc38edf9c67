import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { HUB_PATH } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { recordRefusals } from '../../../../server/operations/http/refusal-events.ts'
import { sendErrorsAsProblems } from '../../../../server/platform/http/problems.ts'

test('one refusal of negotiate is one event, wherever it was decided', async () => {
  const noted: unknown[] = []
  const app = fastify()
  onTestFinished(() => app.close())
  sendErrorsAsProblems(app)
  recordRefusals(app, { record: ({ event, code }) => noted.push([event, code]) })
  app.addHook('onRequest', async ({ query }) => {
    if (Object(query).isFlood === 'true') throw new AppError('too-many-requests')
  })
  app.post(`${HUB_PATH}/negotiate`, (_request, reply) => reply.code(401).send())

  await app.inject({ method: 'POST', url: `${HUB_PATH}/negotiate` })
  expect(noted).toEqual([['hub-refused', '401']])
  noted.length = 0
  await app.inject({ method: 'POST', url: `${HUB_PATH}/negotiate?isFlood=true` })
  expect(noted).toEqual([['rate-limited', 'too-many-requests']])
})
