import { expect, onTestFinished, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { WelcomePage } from '../../../src/account/welcome/welcome-page.tsx'
import { Toasts } from '../../../src/ui/toasts.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'

const nickname = page.getByLabelText('Nickname')
const birth = page.getByLabelText('Date of birth')
const confirm = page.getByRole('button', { name: 'Confirm' })
const accept = page.getByRole('button', { name: 'Accept' })

async function visit(given?: Parameters<typeof fakeVisit>[0]) {
  const fake = fakeVisit(given)
  if (given?.start) await fake.stores.account.start()
  await fake.stores.account.signIn('Google', openFakeWindow)
  render(
    fake.stores,
    <>
      <WelcomePage />
      <Toasts />
    </>,
  )
  return fake
}

/** Returns the day of today a number of years ago, as the field shows it. */
function yearsAgo(years: number): string {
  const date = new Date()
  const day = date.getMonth() === 1 && date.getDate() === 29 ? 28 : date.getDate()
  return [day, date.getMonth() + 1, date.getFullYear() - years].map((part) => String(part).padStart(2, '0')).join('/')
}

async function pickYear(year: number): Promise<void> {
  await page.getByRole('button', { name: 'Open calendar' }).click()
  await page.getByRole('button', { name: /^Year/ }).click()
  await page.getByRole('button', { name: String(year) }).click()
  await page.getByRole('button', { name: / 15, / }).click()
}

test('the form starts with the e-mail, an empty nickname, the day 18 years ago and Boy, and cannot be confirmed', async () => {
  await visit()
  await expect.element(page.getByLabelText('E-mail')).toHaveValue('ada@example.org')
  await expect.element(page.getByLabelText('E-mail')).toHaveAttribute('readonly')
  await expect.element(nickname).toHaveValue('')
  await expect.element(page.getByText('0/30')).toBeVisible()
  await expect.element(birth).toHaveValue(yearsAgo(18))
  await expect.element(page.getByRole('radio', { name: 'Boy' })).toBeChecked()
  await expect.element(confirm).toBeDisabled()
})

test('the day of today is that of the server, whatever the clock of the device says', async () => {
  await visit({ start: { timestamp: new Date(2040, 0, 15, 12).getTime() } })
  await expect.element(birth).toHaveValue('15/01/2022')
})

test('characters other than letters are removed from the nickname, and the caret stays', async () => {
  await visit()
  await userEvent.type(nickname, ' Ada9  Love')
  await expect.element(nickname).toHaveValue('Ada Love')
  await expect.element(page.getByText('8/30')).toBeVisible()
  await userEvent.type(nickname, '{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}7x')
  await expect.element(nickname).toHaveValue('Adax Love')
  await expect.element(confirm).toBeEnabled()
})

test('a nickname that is missing or too long shows an error and cannot be confirmed', async () => {
  await visit()
  await nickname.fill('a'.repeat(31))
  await expect.element(nickname).toHaveAccessibleDescription('31/30 Nickname cannot exceed 30 characters')
  await expect.element(confirm).toBeDisabled()
  await nickname.fill('')
  await expect.element(nickname).toHaveAccessibleDescription('0/30 Nickname is required')
  await nickname.fill('Ada')
  await expect.element(nickname).toBeValid()
  await expect.element(confirm).toBeEnabled()
})

test('a date of birth of a minor is asked for once more, without a word of what follows, and told to the server', async () => {
  const { requests } = await visit({ failing: { addProfile: 'underage' } })
  await nickname.fill('Ada')
  await pickYear(new Date().getFullYear() - 16)
  await expect.element(birth).toHaveFocus()
  await expect.element(birth).toBeValid()
  await confirm.click()
  const question = page.getByRole('dialog', { name: 'Is your date of birth right?' })
  await expect.element(question).toMatchTextContent(/^(?!.*18).*so you are 1[56]\./)
  await question.getByRole('button', { name: 'Change the date of birth' }).click()
  await expect.element(birth).toHaveFocus()
  expect(requests('addProfile')).toEqual([])
  await confirm.click()
  await question.getByRole('button', { name: 'Yes, it is right' }).click()
  await expect.element(page.getByRole('heading', { name: 'Waggle is for adults' })).toBeVisible()
  expect(requests('addProfile')).toHaveLength(1)
})

test('a date of birth that was that of a minor by mistake is corrected before anything is sent', async () => {
  const { requests } = await visit()
  await nickname.fill('Ada')
  await pickYear(new Date().getFullYear() - 16)
  await confirm.click()
  await page.getByRole('button', { name: 'Change the date of birth' }).click()
  await pickYear(new Date().getFullYear() - 20)
  await expect.element(birth).toHaveValue(`15/${yearsAgo(20).slice(3)}`)
  await confirm.click()
  await expect.element(accept).toBeVisible()
  expect(requests('addProfile')).toEqual([])
})

test('the calendar opens on Alt+Down and closes on Escape and on Alt+Up, back to the field', async () => {
  await visit()
  const calendar = page.getByRole('dialog')
  await birth.click()
  for (const key of ['{Escape}', '{Alt>}{ArrowUp}{/Alt}']) {
    await expect.element(calendar).toBeVisible()
    await userEvent.keyboard(key)
    await expect.element(calendar).not.toBeInTheDocument()
    await expect.element(birth).toHaveFocus()
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  }
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(calendar).not.toBeInTheDocument()
})

test('a day that the time zone of the device has skipped can be picked', async () => {
  const live = async (timezoneId: string) => void (await cdp().send('Emulation.setTimezoneOverride', { timezoneId }))
  onTestFinished(() => live(''))
  await live('Pacific/Kwajalein')
  expect(new Date(1993, 7, 21).getDate()).toBe(22)
  await visit()
  await page.getByRole('button', { name: 'Open calendar' }).click()
  await page.getByRole('button', { name: /^Year/ }).click()
  const earlier = page.getByRole('button', { name: 'Earlier years' })
  while (page.getByRole('button', { name: '1993' }).elements().length === 0) await earlier.click()
  await page.getByRole('button', { name: '1993' }).click()
  await page.getByRole('combobox', { name: 'Month' }).selectOptions('August')
  await page.getByRole('button', { name: 'Saturday, August 21, 1993' }).click()
  await expect.element(birth).toHaveValue('21/08/1993')
})

test('a day after today cannot be picked', async () => {
  await visit()
  const today = new Date()
  await birth.click()
  await page.getByRole('button', { name: /^Year/ }).click()
  await expect.element(page.getByRole('button', { name: 'Later years' })).toBeDisabled()
  await page.getByRole('button', { name: String(today.getFullYear()) }).click()
  for (let month = today.getMonth(); month < 11; month += 1) {
    const next = page.getByRole('button', { name: 'Next month' })
    if (next.element().hasAttribute('disabled')) break
    await next.click()
  }
  await expect.element(page.getByRole('button', { name: 'Next month' })).toBeDisabled()
  const days = page.getByRole('gridcell').getByRole('button').elements()
  expect(days.filter((day) => !day.hasAttribute('disabled'))).toHaveLength(today.getDate())
})

test('nothing is sent before Accept; then the profile, its cookie, and the dashboard', async () => {
  const { requests, stores } = await visit()
  await nickname.fill('Ada ')
  await page.getByRole('radio', { name: 'Girl' }).click()
  await confirm.click()
  const consent = page.getByRole('dialog', { name: 'Stay safe and have fun!' })
  await expect.element(consent).toBeVisible()
  await expect.element(nickname).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('target', '_blank')
  expect(requests('addProfile')).toEqual([])

  await accept.click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/dashboard')
  const [day, month, year] = yearsAgo(18).split('/')
  expect(requests('addProfile')[0]?.input).toEqual({
    EmailAddress: 'ada@example.org',
    NickName: 'Ada',
    Gender: 'girl',
    DOB: `${year}-${month}-${day}`,
    ConsentAgreed: 'true',
  })
  expect(requests('setProfileCookie')[0]?.input).toEqual({ CookieValue: 'ada%40example.org#Ada#true' })
  expect(stores.visit.flags.value.welcomePageLoaded).toBe(true)
})

test('Back leads from the consent to the form as it was', async () => {
  await visit()
  await nickname.fill('Ada')
  await confirm.click()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(nickname).toHaveValue('Ada')
  await expect.element(nickname).toHaveFocus()
})

const adultYear = new Date().getFullYear() - 20
const again = page.getByRole('button', { name: 'Try again !' })
const back = page.getByRole('button', { name: 'Back' })
const birthQuestion = page.getByText(/^You left the date of birth as we proposed it\./)

test.for(['addProfile', 'setProfileCookie'] as const)(
  'after a failure (%s) Try again ! sends the same profile, without another consent',
  async (name) => {
    const failing: Parameters<typeof fakeVisit>[0] = { failing: { [name]: 'timeout' } }
    const { requests, stores } = await visit(failing)
    await nickname.fill('Ada')
    await page.getByRole('radio', { name: 'Girl' }).click()
    await confirm.click()
    await accept.click()
    await expect.element(again).toBeVisible()
    expect(stores.toasts.failure.value).toMatchObject({ kind: 'http', code: 'timeout' })
    await expect.element(page.getByTestId('address')).not.toHaveTextContent('/dashboard')
    Object.assign(failing.failing ?? {}, { [name]: undefined })
    await again.click()
    await expect.element(page.getByTestId('address')).toHaveTextContent('/dashboard')
    expect(stores.toasts.failure.value).toBeNull()
    const [first, second] = requests('addProfile')
    expect(second?.input).toEqual(first?.input)
    expect(second?.input).toMatchObject({ NickName: 'Ada', Gender: 'girl' })
  },
)

test('after a failure Back leads to the form as it was, which is sent without another consent', async () => {
  const failing: Parameters<typeof fakeVisit>[0] = { failing: { addProfile: 'timeout' } }
  const { requests } = await visit(failing)
  await nickname.fill('Ada')
  await page.getByRole('radio', { name: 'Others' }).click()
  await pickYear(adultYear)
  await confirm.click()
  await accept.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back' }).click()
  await expect.element(nickname).toHaveValue('Ada')
  await expect.element(nickname).toHaveFocus()
  await expect.element(page.getByRole('radio', { name: 'Others' })).toBeChecked()
  await expect.element(birth).toHaveValue(`15/${yearsAgo(20).slice(3)}`)
  Object.assign(failing.failing ?? {}, { addProfile: undefined })
  await nickname.fill('Ada Love')
  await confirm.click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/dashboard')
  expect(requests('addProfile')[1]?.input).toMatchObject({
    NickName: 'Ada Love',
    Gender: 'others',
    DOB: expect.stringMatching(`^${adultYear}-`),
  })
})

test('when the server has the profile and the cookie failed, the date of birth cannot be changed any more', async () => {
  await visit({ failing: { setProfileCookie: 'timeout' } })
  await nickname.fill('Ada')
  await confirm.click()
  await accept.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByText('You cannot change your date of birth.')).toBeVisible()
})

