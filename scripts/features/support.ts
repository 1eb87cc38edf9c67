import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
// This entry reads the 20 MB of JSON itself; the test runner would transform the JSON file as a module.
import compatData from '@mdn/browser-compat-data/forLegacyNode'
import { floor } from '../browser-floor.ts'

/** A feature of the web: `name` is its path in MDN's browser-compat-data, or its form in a stylesheet. */
export type Feature = { name: string; compat: CompatStatement }

export const { api, css, html, javascript } = compatData

type Browser = keyof typeof floor

/**
 * Returns the oldest version that has the feature without a flag, prefix or other name; undefined if no version has it,
 * or the newest no longer.
 */
function sinceVersion({ support }: CompatStatement, browser: Browser): string | undefined {
  const usable = [support[browser] ?? []]
    .flat()
    .filter(({ flags, prefix, alternative_name }: SimpleSupportStatement) => !(flags || prefix || alternative_name))
  if (usable.every(({ version_removed }) => version_removed)) return undefined
  const versions = usable.flatMap(({ version_added: added }) =>
    added === false || added === 'preview' ? [] : [added.replace(/^≤|\.0$/g, '')],
  )
  return versions.sort(byVersion)[0]
}

const byVersion = new Intl.Collator('en', { numeric: true }).compare

/** True for a feature that at least one browser of the floor lacks. */
export function isYounger({ compat }: Feature): boolean {
  return Object.entries(floor).some(([browser, oldest]) => {
    const since = sinceVersion(compat, browser as Browser)
    return since === undefined || byVersion(since, oldest) > 0
  })
}

/** Orders features by the version of Chrome that has them. */
export function byAge(one: Feature, other: Feature): number {
  const since = ({ compat }: Feature) => sinceVersion(compat, 'chrome') ?? '9999'
  return byVersion(since(one), since(other))
}

/** Returns the versions that have the feature, as docs/browser-features.md lists them. */
export function sinceText({ compat }: Feature): string {
  const since = (browser: Browser) => sinceVersion(compat, browser) ?? 'none'
  const [chrome, webview, safari, ios] = [
    since('chrome'),
    since('webview_android'),
    since('safari'),
    since('safari_ios'),
  ]
  return [
    `Chrome ${chrome}`,
    ...(webview === chrome ? [] : [`WebView ${webview}`]),
    `Firefox ${since('firefox')}`,
    `Safari ${safari}`,
    ...(ios === safari ? [] : [`iOS ${ios}`]),
  ].join(', ')
}

/** Returns the nodes below a node of the data, by their key. */
export function childrenOf(node: Identifier = {}): [string, Identifier][] {
  return Object.entries(node).filter((entry): entry is [string, Identifier] => entry[0] !== '__compat')
}

export function featuresOf(node: Identifier = {}, prefix = ''): (Feature & { key: string })[] {
  return childrenOf(node).flatMap(([key, { __compat: compat }]) =>
    compat ? [{ key, name: `${prefix}${key}`, compat }] : [],
  )
}

export function eachOnce(found: Feature[]): Feature[] {
  return [...new Map(found.map((feature) => [feature.name, feature])).values()]
}
