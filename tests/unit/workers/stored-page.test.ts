import { expect, it } from 'vitest'
import { createStoredPage } from '../../../workers/offline/stored-page.ts'

function pageOf(config: string, asset = '/assets/index-1.js'): string {
  return `<script type="application/json" id="page-config">${config}</script><script src="${asset}"></script>`
}

/** A stored page whose server sends `responses` one after another. */
function storedFrom(...responses: (Response | Error)[]) {
  let kept: Response | undefined
  const cache = {
    match: async () => kept?.clone(),
    put: async (_path: RequestInfo | URL, response: Response) => {
      kept = response
    },
  }
  const load = async () => {
    const next = responses.shift()
    if (!(next instanceof Response)) throw next ?? new Error('no more responses')
    return next
  }
  const page = createStoredPage(
    async () => cache,
    (path) => path === '/assets/index-1.js',
    load,
  )
  return { page, text: async () => (await page.match())?.text() }
}

it('keeps the page that the server sent last', async () => {
  const { page, text } = storedFrom(new Response(pageOf('1')), new Response(`${pageOf('1')} again`))
  expect(await text()).toBeUndefined()
  expect(await page.refresh()).toBe(false)
  expect(await text()).toBe(pageOf('1'))
  expect(await page.refresh()).toBe(false)
  expect(await text()).toBe(`${pageOf('1')} again`)
})

it('tells that the configuration is another one', async () => {
  const { page, text } = storedFrom(new Response(pageOf('1')), new Response(pageOf('2')), new Response(pageOf('2')))
  await page.refresh()
  expect(await page.refresh()).toBe(true)
  expect(await text()).toBe(pageOf('2'))
  expect(await page.refresh()).toBe(false)
})

it('does not store a page of another version, whose files may be gone at the next visit', async () => {
  const { page, text } = storedFrom(new Response(pageOf('1')), new Response(pageOf('2', '/assets/index-2.js')))
  await page.refresh()
  expect(await page.refresh()).toBe(false)
  expect(await text()).toBe(pageOf('1'))
})

it('keeps what it has when the server refuses or cannot be reached', async () => {
  const { page, text } = storedFrom(
    new Response(pageOf('1')),
    new Response('draining', { status: 503 }),
    new TypeError('Failed to fetch'),
  )
  await page.refresh()
  expect(await page.refresh()).toBe(false)
  await expect(page.refresh()).rejects.toThrow('Failed to fetch')
  expect(await text()).toBe(pageOf('1'))
})