test('a date of birth that was not touched is asked for once more, in words; Accept confirms it', async () => {
  const { requests } = await visit()
  await nickname.fill('Ada')
  await confirm.click()
  const [day, month, year] = yearsAgo(18).split('/').map(Number)
  const words = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date(year ?? 0, (month ?? 0) - 1, day))
  await expect
    .element(birthQuestion)
    .toHaveTextContent(
      `You left the date of birth as we proposed it. Were you really born on ${words}? You cannot change it later. Accept confirms it.`,
    )
  await accept.click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/dashboard')
  expect(requests('addProfile')).toHaveLength(1)
})

test('the question about the date of birth leads back to its field, and a chosen day is not asked for', async () => {
  await visit()
  await nickname.fill('Ada')
  await confirm.click()
  await page.getByRole('button', { name: 'Change the date of birth' }).click()
  await expect.element(birth).toHaveFocus()
  await expect.element(nickname).toHaveValue('Ada')
  await pickYear(adultYear)
  await confirm.click()
  await expect.element(accept).toBeVisible()
  await expect.element(birthQuestion).not.toBeInTheDocument()
  await back.click()
  await expect.element(birth).toHaveValue(`15/${yearsAgo(20).slice(3)}`)
})

test('the proposed day is not asked for when the user has chosen it', async () => {
  await visit()
  await nickname.fill('Ada')
  await birth.click()
  await page.getByRole('gridcell', { selected: true }).getByRole('button').click()
  await expect.element(birth).toHaveValue(yearsAgo(18))
  await confirm.click()
  await expect.element(accept).toBeVisible()
  await expect.element(birthQuestion).not.toBeInTheDocument()
})

