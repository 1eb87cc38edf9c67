import { expect, test } from 'vitest'
import { showCase } from '../../support/browser/console-page.tsx'
import { openReport } from '../../support/browser/fake-console.ts'

const picture = { session: '0123456789', reporter: 'lars', at: 0 }
const vouched = /The server vouches for when it came, whose browser sent it, and the match that was on/

test('each picture names the browser that sent it, that it could be forged, and its match', async () => {
  const shown = await showCase({
    evidence: [
      { id: 'seen', kind: 'reporters-view', ...picture },
      { id: 'own', kind: 'own-camera', ...picture },
      { id: 'flagged', kind: 'flagged', session: null, reporter: null, at: 0 },
    ],
  })
  await expect.element(shown.getByText(vouched)).toBeVisible()
  const figures = shown.getByRole('figure').elements()
  expect(figures.map(({ textContent }) => /Sent by [^:]+: could be forged/.exec(textContent ?? '')?.[0])).toEqual([
    'Sent by the reporter’s browser: could be forged',
    'Sent by the reported person’s browser: could be forged',
    'Sent by this person’s browser: could be forged',
  ])
  expect(figures.map(({ textContent }) => textContent?.includes('match 01234567'))).toEqual([true, true, false])
})

test('a case without pictures does not mention them', async () => {
  const shown = await showCase({ evidence: [] })
  await expect.element(shown.getByText('There is none.')).toBeVisible()
  await expect.element(shown.getByText(vouched)).not.toBeInTheDocument()
})

test.each([
  ['agree', 'The two pictures agree.'],
  ['disagree', 'The two pictures do not agree. They do not say which side is right.'],
  ['unknown', 'The two pictures cannot be compared.'],
] as const)('an open report whose pictures are compared as %s says so', async (agreement, words) => {
  const shown = await showCase({ openReports: [{ ...openReport, agreement }] })
  await expect.element(shown.getByText(words)).toBeVisible()
  expect(shown.getByText(words).element().tagName === 'STRONG').toBe(agreement === 'disagree')
})
