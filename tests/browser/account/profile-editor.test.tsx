import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import { ProfileEditor } from '../../../src/account/profile-editor/profile-editor.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { openProfilePopup } from '../../support/browser/profile-popup.tsx'
import { render } from '../../support/browser/render.tsx'

const dialog = page.getByRole('dialog', { name: 'Your profile' })
const nickname = dialog.getByLabelText('Nickname')
const save = dialog.getByRole('button', { name: 'Save' })
const crop = dialog.getByLabelText('Part of the picture that is kept')
const show = dialog.getByRole('switch', { name: 'Show my picture to the people I meet' })
const preview = dialog.getByRole('region', { name: 'How others see you' })

/** A red PNG of 400 x 200 pixels, as the fake measures every picture. */
async function pngFile(): Promise<File> {
  const canvas = new OffscreenCanvas(400, 200)
  canvas.getContext('2d')?.fillRect(0, 0, 400, 200)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'me.png', { type: 'image/png' })
}

async function openEditor(world?: Partial<World>) {
  const fake = await openProfilePopup(world)
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expect.element(nickname).toBeVisible()
  return fake
}

async function chooseFile(): Promise<void> {
  await userEvent.upload(dialog.getByLabelText('Choose a file').last(), await pngFile())
  await expect.element(crop).toBeInTheDocument()
}

/** Where the picture lies under its square: offset and size in parts of the square. */
function placeOf(image: Element | null | undefined) {
  const { left, top, width } = (image as HTMLImageElement).style
  return [left, top, width].map((part) => Math.round(Number.parseFloat(part)))
}
const place = () => placeOf(crop.element().parentElement?.querySelector('img'))

test('nickname and gender are changed, the date of birth is shown and stays', async () => {
  const { world, stores } = await openEditor()
  await expect.element(nickname).toHaveValue('Ada')
  await expect.element(dialog.getByLabelText('Date of birth')).toHaveValue('December 10, 1990')
  await expect.element(dialog.getByLabelText('Date of birth')).toHaveAttribute('readonly')
  await expect.element(dialog.getByRole('link', { name: 'hello@waggle.example' })).toBeVisible()
  await nickname.fill('Grace  H1')
  await dialog.getByLabelText('Others').click()
  world.profile = { ...world.profile, nickName: 'Grace H' }
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.changed).toEqual([
    { NickName: 'Grace H', Gender: 'others', ShowPicture: 'false', RemovePicture: 'false' },
  ])
  expect(stores.account.nickName.value).toBe('Grace H')
  await expect.element(page.getByRole('button', { name: 'Hi, Grace H' })).toBeVisible()
})

test('without an address nobody is asked to write to one', async () => {
  const { stores, signIn } = fakeStores()
  await Promise.all([signIn(), stores.texts.need('profile')])
  render({ ...stores, config: { ...stores.config, contactEmail: null } }, <ProfileEditor onClose={() => {}} />)
  await expect.element(dialog.getByText('You cannot change it. Moderators can correct it.')).toBeVisible()
  await expect.element(dialog.getByText(/Write to us/)).not.toBeInTheDocument()
})

test('an invalid nickname cannot be saved', async () => {
  await openEditor()
  await nickname.fill('')
  await expect.element(dialog.getByText('Nickname is required')).toBeVisible()
  await expect.element(save).toBeDisabled()
  await nickname.fill('a'.repeat(31))
  await expect.element(dialog.getByText('Nickname cannot exceed 30 characters')).toBeVisible()
  await expect.element(save).toBeDisabled()
})

test('a file is cropped with the keyboard, previewed as others see it, and sent', async () => {
  const { world } = await openEditor()
  await chooseFile()
  expect(place()).toEqual([-50, 0, 200])
  ;(crop.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(place()).toEqual([-40, 0, 200])
  await userEvent.keyboard('{ArrowLeft}{ArrowDown}')
  expect(place()).toEqual([-45, 0, 200])
  await userEvent.tab()
  await expect.element(dialog.getByLabelText('Zoom')).toHaveFocus()
  await userEvent.keyboard('{End}')
  expect(place()[2]).toBe(800)
  await expect.element(preview.getByText(/^Others do not see your picture/)).toBeVisible()
  expect(preview.element().querySelector('img')?.getAttribute('src')).toBe('/default-face.svg')
  await show.click()
  await expect.element(preview.getByText(/^The people you meet see this picture/)).toBeVisible()
  expect(placeOf(preview.element().querySelector('img'))).toEqual(place())
  const shown = preview.element().querySelector('img')?.src ?? ''
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.changed).toMatchObject([{ ShowPicture: 'true', file: { fileName: 'profile.jpg' } }])
  await expect(fetch(shown)).rejects.toThrow()
})

