import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
// Reads the 20 MB itself: the test runner would transform the JSON file as a module.
import compatData from '@mdn/browser-compat-data/forLegacyNode'
import { floor } from '../browser-floor.ts'

/** A feature of the web: `name` is its path in MDN's browser-compat-data, or its form in a stylesheet. */
export type Feature = { name: string; compat: CompatStatement }

export const { api, css, html, javascript } = compatData

type Browser = keyof typeof floor

/** True for support without a flag, a prefix or another name. */
function isUsable({ flags, prefix, alternative_name }: SimpleSupportStatement): boolean {
  return !flags && !prefix && !alternative_name
}

/** Returns the oldest version that has the feature, if only in part; undefined if none has it, or not any more. */
function sinceVersion({ support }: CompatStatement, browser: Browser): string | undefined {
  const usable = [support[browser] ?? []].flat().filter(isUsable)
  if (usable.every(({ version_removed }) => version_removed)) return undefined
  const versions = usable.flatMap(({ version_added: added }) =>
    added === false || added === 'preview' ? [] : [added.replace('≤', '')],
  )
  return versions.sort(byVersion)[0]
}

function byVersion(one: string, other: string): number {
  const [parts, others] = [one.split('.').map(Number), other.split('.').map(Number)]
  const different = parts.findIndex((part, index) => part !== (others[index] ?? 0))
  return different === -1 ? 0 : (parts[different] ?? 0) - (others[different] ?? 0)
}

/** True for what at least one browser of the floor lacks. */
export function isYounger({ compat }: Feature): boolean {
  return Object.entries(floor).some(([browser, oldest]) => {
    const since = sinceVersion(compat, browser as Browser)
    return since === undefined || byVersion(since, oldest) > 0
  })
}

/** Orders features by the version of Chrome that has them. */
export function byAge(one: Feature, other: Feature): number {
  const [since, otherSince] = [one, other].map(({ compat }) => sinceVersion(compat, 'chrome') ?? '9999')
  return byVersion(since ?? '', otherSince ?? '')
}

/** Returns the versions that have the feature, as docs/browser-features.md lists them. */
export function sinceText({ compat }: Feature): string {
  const since = (browser: Browser) => sinceVersion(compat, browser) ?? 'none'
  const { chrome, webview, firefox, safari, ios } = {
    chrome: since('chrome'),
    webview: since('webview_android'),
    firefox: since('firefox'),
    safari: since('safari'),
    ios: since('safari_ios'),
  }
  return [
    `Chrome ${chrome}`,
    ...(webview === chrome ? [] : [`WebView ${webview}`]),
    `Firefox ${firefox}`,
    `Safari ${safari}`,
    ...(ios === safari ? [] : [`iOS ${ios}`]),
  ].join(', ')
}

/** Returns the nodes below a node of the data, by their key. */
export function childrenOf(node: Identifier): [string, Identifier][] {
  return Object.entries(node).filter((entry): entry is [string, Identifier] => entry[0] !== '__compat')
}

/** Returns the features below a node of the data. */
export function featuresOf(node: Identifier, prefix = ''): (Feature & { key: string })[] {
  return childrenOf(node).flatMap(([key, { __compat: compat }]) =>
    compat ? [{ key, name: `${prefix}${key}`, compat }] : [],
  )
}
