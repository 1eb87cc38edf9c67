import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Case, CaseEvidence } from '#protocol/console.ts'
import { ConsolePage } from '../../../src/pages/console/console-page.tsx'
import { createConsoleStore } from '../../../src/stores/console.ts'
import { fakeConsoleApi, whole } from '../../support/browser/fake-console.ts'

let open: { root: Root; host: HTMLElement } | null = null
afterEach(() => {
  open?.root.unmount()
  open?.host.remove()
})

async function showEvidence(evidence: CaseEvidence[], openReports: Case['openReports'] = []) {
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  open = { root, host }
  const api = fakeConsoleApi({ readCase: ({ id }) => ({ ...whole(id), evidence, openReports }) })
  const store = createConsoleStore({ api, log: { info() {}, error() {} } })
  root.render(
    <MemoryRouter initialEntries={['/moderation/a']}>
      <Routes>
        <Route path="/moderation/:caseId?" element={<ConsolePage store={store} />} />
      </Routes>
    </MemoryRouter>,
  )
  const shown = page.getByRole('article', { name: 'Case of a' })
  await expect.element(shown).toBeVisible()
  return shown
}

const picture = { session: '0123456789', reporter: 'lars', at: 0 }
const vouched = /The server vouches for when it came, whose browser sent it, and the match that was on/

test('each picture names the browser that sent it, that it could be forged, and its match', async () => {
  const shown = await showEvidence([
    { id: 'seen', kind: 'reporters-view', ...picture },
    { id: 'own', kind: 'own-camera', ...picture },
    { id: 'flagged', kind: 'flagged', session: null, reporter: null, at: 0 },
  ])
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
  const shown = await showEvidence([])
  await expect.element(shown.getByText('There is none.')).toBeVisible()
  await expect.element(shown.getByText(vouched)).not.toBeInTheDocument()
})

const report: Case['openReports'][number] = {
  session: 'm1',
  reporter: 'lars',
  reporterCase: 'lars-case',
  type: 'ReportOnly',
  reason: null,
  note: null,
  curtain: null,
  dueAt: null,
  at: 0,
  callMs: 60_000,
  weight: 1,
  upheld: 0,
  dismissed: 0,
  retaliation: false,
  reporterSaw: true,
  reportedSaw: true,
  sentOwnCamera: true,
  agreement: 'agree',
  reporterSince: 0,
  keptCalls: 0,
  earlierToday: 0,
  standing: false,
  outcome: null,
}

test.each([
  ['agree', 'The two pictures agree.'],
  ['disagree', 'The two pictures do not agree. They do not say which side is right.'],
  ['unknown', 'The two pictures cannot be compared.'],
] as const)('an open report whose pictures are compared as %s says so', async (agreement, words) => {
  const shown = await showEvidence([], [{ ...report, agreement }])
  await expect.element(shown.getByText(words)).toBeVisible()
  expect(shown.getByText(words).element().tagName === 'STRONG').toBe(agreement === 'disagree')
})
