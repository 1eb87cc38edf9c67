import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { render } from '../../support/browser/render.tsx'
import { violations } from '../../support/browser/violations.ts'

const opener = page.getByRole('button', { name: 'Languages and interests' })
const dialog = page.getByRole('dialog', { name: 'Who I meet' })
const languages = dialog.getByRole('combobox', { name: 'Languages I speak' })
const interests = dialog.getByRole('combobox', { name: 'Interests' })
const save = dialog.getByRole('button', { name: 'Save' })
const status = () => [...dialog.element().querySelectorAll('[role="status"]')].map((each) => each.textContent)
const chips = () => [...dialog.element().querySelectorAll('li')].map((each) => each.textContent)
const marked = () => dialog.element().querySelector('[aria-selected="true"]')?.textContent ?? null

afterEach(async () => {
  await page.viewport(1280, 800)
  document.documentElement.style.colorScheme = ''
})

async function openCard(world: Partial<World> = {}) {
  const fake = fakeStores(world)
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  await opener.click()
  await expect.element(languages).toBeVisible()
  return fake
}

const stored = (given: { languages: string[]; interests: string[] }): Partial<World> => ({
  profile: {
    nickName: 'Ada',
    gender: 'girl',
    dateOfBirth: '1990-12-10',
    showsPicture: false,
    pictureState: 'none',
    picture: null,
    ...given,
  },
})

test('the dashboard shows the card and requests nothing for it', async () => {
  const { signIn, stores, made } = fakeStores({ tags: ['es'] })
  await signIn()
  render(stores, <DashboardPage />)
  await expect.element(page.getByRole('region', { name: 'Who I meet' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  expect(made).not.toContain('readProfile')
})

test('the browser’s languages are a proposal that counts when it is saved', async () => {
  const { world, made } = await openCard({ tags: ['es-MX', 'en-US', 'es'] })
  expect(chips()).toEqual(['Español', 'English'])
  await expect.element(dialog.getByText(/They count once you save/)).toBeVisible()
  expect(world.preferences).toEqual([])
  expect(made).not.toContain('readSuggestions')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.preferences).toEqual([{ languages: ['es', 'en'], interests: [] }])
  await expect.element(page.getByText('Saved. It counts from your next search on.')).toBeVisible()
  await expect.element(opener).toHaveFocus()
})

test('a language is found by typing, marked with the arrow keys and taken with Enter', async () => {
  const { world } = await openCard()
  await languages.click()
  await userEvent.keyboard('portu')
  await expect.element(dialog.getByRole('option')).toBeVisible()
  await expect.poll(marked).toBe('PortuguêsPortuguese')
  await userEvent.keyboard('{Enter}')
  expect(chips()).toEqual(['Português'])
  await expect.element(languages).toHaveValue('')
  await expect.poll(status).toContain('Português added.')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}')
  const second = marked()
  await expect.element(languages).toHaveAttribute('aria-activedescendant', expect.stringMatching(/-list-1$/))
  await userEvent.keyboard('{Enter}')
  expect(chips()).toHaveLength(2)
  expect(second).toContain(chips()[1])
  await save.click()
  await expect.poll(() => world.preferences).toHaveLength(1)
  expect(world.preferences[0]?.languages[0]).toBe('pt')
})

test('every language that is offered has a name', async () => {
  await openCard()
  await languages.click()
  await expect.element(dialog.getByRole('listbox')).toBeVisible()
  const names = dialog
    .getByRole('option')
    .elements()
    .map((each) => each.textContent)
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => name.length < 3 && /^[A-Z]/i.test(name))).toEqual([])
})

test('Escape closes the list first; Backspace in the empty box removes the last one', async () => {
  await openCard({ tags: ['es', 'en'] })
  await languages.click()
  await expect.element(dialog.getByRole('listbox')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog.getByRole('listbox')).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Backspace}')
  expect(chips()).toEqual(['Español'])
  await expect.poll(status).toContain('English removed.')
  await userEvent.keyboard('x{Backspace}')
  expect(chips()).toEqual(['Español'])
  await userEvent.keyboard('{Escape}{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a chip is removed with its button, and the focus goes to the box', async () => {
  await openCard({ tags: ['es', 'en'] })
  await dialog.getByRole('button', { name: 'Remove Español' }).click()
  expect(chips()).toEqual(['English'])
  await expect.element(languages).toHaveFocus()
})

test('with five nothing can be added until one is removed', async () => {
  await openCard(stored({ languages: ['de', 'en', 'es', 'fr', 'it'], interests: [] }))
  await languages.click()
  await expect.element(dialog.getByText(/You have chosen 5/)).toBeVisible()
  await expect.element(dialog.getByRole('listbox')).not.toBeInTheDocument()
  await expect.element(languages).toHaveAttribute('readonly')
  await userEvent.keyboard('{Backspace}')
  expect(chips()).toHaveLength(4)
  await expect.element(languages).not.toHaveAttribute('readonly')
})

test('an unknown language is refused at its field', async () => {
  const { world } = await openCard()
  await languages.click()
  await userEvent.keyboard('<b>')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('No language fits. Please choose one from the list.')).toBeVisible()
  await expect.element(languages).toHaveAttribute('aria-invalid', 'true')
  expect(world.preferences).toEqual([])
})

