import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Day, dayOf, isoDay, proposedBirth } from '../../../src/account/rules/age.ts'
import { BirthField, type LoadCalendar } from '../../../src/account/welcome/birth-field.tsx'
import { Calendar } from '../../../src/account/welcome/calendar.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

const birth = page.getByLabelText('Date of birth')
const frame = page.getByRole('dialog')
const grid = page.getByRole('grid')
const typed = page.getByLabelText('The calendar could not be loaded. Type the day here.')
const today = dayOf(Date.now())

function Form({ load }: { load: LoadCalendar }) {
  const [value, setValue] = useState<Day>(proposedBirth(today))
  return (
    <>
      <input aria-label="Before" />
      <BirthField value={value} today={today} fixed={false} onChange={setValue} load={load} />
      <input aria-label="After" />
    </>
  )
}

/** Shows the field between two others; the test settles each load of the calendar. */
function visit() {
  const loads: PromiseWithResolvers<typeof Calendar>[] = []
  render(
    fakeVisit().stores,
    <Form
      load={() => {
        const load = Promise.withResolvers<typeof Calendar>()
        loads.push(load)
        return load.promise
      }}
    />,
  )
  return loads
}

test.for([
  ['touched', () => birth.click()],
  ['reached by keyboard', () => userEvent.keyboard('{Tab}')],
] as const)('the calendar is loaded once the field is %s', async ([, reach]) => {
  const loads = visit()
  await page.getByLabelText('Before').click()
  expect(loads).toHaveLength(0)
  await reach()
  await expect.poll(() => loads.length).toBe(1)
  loads[0]?.resolve(Calendar)
  await birth.click()
  await expect.element(grid).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await birth.click()
  await expect.element(grid).toBeVisible()
  expect(loads).toHaveLength(1)
})

test('before the calendar has loaded, keys and other fields work, and it does not take the focus from them', async () => {
  const loads = visit()
  await birth.click()
  await expect.element(frame).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(frame).not.toBeInTheDocument()
  await expect.element(birth).toHaveFocus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.element(page.getByText('Loading calendar')).toBeVisible()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}Ada')
  loads[0]?.resolve(Calendar)
  await expect.element(grid).toBeVisible()
  await userEvent.keyboard(' Love')
  await expect.element(page.getByLabelText('Before')).toHaveValue('Ada Love')
})

test('a calendar that arrives while the field has the focus takes it', async () => {
  const loads = visit()
  await birth.click()
  await expect.element(frame).toBeVisible()
  loads[0]?.resolve(Calendar)
  await expect.poll(() => grid.element().contains(document.activeElement)).toBe(true)
})

test('a calendar that is closed as soon as it arrives does not take the focus from the field', async () => {
  const loads = visit()
  await birth.click()
  await expect.element(frame).toBeVisible()
  // Runs after the calendar was added and before the effect in which it takes the focus.
  const added = new MutationObserver(() => {
    if (grid.elements().length === 0) return
    added.disconnect()
    birth.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  added.observe(document.body, { childList: true, subtree: true })
  loads[0]?.resolve(Calendar)
  await expect.element(frame).not.toBeInTheDocument()
  await expect.element(birth).toHaveFocus()
})

test('a calendar that cannot be loaded is replaced by typing, and loaded again when it is opened again', async () => {
  const loads = visit()
  await birth.click()
  loads[0]?.reject(new TypeError('Failed to fetch dynamically imported module'))
  await expect.element(typed).toBeVisible()
  await typed.fill('1990-02-28')
  await expect.element(birth).toHaveValue('28/02/1990')
  await typed.fill(isoDay({ ...today, year: today.year - 200 }))
  await expect.element(birth).toHaveValue('28/02/1990')
  await typed.fill(isoDay({ ...today, year: today.year + 1 }))
  await expect.element(birth).toHaveValue('28/02/1990')
  expect(loads).toHaveLength(1)

  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(birth).toHaveFocus()
  await birth.click()
  expect(loads).toHaveLength(2)
  loads[1]?.resolve(Calendar)
  await expect.element(grid).toBeVisible()
  await expect.element(birth).toHaveValue('28/02/1990')
})
