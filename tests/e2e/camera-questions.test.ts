import { expect } from '@playwright/test'
import { chatOf, expectLivePicture, type Person, say, startChat, test } from './people.ts'

type Asking = typeof globalThis & { questions: string[]; refuses: boolean }

/**
 * Notes what the user of a browser that does not remember the permission is asked for. Constraints that no camera meets are refused
 * before a question.
 */
function countQuestions(): void {
  const page = globalThis as Asking
  Object.assign(page, { questions: [], refuses: false })
  const { mediaDevices, permissions } = navigator
  permissions.query = () => Promise.reject(new TypeError('Not known'))
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints)
    page.questions.push(['audio', 'video'].filter((kind) => Reflect.get(constraints ?? {}, kind)).join(' and '))
    if (!page.refuses) return stream
    for (const track of stream.getTracks()) track.stop()
    throw new DOMException('No', 'NotAllowedError')
  }
}

const questionsOf = ({ page }: Person) => page.evaluate(() => (globalThis as Asking).questions)

/** What of the own stream is live. */
const liveOf = ({ page }: Person) =>
  page.getByLabel('My video').evaluate((video: HTMLVideoElement) => {
    const stream = video.srcObject instanceof MediaStream ? video.srcObject : new MediaStream()
    return stream.getTracks().flatMap(({ kind, readyState }) => (readyState === 'live' ? [kind] : []))
  })

async function arriveCounting(arrive: (nickName: string) => Promise<Person>, nickName: string): Promise<Person> {
  const person = await arrive(nickName)
  await person.page.addInitScript(countQuestions)
  await person.page.reload()
  await expect(person.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  return person
}

test('the user is asked for the camera once, and again only after refusing another one', async ({ arrive }) => {
  const ada = await arriveCounting(arrive, 'Ada')
  const bela = await arrive('Béla')
  await expect.poll(() => questionsOf(ada)).toEqual(['audio and video'])
  for (const person of [ada, bela]) await startChat(person)
  await expectLivePicture(ada.page.getByLabel('Peer video'))

  await test.step('once from the dashboard over two calls and back', async () => {
    await ada.page.getByRole('button', { name: 'Next match', exact: true }).click()
    await expect(bela.page.getByText('Ada has left the chat.')).toBeVisible()
    // No other user is in the queue, so the two are matched again.
    await say(ada, 'again')
    await expect(chatOf(bela).getByText('again', { exact: true })).toBeVisible()
    await ada.page.getByRole('button', { name: 'Exit', exact: true }).click()
    await expect(ada.page).toHaveURL(/\/dashboard$/)
    await expectLivePicture(ada.page.getByLabel('My video'))
    expect(await questionsOf(ada)).toEqual(['audio and video'])
  })

  await test.step('another camera that the user refuses in a call leaves the call with the microphone', async () => {
    await startChat(ada)
    await expectLivePicture(ada.page.getByLabel('Peer video'))
    await ada.page.evaluate(() => Object.assign(globalThis, { refuses: true }))
    await ada.page.getByRole('button', { name: 'Camera and sound' }).click()
    await ada.page.getByRole('combobox', { name: 'Camera' }).selectOption({ index: 1 })
    await ada.page.getByRole('button', { name: 'Done' }).click()
    await expect(ada.page.getByText('Camera blocked.')).toBeVisible()
    expect(await liveOf(ada)).toEqual(['audio'])
    await say(ada, 'still here')
    await expect(chatOf(bela).getByText('still here', { exact: true })).toBeVisible()
  })

  await test.step('back on the dashboard nothing is asked until the next start', async () => {
    await ada.page.getByRole('button', { name: 'Exit', exact: true }).click()
    await expect(ada.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
    expect(await questionsOf(ada)).toEqual(['audio and video', 'video'])
    await ada.page.evaluate(() => Object.assign(globalThis, { refuses: false }))
    await startChat(ada)
    await expectLivePicture(bela.page.getByLabel('Peer video'))
    expect(await questionsOf(ada)).toEqual(['audio and video', 'video', 'video'])
  })
})