test('the picture is dragged with the pointer', async () => {
  await openEditor()
  await chooseFile()
  const square = crop.element().getBoundingClientRect()
  const at = (x: number) => ({ clientX: x, clientY: square.top + 9, pointerId: 1, bubbles: true })
  const grip = crop.element() as HTMLElement
  grip.setPointerCapture = () => {}
  grip.dispatchEvent(new PointerEvent('pointerdown', at(square.left + 9)))
  grip.dispatchEvent(new PointerEvent('pointermove', at(square.left + 9 + square.width / 4)))
  await expect.poll(place).toEqual([-25, 0, 200])
  grip.dispatchEvent(new PointerEvent('pointerup', at(square.left)))
  grip.dispatchEvent(new PointerEvent('pointermove', at(square.left)))
  await expect.poll(place).toEqual([-25, 0, 200])
})

test('a picture is taken with the open camera', async () => {
  const { world, stores } = await openEditor()
  await expect.element(dialog.getByRole('button', { name: 'Use the camera' })).not.toBeInTheDocument()
  await stores.devices.open()
  await dialog.getByRole('button', { name: 'Use the camera' }).click()
  await expect.element(dialog.getByLabelText('My video')).toBeVisible()
  await dialog.getByRole('button', { name: 'Take the picture' }).click()
  await expect.element(crop).toBeInTheDocument()
  await expect.element(dialog.getByLabelText('My video')).not.toBeInTheDocument()
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.changed).toMatchObject([{ file: { fileName: 'profile.jpg' } }])
})

test('the picture is removed', async () => {
  const profile = {
    nickName: 'Ada',
    gender: 'girl',
    dateOfBirth: '1990-12-10',
    showsPicture: true,
    pictureState: 'ready',
    picture: btoa('WebP'),
  } as const
  const { world, stores } = await openEditor({ profile })
  await expect.element(preview.getByText(/^The people you meet see this picture/)).toBeVisible()
  expect(stores.account.picture.value).toMatch(/^blob:/)
  await dialog.getByRole('button', { name: 'Remove the picture' }).click()
  await expect.element(preview.getByText('Others see a face without features in place of a picture.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Choose a file' })).toHaveFocus()
  world.profile = { ...profile, pictureState: 'none', picture: null }
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.changed).toMatchObject([{ RemovePicture: 'true' }])
  expect(stores.account.picture.value).toBeNull()
})

test.for([
  ['picture-refused', 'This picture breaks the community guidelines. Please choose another one.'],
  ['wrong-type', 'This file is not a picture that can be used. Choose a JPEG, PNG, WebP or GIF.'],
  ['timeout', 'Your profile was not saved. Please try again.'],
] as const)('%s is shown, and what was entered stays', async ([code, words]) => {
  await openEditor({ profileRefusal: code })
  await nickname.fill('Grace')
  await save.click()
  await expect.element(dialog.getByRole('alert').getByText(words)).toBeVisible()
  await expect.element(nickname).toHaveValue('Grace')
  await expect.element(save).toHaveFocus()
})

test('a file that is no picture is explained at once', async () => {
  const { world } = await openEditor()
  world.pictures.measure = () => Promise.reject(new AppError('encode-failed'))
  await userEvent.upload(dialog.getByLabelText('Choose a file').last(), await pngFile())
  await expect.element(dialog.getByText(/^This file is not a picture that can be used/)).toBeVisible()
})

test.for([
  ['checking', 'Your picture is being checked. Others see it as soon as that is done.'],
  ['refused', 'Your last picture broke the community guidelines and was removed.'],
] as const)('a picture that is %s is explained', async ([pictureState, words]) => {
  const picture = pictureState === 'checking' ? btoa('WebP') : null
  const { world } = await openProfilePopup()
  world.profile = { ...world.profile, showsPicture: true, pictureState, picture }
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expect.element(preview.getByText(words)).toBeVisible()
})

test('a profile that cannot be read is explained, and the focus returns to the button', async () => {
  await openProfilePopup({ failing: ['readProfile'] })
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expect.element(dialog.getByText('Your profile could not be loaded. Please try again.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Edit profile' })).toHaveFocus()
})

test('the dialog fits into 320 pixels, and every control is 44 high', async () => {
  await page.viewport(320, 640)
  await openEditor()
  await chooseFile()
  const controls = document.querySelectorAll<HTMLElement>('dialog :is(button, input:not([hidden], [type="radio"]))')
  for (const control of controls) {
    const { height, left, right } = control.getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(320)
  }
  const { scrollWidth, clientWidth } = dialog.element()
  expect(scrollWidth).toBe(clientWidth)
  await page.viewport(1280, 800)
})

test('a nickname that the server refuses is marked with the reason until it is changed', async () => {
  const { world } = await openEditor({ profileRefusal: 'nickname-reserved' })
  await nickname.fill('Moderator')
  await save.click()
  await expect.element(nickname).toHaveAccessibleDescription(/mistaken for the staff/)
  await expect.element(nickname).toHaveFocus()
  await nickname.fill('Ada L')
  await expect.element(nickname).toBeValid()
  world.profileRefusal = null
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(world.changed).toMatchObject([{ NickName: 'Ada L' }])
})
