import type { BrowserContext, Page } from '@playwright/test'
import { expect } from '@playwright/test'

/**
 * Deletes features named by their path from the global object, before any script of the product runs. Self-contained: it runs in pages and
 * workers, where not all of the objects exist.
 */
function removeFeatures(paths: string[]): void {
  for (const path of paths) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const owner = names.reduce<object | undefined>((object, name) => object && Reflect.get(object, name), globalThis)
    if (owner) Reflect.deleteProperty(owner, last)
  }
}

/** Returns the features that are there. Self-contained, too. */
function remainingFeatures(paths: string[]): string[] {
  return paths.filter((path) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const owner = names.reduce<object | undefined>((object, name) => object && Reflect.get(object, name), globalThis)
    return owner !== undefined && last in owner
  })
}

/** Removes the features from pages of the context, and from its workers by a statement before their script. */
export async function removeFrom(context: BrowserContext, features: string[]): Promise<void> {
  await context.addInitScript(removeFeatures, features)
  await context.route(/\/assets\/\w+\.worker-[^/]+\.js$/, async (route) => {
    const response = await route.fetch()
    const first = `(${removeFeatures})(${JSON.stringify(features)});`
    await route.fulfill({ response, body: first + (await response.text()) })
  })
}

export async function expectRemoved(page: Page, features: string[]): Promise<void> {
  expect(await page.evaluate(remainingFeatures, features)).toEqual([])
  expect(page.workers()).not.toEqual([])
  for (const worker of page.workers()) expect(await worker.evaluate(remainingFeatures, features)).toEqual([])
}
