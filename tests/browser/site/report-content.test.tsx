import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CONTENT_NOTICE_TEXT_MAX, type ContentNotice } from '#protocol/content-notices.ts'
import { AppError } from '#protocol/errors.ts'
import type { Api } from '../../../src/platform/ports.ts'
import { solveNoticeChallenge } from '../../../src/site/io/notice-proof.ts'
import { ReportContentPage } from '../../../src/site/report-content/report-content-page.tsx'
import { createContentNoticeStore } from '../../../src/site/state/content-notice.ts'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const receipt = { reference: '0A1B2C3D4E5F', kind: 'intimate-picture', at: 0, dueAt: 172_800_000 } as const

/** The form over a server that the test answers for. */
function open() {
  const sent: ContentNotice[] = []
  const server: { answer: (name: string, input: unknown) => unknown; beforeSolving?: Promise<void> } = {
    answer: () => receipt,
  }
  const api: Api = {
    async request(name, input) {
      if (name === 'sendContentNotice') sent.push(input as ContentNotice)
      return server.answer(name, input) as never
    },
  }
  let keys = 0
  const store = createContentNoticeStore({
    api,
    log: { info() {}, error() {} },
    newKey() {
      keys += 1
      return `key-of-the-browser-number-${keys}`
    },
    async solve(...how) {
      await server.beforeSolving
      return solveNoticeChallenge(...how)
    },
  })
  const show = () => render(fakeStores().stores, <ReportContentPage store={store} />, '/report-content')
  show()
  return { sent, server, show }
}

const form = page.getByRole('form', { name: 'Your notice' })
const send = page.getByRole('button', { name: 'Send the notice' })
const description = form.getByLabelText('Description')

async function fill(): Promise<void> {
  await form.getByLabelText('An intimate picture of me was published or sent without my consent').click()
  await form.getByLabelText('Your e-mail address').fill('zoe@example.org')
  await form.getByLabelText('When it happened: date').fill('2026-01-02')
  await description.fill('<b>me</b>, at night')
  await form.getByLabelText(/^I declare/).click()
  await form.getByLabelText(/^I believe in good faith/).click()
  await form.getByLabelText('Signature: your full name').fill(' Zoë Ünal ')
}

