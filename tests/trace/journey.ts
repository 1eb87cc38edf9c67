import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { END_PHASE, PHASE_MARK } from './analysis.ts'
import { countPorts } from './count-ports.ts'
import { thenEnd } from './ending.ts'
import { askReactForComponents } from './renders.ts'

/** A long call is divided into phases of this length, so that what grows can be seen. */
const STRETCH_MS = 10_000

/** One person with a browser of their own. */
export type Person = { name: string; browser: Browser; context: BrowserContext; page: Page }

/** Begins a phase of the journey in every person's trace. */
export type Begin = (phase: string) => Promise<void>

/** Does `work` with one browser for each name, and closes them. */
export async function withPeople<T>(
  origin: string,
  names: readonly string[],
  work: (people: readonly Person[]) => Promise<T>,
): Promise<T> {
  const people = await Promise.all(names.map((name) => openPerson(origin, name)))
  return await thenEnd(
    () => work(people),
    async () => void (await Promise.all(people.map(({ browser }) => browser.close()))),
  )
}

async function openPerson(origin: string, name: string): Promise<Person> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: chromiumArgs,
    // The command ends what it began by itself.
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  try {
    const context = await browser.newContext({
      baseURL: origin,
      permissions: ['camera', 'microphone'],
      viewport: { width: 1280, height: 800 },
      // It fetches everything there is, for later.
      serviceWorkers: 'block',
    })
    await context.addInitScript(countPorts)
    await context.addInitScript(askReactForComponents)
    return { name, browser, context, page: await context.newPage() }
  } catch (error) {
    await browser.close()
    throw error
  }
}

export async function slowDown({ context, page }: Person, rate: number): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

export function beginFor(people: readonly Person[]): Begin {
  return async (phase) => {
    await Promise.all(
      people.map(({ page }) => page.evaluate((mark) => void performance.mark(mark), PHASE_MARK + phase)),
    )
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The page is opened with `?trace`, so that the product's own tracks are in the recording. */
export async function signInThroughPages({ page, name }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
  const popupOpens = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  const popup = await popupOpens
  await popup.getByLabel('E-mail').fill(`${name.toLowerCase()}@example.org`)
  await popup.getByLabel('First name').fill(name)
  await popup.getByLabel('Last name').fill('Tester')
  await popup.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Nickname').fill(name)
  await button(page, 'Confirm').click()
  await button(page, 'Accept').click()
  await button(page, 'Start video chat').waitFor()
}

export async function searchTogether(people: readonly Person[]): Promise<void> {
  for (const { page } of people) await button(page, 'Start video chat').click()
  for (const { page } of people) await page.waitForURL('**/chat')
}

export async function seeEachOther(people: readonly Person[]): Promise<void> {
  for (const { page } of people) {
    const video = page.getByLabel('Peer video')
    await video.waitFor()
    await video.evaluate(
      (element: HTMLVideoElement) => new Promise((resolve) => element.requestVideoFrameCallback(resolve)),
    )
  }
}

export async function say({ page }: Person, listener: Person, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
  await listener.page.getByRole('log', { name: 'Chat' }).getByText(text, { exact: true }).waitFor()
}

export async function exitToDashboard({ page }: Person): Promise<void> {
  await button(page, 'Exit').click()
  await button(page, 'Start video chat').waitFor()
}

export async function cancelSearch({ page }: Person): Promise<void> {
  await button(page, 'Cancel Matching').click()
  await button(page, 'Start video chat').waitFor()
}

/** From the first screen to the dashboard after two searches. `callMs` is how long the call is watched. */
export async function goJourney(people: readonly Person[], begin: Begin, callMs: number): Promise<void> {
  const [ada, bela] = people
  if (!ada || !bela) throw new Error('A journey needs two people')
  await Promise.all(people.map(({ page }) => page.goto('/?trace')))
  await begin('sign-in')
  await Promise.all(people.map(signInThroughPages))
  await begin('dashboard')
  await Promise.all(people.map(({ page }) => page.getByRole('switch', { name: /network address/ }).waitFor()))
  await begin('match')
  await searchTogether(people)
  await begin('call')
  await seeEachOther(people)
  for (let watched = 0; watched < callMs; watched += STRETCH_MS) {
    if (watched > 0) await begin(`call after ${watched / 1_000} s`)
    await ada.page.waitForTimeout(Math.min(STRETCH_MS, callMs - watched))
  }
  await begin('chat')
  await say(ada, bela, 'Hello')
  await say(bela, ada, 'Hi there')
  await begin('next')
  // These two have met, so both search on.
  await button(ada.page, 'Next match').click()
  await Promise.all(people.map(({ page }) => page.waitForURL('**/buzzing')))
  await begin('exit')
  await Promise.all(people.map(cancelSearch))
  await begin(END_PHASE)
}