test('a returning user is not asked about the date of birth', async () => {
  await visit({ profile: { nickName: 'Grace', gender: 'girl', dateOfBirth: '1985-12-09' } })
  await confirm.click()
  await expect.element(accept).toBeVisible()
  await expect.element(birthQuestion).not.toBeInTheDocument()
})

const refusals = [
  ['nickname-reserved', /mistaken for the staff/, /confundir con el equipo/],
  ['nickname-contact', /reads like a phone number or an address/, /parece un teléfono o una dirección/],
  ['word-refused', /has a word that is not accepted/, /tiene una palabra que aquí no se acepta/],
] as const

test.for(refusals)(
  'a nickname that the server refuses (%s) is marked with the reason, and another one is sent without another consent',
  async ([code, english, spanish]) => {
    const failing: Parameters<typeof fakeVisit>[0] = { failing: { addProfile: code } }
    const { requests, stores } = await visit(failing)
    await nickname.fill('Moderator')
    await confirm.click()
    await accept.click()
    await expect.element(nickname).toHaveAccessibleDescription(english)
    await expect.element(nickname).toHaveFocus()
    await expect.element(nickname).toHaveAttribute('aria-invalid', 'true')
    expect(stores.toasts.failure.value).toBeNull()
    await stores.texts.choose('es')
    await expect.element(page.getByLabelText('Apodo')).toHaveAccessibleDescription(spanish)
    await stores.texts.choose('en')
    await nickname.fill('Admin')
    await confirm.click()
    await expect.element(nickname).toHaveAccessibleDescription(english)
    await expect.element(nickname).toHaveFocus()
    Object.assign(failing.failing ?? {}, { addProfile: undefined })
    await nickname.fill('Ada')
    await expect.element(nickname).toBeValid()
    await confirm.click()
    await expect.element(page.getByTestId('address')).toHaveTextContent('/dashboard')
    expect(requests('addProfile')[2]?.input).toMatchObject({ NickName: 'Ada' })
  },
)

test('a user who is under age gets the text of this refusal', async () => {
  await visit({ failing: { addProfile: 'underage' } })
  await nickname.fill('Ada')
  await confirm.click()
  await accept.click()
  await expect.element(page.getByRole('heading', { name: 'Waggle is for adults' })).toBeVisible()
  await expect.element(page.getByText(/^You must be 18 years or older/)).toBeVisible()
  await expect.element(again).not.toBeInTheDocument()
})

test('a returning user finds the profile filled in and cannot change the date of birth', async () => {
  await visit({ profile: { nickName: 'Grace', gender: 'girl', dateOfBirth: '1985-12-09' } })
  await expect.element(nickname).toHaveValue('Grace')
  await expect.element(birth).toHaveValue('09/12/1985')
  await expect.element(page.getByRole('radio', { name: 'Girl' })).toBeChecked()
  await birth.click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Open calendar' })).not.toBeInTheDocument()
  await expect.element(confirm).toBeEnabled()
})
