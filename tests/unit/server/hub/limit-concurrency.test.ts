import { expect, test } from 'vitest'
import { createAuthorisation } from '../../../../server/hub/authorisation.ts'

test('concurrent hub authorisations query the database a few at a time, in order', async () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const admit = createAuthorisation({
    readHubToken: (token) =>
      new Promise((resolve, reject) => {
        asked.push(token)
        answers.push(() => (token === 't1' ? reject(new Error('the database is away')) : resolve(null)))
      }),
    originAllowed: () => true,
  })
  const admissions = Array.from({ length: 1_000 }, (_, index) =>
    admit({ authorization: `Bearer t${index}` }, new Map()).catch(() => 'failed'),
  )
  await Promise.resolve()
  const atOnce = asked.length
  expect(atOnce).toBeLessThan(500)
  // A failed query frees its slot like a successful one.
  while (answers.length > 0) {
    for (const answer of answers.splice(0)) answer()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(asked).toEqual(Array.from({ length: 1_000 }, (_, index) => `t${index}`))
  expect((await Promise.all(admissions)).filter((one) => one === 'failed')).toHaveLength(1)
})
