import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import type { Language } from '#protocol/languages.ts'
import { ProfilePopup } from '../../../src/account/screens/profile-popup.tsx'
import { SignInPage } from '../../../src/account/sign-in/sign-in-page.tsx'
import { WelcomePage } from '../../../src/account/welcome/welcome-page.tsx'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { loadTexts } from '../../../src/platform/texts/catalogue.ts'
import { createTextStore } from '../../../src/platform/texts/texts.ts'
import { PrivacyPage } from '../../../src/site/privacy/privacy-page.tsx'
import { TopBar } from '../../../src/ui/frame/top-bar.tsx'
import { Toasts } from '../../../src/ui/toasts.tsx'
import { englishTexts } from '../../support/browser/english-texts.ts'
import { fakeStores, meet, paintedStream, tick } from '../../support/browser/fake-stores.ts'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

const menu = page.getByRole('combobox', { name: /^(?:Language|Idioma)$/ })

test('the footer offers English and Español, changes everything at once, keeps the focus and stores the choice', async () => {
  const remember = vi.fn<(language: Language) => void>()
  const { stores } = fakeVisit()
  render({ ...stores, texts: englishTexts(remember) }, <SignInPage />)
  await expect.element(page.getByRole('heading', { name: 'Welcome to Waggle' })).toBeVisible()
  expect([...menu.element().querySelectorAll('option')].map(({ text, lang }) => [text, lang])).toEqual([
    ['English', 'en'],
    ['Español', 'es'],
  ])
  ;(menu.element() as HTMLSelectElement).focus()
  await menu.selectOptions('Español')
  await expect.element(page.getByRole('heading', { name: 'Te damos la bienvenida a Waggle' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Iniciar sesión con Google' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Política de privacidad' })).toHaveAttribute('target', '_blank')
  await expect.element(menu).toHaveFocus()
  await expect.element(menu).toHaveValue('es')
  expect(document.title).toBe('Iniciar sesión · Waggle')
  expect(remember.mock.calls).toEqual([['es']])
  await menu.selectOptions('English')
  await expect.element(page.getByRole('heading', { name: 'Welcome to Waggle' })).toBeVisible()
})

