import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { sizedList } from '../../scripts/test-limits.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

const NARROWEST = { width: 320, height: 640 }

/** The least room that each of the two layouts has. Wider windows repeat these layouts with more room. */
const tightest = [NARROWEST, { width: 1024, height: 768 }]
const roomy = [PHONE, { width: 768, height: 1024 }, DESKTOP, { width: 1920, height: 1080 }]
const sizes = sizedList(tightest, [...tightest, ...roomy])

/** The rules whose result the scheme can change. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block']

/** The layouts of the widths have the same elements, so that one width shows axe all of them. */
const examined = sizedList([NARROWEST], [NARROWEST, PHONE, DESKTOP])

/** Folder for screenshots of the inspected screens. */
const PICTURES = 'test-results/screens'
const pictured = sizedList([], [PHONE, DESKTOP])

/** The scheme changes colours, not the layout: one size of the dark one has them all. */
const looks = { light: sizes, dark: sizedList([NARROWEST], [NARROWEST, PHONE]) } as const

/** @axe-core/playwright injects three times the bytes, twice: that takes longer than the rules. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Runs all rules of axe on this page, or `onlyRules`. The source of axe is injected once per document. */
export async function runAxe(page: Page, onlyRules?: readonly string[]): Promise<axe.AxeResults> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(onlyRules && { runOnly: [...onlyRules] }) }
  return page.evaluate((options) => (globalThis as unknown as { axe: typeof axe }).axe.run(options), options)
}

/**
 * Checks the screen in light and dark: no violation of axe, no horizontal overflow, no text cut off, and nothing that would move. `long`
 * also makes screenshots.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  const faults = (await page.evaluate(movingElements)).map((element) => `${name} with reduced motion: ${element}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const size of looks[colorScheme]) {
      await page.setViewportSize(size)
      await page.evaluate(atRest)
      const where = `${name} at ${size.width}, ${colorScheme}`
      for (const fault of await page.evaluate(layoutFaults)) faults.push(`${where}: ${fault}`)
      if (examined.includes(size)) {
        const { violations } = await runAxe(page, colorScheme === 'dark' ? colourRules : undefined)
        for (const { id, nodes } of violations)
          faults.push(`${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
      }
      if (pictured.includes(size)) {
        const path = `${PICTURES}/${name}-${size.width}-${colorScheme}.png`
        await page.screenshot({ path, animations: 'disabled' })
      }
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
  expect(faults).toEqual([])
}

/** Resolves two frames after the last finite animation. */
export async function atRest(): Promise<void> {
  const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

/** Returns the elements that would move although the user asked for reduced motion. */
function movingElements(): string[] {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return ['it is not reduced']
  const hasTime = (durations: string) => durations.split(',').some((duration) => Number.parseFloat(duration) > 0)
  return [...document.querySelectorAll('*')].flatMap((element) =>
    ['', '::before', '::after'].flatMap((pseudo) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, pseudo)
      const moves = hasTime(transitionDuration) || (animationName !== 'none' && hasTime(animationDuration))
      return moves ? [`${element.tagName}.${element.className}${pseudo}`] : []
    }),
  )
}

export function layoutFaults(): string[] {
  const faults: string[] = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide in a window of ${clientWidth}`)

  /** Returns the ancestor that clips this element; an ancestor that scrolls clips nothing. */
  function clipper(element: Element): Element | null {
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box)
      if (/hidden|clip/.test(overflowX + overflowY)) return box
      if (/auto|scroll/.test(overflowX + overflowY) || position === 'fixed') return null
    }
    return null
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const element = text.parentElement
    if (
      !element ||
      !text.textContent?.trim() ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    )
      continue
    if (element.closest('.visually-hidden, [aria-hidden="true"]')) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const words = range.getBoundingClientRect()
    const box = clipper(element)?.getBoundingClientRect()
    // Boxes of at most two pixels contain text for screen readers only.
    if (!box || box.width <= 2 || words.width === 0) continue
    const isCut =
      words.right > box.right + 1 ||
      words.left < box.left - 1 ||
      words.bottom > box.bottom + 1 ||
      words.top < box.top - 1
    if (isCut) faults.push(`cut: "${text.textContent.trim().slice(0, 60)}"`)
  }
  return faults
}