test('the Enter that ends a composition adds nothing, in the order of events of each browser', async () => {
  await openCard()
  for (const field of [languages, interests]) {
    await field.fill('sp')
    const enter = { key: 'Enter', bubbles: true, cancelable: true }
    field.element().dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }))
    field.element().dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 229 }))
    expect(chips()).toEqual([])
  }
})

test('suggestions are requested when the field is focused; own words are taken too', async () => {
  const { world, made } = await openCard({ suggestions: ['chess', 'cinema', 'music'] })
  expect(made).not.toContain('readSuggestions')
  await interests.click()
  await expect.element(dialog.getByRole('option', { name: 'chess' })).toBeVisible()
  expect(made.filter((name) => name === 'readSuggestions')).toHaveLength(1)
  await userEvent.keyboard('c')
  expect(
    dialog
      .getByRole('option')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(['chess', 'cinema', 'music'])
  await dialog.getByRole('option', { name: 'cinema' }).click()
  await expect.element(interests).toHaveFocus()
  await userEvent.keyboard('Board  Games{Enter}')
  await userEvent.keyboard('knitting')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.preferences).toEqual([{ languages: [], interests: ['cinema', 'board games', 'knitting'] }])
})

test('an interest that cannot be one is refused before it is sent, and its text stays', async () => {
  const { world } = await openCard()
  await interests.click()
  await userEvent.keyboard('https://x.example')
  await save.click()
  await expect
    .element(
      dialog.getByText('Only letters and digits are allowed, with one space, hyphen or apostrophe between words.'),
    )
    .toBeVisible()
  await expect.element(interests).toHaveValue('https://x.example')
  expect(world.preferences).toEqual([])
})

test.for([
  ['languages', 'These languages were not accepted. Please choose them from the list.', 'Languages I speak'],
  [
    'interests',
    'An interest has a word that is not accepted here. Please remove it or choose another one.',
    'Interests',
  ],
] as const)(
  'a refusal of %s by the server is shown at its field, and nothing is lost',
  async ([field, text, label]) => {
    const { world } = await openCard({ tags: ['es'], refusedField: field })
    await interests.click()
    await userEvent.keyboard('chess')
    await save.click()
    await expect.element(dialog.getByText(text)).toBeVisible()
    await expect.element(dialog.getByRole('combobox', { name: label })).toHaveAttribute('aria-invalid', 'true')
    await expect
      .element(dialog.getByRole('combobox', { name: label }))
      .toHaveAccessibleDescription(expect.stringContaining(text))
    expect(chips()).toEqual(['Español', 'chess'])
    world.refusedField = null
    await save.click()
    await expect.poll(() => world.preferences).toEqual([{ languages: ['es'], interests: ['chess'] }])
  },
)

test('a failed request keeps everything and says so', async () => {
  const { world } = await openCard({ tags: ['es'], failing: ['changePreferences'] })
  await save.click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('This could not be saved. Nothing is lost: please try again.')
  expect(chips()).toEqual(['Español'])
  world.failing = []
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('what could not be read is not overwritten', async () => {
  const { signIn, stores } = fakeStores({ tags: ['es'], failing: ['readProfile'] })
  await signIn()
  render(stores, <DashboardPage />)
  await opener.click()
  await expect.element(dialog.getByText(/could not be loaded/)).toBeVisible()
  await expect.element(save).not.toBeInTheDocument()
})

test('the dialog is in Spanish, with the names of languages in it', async () => {
  const { stores } = await openCard()
  await stores.texts.choose('es')
  const spanish = page.getByRole('dialog', { name: 'A quién conozco' })
  await spanish.getByRole('combobox', { name: 'Idiomas que hablo' }).click()
  await userEvent.keyboard('alem')
  await expect.element(spanish.getByRole('option')).toHaveTextContent('DeutschAlemán')
})

test('at 320 px nothing overflows and axe finds nothing, in both schemes', async () => {
  await page.viewport(320, 640)
  await openCard({
    ...stored({ languages: ['de', 'es'], interests: ['a'.repeat(30), 'chess'] }),
    suggestions: ['music'],
  })
  await languages.click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(dialog.getByRole('listbox')).toBeVisible()
  await expect.poll(() => dialog.element().getAnimations().length).toBe(0)
  expect(dialog.element().scrollWidth).toBe(dialog.element().clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  document.documentElement.style.colorScheme = 'light'
  expect(await violations(document, { rules: { 'page-has-heading-one': { enabled: false } } })).toEqual([])
  document.documentElement.style.colorScheme = 'dark'
  expect(await violations(document, { runOnly: ['color-contrast'] })).toEqual([])
})