test('a notice is sent, and the receipt has its number, the deadline and the focus', async () => {
  const { sent } = open()
  await fill()
  await form.getByLabelText('Time, if you know it').fill('23:59')
  await send.click()
  await expect.element(page.getByRole('heading', { name: 'Your notice has arrived' })).toHaveFocus()
  await expect.element(page.getByText('0A1B-2C3D-4E5F', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Answer at the latest')).toBeVisible()
  expect(sent).toEqual([
    {
      kind: 'intimate-picture',
      email: 'zoe@example.org',
      day: '2026-01-02',
      time: '23:59',
      description: '<b>me</b>, at night',
      isTrue: true,
      isGoodFaith: true,
      signature: 'Zoë Ünal',
      key: 'key-of-the-browser-number-1',
    },
  ])
  await page.getByRole('button', { name: 'Send another notice' }).click()
  await expect.element(description).toHaveValue('')
})

test('while the network is away what was typed stays, and is sent again under the same key', async () => {
  const { sent, server, show } = open()
  server.answer = () => {
    throw new AppError('network-error')
  }
  await fill()
  await send.click()
  await expect.element(page.getByRole('alert').getByText(/Everything that you typed is still here/)).toBeVisible()
  await expect.element(description).toHaveValue('<b>me</b>, at night')
  // Another page was open meanwhile.
  unmount()
  show()
  await expect.element(description).toHaveValue('<b>me</b>, at night')
  await expect.element(form.getByLabelText('Your e-mail address')).toHaveValue('zoe@example.org')
  server.answer = () => receipt
  await send.click()
  await expect.element(page.getByRole('heading', { name: 'Your notice has arrived' })).toBeVisible()
  expect(sent.map(({ key }) => key)).toEqual(['key-of-the-browser-number-1', 'key-of-the-browser-number-1'])
})

test('a notice that was changed after a failure is another one', async () => {
  const { sent, server } = open()
  server.answer = () => {
    throw new AppError('timeout')
  }
  await fill()
  await send.click()
  await expect.poll(() => sent.length).toBe(1)
  await description.fill('And more')
  await send.click()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('an empty form names each field that is needed, and the first one gets the focus', async () => {
  const { sent } = open()
  await send.click()
  for (const words of [
    'What happened? Choose one of the two.',
    /^Your e-mail address: please/,
    /^Date: please say/,
    'Description: please say what happened.',
    'Your declaration is needed before we can act.',
  ])
    await expect.element(form.getByText(words)).toBeVisible()
  await expect.element(form.getByRole('radio').first()).toHaveFocus()
  expect(sent).toEqual([])
})

test('a notice of an intimate picture needs the statement and the signature, one of an impersonation shows neither', async () => {
  const { sent } = open()
  await fill()
  await form.getByLabelText(/^I believe in good faith/).click()
  await form.getByLabelText('Signature: your full name').fill(' ')
  await send.click()
  await expect.element(form.getByText(/^Your statement that there was no consent is needed/)).toBeVisible()
  await expect.element(form.getByText(/^Signature: please type your full name/)).toBeVisible()
  await expect.element(form.getByLabelText(/^I believe in good faith/)).toHaveFocus()
  expect(sent).toEqual([])
  await form.getByLabelText('Somebody pretends to be me').click()
  await expect.element(form.getByText('Signature: your full name')).not.toBeVisible()
  await send.click()
  await expect.element(page.getByRole('heading', { name: 'Your notice has arrived' })).toBeVisible()
  expect(Object.keys(sent[0] ?? {})).not.toContain('signature')
})

test('a description that is too long is not cut: the error names the limit', async () => {
  const { sent } = open()
  await fill()
  await description.fill('x'.repeat(CONTENT_NOTICE_TEXT_MAX + 1))
  await expect.element(form.getByText('2001/2000')).toBeVisible()
  await send.click()
  await expect.element(form.getByText('Description: 2000 characters at most. Please shorten it.')).toBeVisible()
  await expect.element(description).toHaveFocus()
  expect(sent).toEqual([])
})

test('a field that the server refuses is named, and a flood is told as such', async () => {
  const { server } = open()
  await fill()
  server.answer = () => {
    throw new AppError('bad-request', 'No', { status: 400, field: 'day' })
  }
  await send.click()
  await expect.element(form.getByText('Date: this day does not exist or is in the future.')).toBeVisible()
  server.answer = () => {
    throw new AppError('too-many-requests', 'No', { status: 429 })
  }
  await send.click()
  await expect.element(page.getByRole('alert').getByText(/^Too many notices/)).toBeVisible()
  await expect.element(description).toHaveValue('<b>me</b>, at night')
})

test('the answer is found by number and address, shown as text, and the notice can be deleted', async () => {
  const { server } = open()
  const asked: unknown[] = []
  const answer = { outcome: 'acted', text: '<img src=x> The account\nis closed.', at: 1 } as const
  server.answer = (name, input) => {
    asked.push([name, input])
    return name === 'deleteContentNotice' ? { message: 'Valid' } : { ...receipt, answer }
  }
  await page.getByLabelText('Reference number').fill('0a1b 2c3d 4e5f')
  await page.getByLabelText('Your e-mail address').nth(1).fill('zoe@example.org')
  await page.getByRole('button', { name: 'Show its state' }).click()
  await expect.element(page.getByText(/^We have acted on it/)).toBeVisible()
  await expect.element(page.getByText('<img src=x> The account is closed.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete this notice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this notice?' })
  await expect.element(dialog.getByRole('button', { name: 'Keep it' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Delete this notice' }).click()
  await dialog.getByRole('button', { name: 'Delete this notice' }).click()
  await expect.element(page.getByText('The notice is deleted. Nothing of it is left.')).toBeVisible()
  const own = { reference: '0a1b 2c3d 4e5f', email: 'zoe@example.org' }
  expect(asked).toEqual([
    ['readContentNotice', own],
    ['deleteContentNotice', own],
  ])
})

test.each([
  ['not-found', /^There is no notice with this number/],
  ['network-error', /^That did not work/],
] as const)('a state that is not found (%s) says why', async (code, words) => {
  const { server } = open()
  server.answer = () => {
    throw new AppError(code)
  }
  await page.getByRole('button', { name: 'Show its state' }).click()
  await expect.element(page.getByText(words)).toBeVisible()
})

test('during a flood the browser calculates a proof and sends it with the notice, and says so meanwhile', async () => {
  const { sent, server } = open()
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1_000,
    counter: 300,
    data: { endsAt: 0, level: 1 },
    deriveKey,
    hmacSignatureSecret: 'a',
    hmacKeySignatureSecret: 'b',
  })
  const asked = Promise.withResolvers<void>()
  server.answer = async (name, input) => {
    if (name === 'readNoticeChallenge') return { challenge }
    if (!(input as ContentNotice).proof) throw new AppError('too-many-requests')
    return receipt
  }
  server.beforeSolving = asked.promise
  await fill()
  await send.click()
  await expect.element(page.getByRole('status').getByText(/Your browser is doing a calculation/)).toBeVisible()
  asked.resolve()
  await expect.element(page.getByRole('heading', { name: 'Your notice has arrived' })).toBeVisible()
  expect(sent.map(({ key, proof }) => [key, proof?.solution.counter])).toEqual([
    ['key-of-the-browser-number-1', undefined],
    ['key-of-the-browser-number-1', 300],
  ])
})

test('where no proof can help or none can be calculated, the form says to try again later', async () => {
  const { server } = open()
  let challenge: unknown = null
  server.answer = (name) => {
    if (name === 'readNoticeChallenge') return { challenge }
    throw new AppError('too-many-requests')
  }
  await fill()
  await send.click()
  await expect.element(page.getByRole('alert').getByText(/try again in an hour/)).toBeVisible()
  challenge = { parameters: { nonce: 'no hexadecimal digits' } }
  await send.click()
  await expect.element(page.getByRole('alert').getByText(/try again in an hour/)).toBeVisible()
  await expect.element(send).toBeEnabled()
})
