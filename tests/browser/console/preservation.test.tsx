import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleInput } from '#protocol/console.ts'
import type { OpenedPreservation } from '#protocol/console-preservations.ts'
import { renderConsole } from '../../support/browser/console-page.tsx'

const fresh: OpenedPreservation = {
  ...{ id: 'v1', receipt: '0A1B2C3D4E5F', caseId: 'a', incidentType: 'Child Sexual Molestation' },
  ...{ openedBy: 'noa', openedAt: 0, confirmedBy: null, confirmedAt: null },
  ...{ authority: null, authorityReference: null, sentBy: null, sentAt: null, endsAt: 1, incidentAt: 0 },
  ...{ seen: '<b>A child</b>', people: 2, reports: [], pictures: [] },
}

/** The console over one preservation that `kept` holds, at this address. */
function open(address: string, given: Partial<OpenedPreservation> = {}) {
  const kept: { row: OpenedPreservation | null } = { row: { ...fresh, ...given } }
  const change = (changed: Partial<OpenedPreservation>) => {
    kept.row = { ...fresh, ...kept.row, ...changed }
    return kept.row
  }
  const files: [string, Blob][] = []
  const preserveCase = vi.fn((_input: ConsoleInput<'preserveCase'>) => change({ openedBy: 'mia' }))
  renderConsole(
    {
      readPreservations: () => ({ preservations: kept.row ? [kept.row] : [] }),
      openPreservation: () => change({}),
      preserveCase,
      judgePreservation: ({ isRight }) => {
        const preservation = isRight ? change({ confirmedBy: 'mia', confirmedAt: 1 }) : null
        kept.row = preservation
        return { preservation }
      },
      exportPreservation: () => ({ report: { fileDetails: [{ whatWasSeen: fresh.seen }] } }),
      recordPreservationSent: (sent) => change({ ...sent, sentBy: 'mia', sentAt: 2 }),
    },
    address,
    (file, name) => void files.push([name, file]),
  )
  return { files, preserveCase }
}

const view = page.getByRole('region', { name: 'Preservation 0A1B-2C3D-4E5F' })
const openIt = page.getByRole('button', { name: 'Open 0A1B-2C3D-4E5F' })

test('a case is preserved with what was seen, and its moderator cannot confirm it', async () => {
  const { preserveCase } = open('/moderation/a')
  await page.getByRole('button', { name: 'Preserve for the authorities' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preserve the case of a for the authorities?' })
  await dialog.getByRole('combobox').selectOptions('Child Sexual Molestation')
  await dialog.getByLabelText('What was seen, in your own words').fill('A child')
  await dialog.getByRole('button', { name: 'Preserve', exact: true }).click()
  await openIt.click()
  await expect.element(view.getByText('Another moderator must confirm it.')).toBeVisible()
  expect(view.getByRole('button', { name: 'Confirm' }).elements()).toEqual([])
  expect(preserveCase.mock.calls).toEqual([
    [{ caseId: 'a', incidentType: 'Child Sexual Molestation', seen: 'A child' }],
  ])
})

test('a second moderator confirms it, exports both files and enters the authority', async () => {
  const { files } = open('/moderation/preservations')
  await openIt.click()
  await expect.element(view.getByText('<b>A child</b>')).toBeVisible()
  expect(view.getByRole('button', { name: 'Export as JSON' }).elements()).toEqual([])
  await view.getByRole('button', { name: 'Confirm' }).click()
  await view.getByRole('button', { name: 'Export as JSON' }).click()
  await expect.poll(() => files.length).toBe(1)
  await view.getByRole('button', { name: 'Export for printing' }).click()
  await expect
    .poll(() => files.map(([name]) => name))
    .toEqual(['preservation-0A1B2C3D4E5F.json', 'preservation-0A1B2C3D4E5F.html'])
  expect(JSON.parse((await files[0]?.[1].text()) ?? '')).toEqual({ fileDetails: [{ whatWasSeen: fresh.seen }] })
  const printed = new DOMParser().parseFromString((await files[1]?.[1].text()) ?? '', 'text/html')
  expect(printed.body.textContent).toContain('File details')
  expect(printed.body.textContent).toContain('<b>A child</b>')
  await view.getByLabelText('Authority').fill('NCMEC')
  await view.getByLabelText('Its reference').fill('123')
  await view.getByRole('button', { name: 'It was sent' }).click()
  await expect.element(view.getByText(/^Sent to NCMEC on .* by mia\. Its reference: 123$/)).toBeVisible()
})