test('the profile popup has the menu too, and stays open', async () => {
  const { stores } = fakeVisit()
  await stores.account.start()
  render(
    stores,
    <TopBar>
      <ProfilePopup />
    </TopBar>,
  )
  await page.getByRole('button', { name: 'Hi, Ada' }).click()
  await menu.selectOptions('Español')
  await expect.element(page.getByRole('button', { name: 'Cerrar sesión' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Hola, Ada' })).toBeVisible()
})

test('the input stays, and its error and the calendar change to the new language', async () => {
  const { stores } = fakeVisit()
  render(stores, <WelcomePage />)
  await page.getByLabelText('Nickname').fill('a'.repeat(31))
  await page.getByRole('radio', { name: 'Girl' }).click()
  await page.getByRole('button', { name: 'Open calendar' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Month' })).toBeVisible()
  await stores.texts.choose('es')
  await expect.element(page.getByLabelText('Apodo')).toHaveValue('a'.repeat(31))
  await expect.element(page.getByText('El apodo no puede tener más de 30 caracteres')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Chica' })).toBeChecked()
  const months = page.getByRole('combobox', { name: 'Mes' })
  await expect.poll(() => [...months.element().querySelectorAll('option')].map(({ text }) => text)[0]).toBe('enero')
  await expect
    .element(
      page
        .getByRole('gridcell')
        .getByRole('button', { name: /^lunes/ })
        .first(),
    )
    .toBeVisible()
  await expect
    .element(page.getByLabelText('Fecha de nacimiento'))
    .toHaveValue(
      (page.getByLabelText('Fecha de nacimiento').element() as HTMLInputElement).value.match(
        /^\d\d\/\d\d\/\d{4}$/,
      )?.[0] ?? '',
    )
})

test('during a call picture, chat and draft stay, and a tick still renders no page', async () => {
  const fake = fakeStores()
  const { stores } = fake
  await stores.devices.open()
  meet(fake)
  stores.call.showRemote(paintedStream())
  stores.chat.receive('Hello there')
  const { runs } = render(stores, <CallPage />)
  await expect.element(page.getByText('Hello there')).toBeVisible()
  // The blur is removed by itself after a while, which renders the picture again.
  await page.getByRole('button', { name: 'Tap to see clearly' }).click()
  await page.getByLabelText('Message').fill('My answ')
  const box = page.getByLabelText('Message').element()
  const video = page.getByLabelText('Peer video').element()
  await stores.texts.choose('es')
  await expect.element(page.getByRole('button', { name: 'Siguiente en 10' })).toBeDisabled()
  expect(page.getByLabelText('Vídeo de la otra persona').element()).toBe(video)
  await expect.element(page.getByLabelText('Mensaje')).toHaveValue('My answ')
  expect(document.activeElement).toBe(box)
  await expect.element(page.getByText('Hello there')).toBeVisible()
  const before = runs()
  tick(fake, 3)
  await expect.element(page.getByRole('button', { name: 'Siguiente en 7' })).toBeVisible()
  expect(runs()).toBe(before)
})

test('counts follow the plural rules of the language', async () => {
  const { stores, world, signIn, beat } = fakeStores({ onlineUsers: 12_345 })
  await signIn()
  render(stores, <DashboardPage />)
  await expect.element(page.getByText('12,345')).toBeVisible()
  await stores.texts.choose('es')
  await expect.element(page.getByText('12.345')).toBeVisible()
  await expect.element(page.getByText('personas en línea ahora')).toBeVisible()
  world.onlineUsers = 1
  beat()
  await expect.element(page.getByText('persona en línea ahora', { exact: true })).toBeVisible()
})

test('a bottom popup that is open changes its language too', async () => {
  const { stores } = fakeVisit()
  render(stores, <Toasts />)
  stores.toasts.show('toasts.peer-left', { nickName: 'Béla' })
  await expect.element(page.getByText('Béla has left the chat.')).toBeVisible()
  await stores.texts.choose('es')
  await expect.element(page.getByText('Béla ha salido del chat.')).toBeVisible()
})

test('dates are formatted by the language', async () => {
  const { stores } = fakeVisit()
  render(stores, <PrivacyPage />)
  await expect.element(page.getByText('Last updated March 1, 2024')).toBeVisible()
  await stores.texts.choose('es')
  await expect.element(page.getByText('Última actualización: 1 de marzo de 2024')).toBeVisible()
  await expect.element(page.getByRole('article').getByRole('link', { name: 'términos y condiciones' })).toBeVisible()
})

test('a language that cannot be loaded changes nothing, and the next try may work', async () => {
  let offline = true
  const remember = vi.fn<(language: Language) => void>()
  const texts = createTextStore({
    language: 'en',
    load: async (language, group) => {
      if (offline && language === 'es') throw new AppError('network-error')
      return loadTexts(language, group)
    },
    remember,
    log: { error: () => {} },
  })
  await texts.need('first', 'frame', 'sign-in')
  const { stores } = fakeVisit()
  render({ ...stores, texts }, <SignInPage />)
  await menu.selectOptions('Español')
  await expect.element(menu).toHaveValue('en')
  expect(remember).not.toHaveBeenCalled()
  offline = false
  await menu.selectOptions('Español')
  await expect.element(page.getByText('Te damos la bienvenida a Waggle')).toBeVisible()
})

test('of two choices in a row the second counts, also for texts that are loaded meanwhile', async () => {
  const texts = englishTexts()
  const { stores } = fakeVisit()
  render({ ...stores, texts }, <SignInPage />)
  const choices = [texts.choose('es'), texts.choose('en-XB'), texts.choose('es')]
  await Promise.all([...choices, texts.need('about')])
  expect(texts.language.value).toBe('es')
  expect(texts.t('about.title')).toBe('Quiénes somos')
  await userEvent.keyboard('{Tab}')
})
