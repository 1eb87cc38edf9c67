import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ReportDialog } from '../../../src/call/screens/report-dialog.tsx'
import { fakeStores, matchId, meet } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

const reason = page.getByLabelText('Reason (optional)')
const note = page.getByLabelText('In your own words (optional)')
const check = page.getByRole('checkbox', { name: /Send what the safety check saw/ })
const ok = page.getByRole('button', { name: 'Ok' })
const saw = { model: 'm', looks: 40, flagged: 3 }

async function openDialog(seen: Parameters<typeof ReportDialog>[0]['seen'] = null) {
  const fake = fakeStores()
  await fake.signIn()
  meet(fake)
  fake.effects.length = 0
  const { dispatch } = fake.stores.call
  render(
    fake.stores,
    <ReportDialog
      open
      peer="Béla"
      isOver={false}
      seen={seen}
      onReport={(report, details) => dispatch({ type: 'report-chosen', report, details })}
      onDrop={() => dispatch({ type: 'report-dropped' })}
      onLeave={() => dispatch({ type: 'leave-now-pressed' })}
    />,
  )
  await expect.element(reason).toBeVisible()
  return fake
}

const reportOf = ({ effects }: Awaited<ReturnType<typeof openDialog>>) => effects.find(({ type }) => type === 'report')
const report = { type: 'report', matchId, peerConnectionId: 'peer-1', report: 'ReportOnly' }

test('nobody has to give a reason', async () => {
  const fake = await openDialog(saw)
  await expect.element(reason).toHaveDisplayValue('Prefer not to say')
  expect(check.elements()).toEqual([])
  await ok.click()
  expect(reportOf(fake)).toEqual(report)
})

test('a reason is chosen and sent with the keyboard alone', async () => {
  const fake = await openDialog()
  const element = reason.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('m')
  await expect.element(reason).toHaveDisplayValue('May be under 18')
  expect(note.elements()).toEqual([])
  await userEvent.tab()
  await expect.element(ok).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(reportOf(fake)).toEqual({ ...report, details: { reason: 'under-18' } })
})

test('something else has a line of 200 characters', async () => {
  const fake = await openDialog()
  await userEvent.selectOptions(reason, 'Something else')
  await expect.element(note).toHaveAccessibleDescription('Only moderators read this. Up to 200 characters.')
  // A pasted text is not cut.
  await userEvent.fill(note, `  ${'x'.repeat(205)}`)
  await expect.element(note).toHaveAccessibleDescription(/^At most 200 characters; yours has 205/)
  await ok.click()
  await expect.element(note).toHaveFocus()
  expect(reportOf(fake)).toBeUndefined()
  await userEvent.fill(note, `  ${'x'.repeat(200)}`)
  await ok.click()
  expect(reportOf(fake)).toEqual({ ...report, details: { reason: 'other', note: 'x'.repeat(200) } })
})

test('a line that was written before another reason was chosen is not sent', async () => {
  const fake = await openDialog()
  await userEvent.selectOptions(reason, 'Something else')
  await userEvent.fill(note, 'a line')
  await userEvent.selectOptions(reason, 'Spam or a recording')
  await expect.element(note).not.toBeInTheDocument()
  await ok.click()
  expect(reportOf(fake)).toEqual({ ...report, details: { reason: 'spam' } })
})

test.each([
  ['is not sent unless the user ticks it', false, { reason: 'nudity' }],
  ['is sent if the user ticks it', true, { reason: 'nudity', curtain: saw }],
] as const)('what the safety check saw %s', async (_, ticks, details) => {
  const fake = await openDialog(saw)
  await userEvent.selectOptions(reason, 'Nudity or sexual acts')
  await expect.element(check).not.toBeChecked()
  await expect.element(check).toHaveAccessibleDescription('How many looks it flagged; no picture.')
  if (ticks) await check.click()
  await ok.click()
  expect(reportOf(fake)).toEqual({ ...report, details })
})

test.each([null, { ...saw, flagged: 0 }])('a check that saw %j is not offered', async (seen) => {
  await openDialog(seen)
  await userEvent.selectOptions(reason, 'Nudity or sexual acts')
  expect(check.elements()).toEqual([])
})

test('a cancelled report leaves no reason for the next one', async () => {
  const fake = await openDialog()
  await userEvent.selectOptions(reason, 'Something else')
  await userEvent.fill(note, 'a line')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(reason).toHaveDisplayValue('Prefer not to say')
  await userEvent.selectOptions(reason, 'Something else')
  await expect.element(note).toHaveValue('')
  expect(reportOf(fake)).toBeUndefined()
})

test('in a window of 320 px nothing is cut off, in either language', async () => {
  const [width, height] = [window.innerWidth, window.innerHeight]
  onTestFinished(() => page.viewport(width, height))
  await page.viewport(320, 568)
  const { stores } = await openDialog(saw)
  await userEvent.selectOptions(reason, 'Something else')
  for (const language of ['en', 'es'] as const) {
    await stores.texts.choose(language)
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    const dialog = page.getByRole('dialog').element()
    expect(dialog.scrollWidth).toBeLessThanOrEqual(dialog.clientWidth)
    for (const field of dialog.querySelectorAll('select, input, button'))
      expect(field.getBoundingClientRect().right).toBeLessThanOrEqual(dialog.getBoundingClientRect().right)
  }
})

test.for([
  [1280, 800],
  [320, 640],
] as const)('at %i x %i every button of the dialog has one line, inside of it', async ([width, height]) => {
  const { innerWidth, innerHeight } = window
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  await page.viewport(width, height)
  await openDialog()
  const box = page.getByRole('dialog').element().getBoundingClientRect()
  const places = ['Ok', 'Leave now', 'Cancel'].map((name) => {
    const { top, height, left, right } = page.getByRole('button', { name }).element().getBoundingClientRect()
    return { name, top, isOneLine: height < 50, isInside: left >= box.left && right <= box.right }
  })
  for (const place of places) expect(place).toMatchObject({ isOneLine: true, isInside: true })
  if (width > 480) expect(new Set(places.map(({ top }) => top)).size).toBe(1)
})
