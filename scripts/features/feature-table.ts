import { type Feature, sinceText } from './support.ts'

/** One row of docs/browser-features.md. Rows of libraries have no versions. */
export type FeatureRow = { names: string[]; since?: string }

/** Reads the rows whose first cell names features. */
export function readRows(document: string): FeatureRow[] {
  return document.split('\n').flatMap((line) => {
    const [, names = '', ...cells] = line.split('|').map((cell) => cell.trim())
    const listed = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    if (listed.length === 0) return []
    // The last cell is empty: the line ends with a bar.
    const [since = ''] = cells
    return [cells.length === 3 ? { names: listed, since } : { names: listed }]
  })
}

/** True if the row names the feature itself or, for a value, its property. */
function isNamed(listed: string, name: string): boolean {
  return name === listed || name.startsWith(`${listed}: `)
}

/** Compares the rows with what was found in each file; returns one sentence for each difference. */
export function faultsOf(rows: FeatureRow[], found: ReadonlyMap<string, Feature[]>): string[] {
  const all = [...found].flatMap(([file, features]) => features.map((feature) => ({ file, feature })))
  const listed = rows.flatMap(({ names }) => names)
  const missing = all
    .filter(({ feature }) => !listed.some((name) => isNamed(name, feature.name)))
    .map(({ file, feature }) => `${file} uses \`${feature.name}\`: ${sinceText(feature)}`)
  const unused = listed
    .filter((name) => !all.some(({ feature }) => isNamed(name, feature.name)))
    .map((name) => `No built file uses \`${name}\`, which the table names`)
  const outdated = rows.flatMap(({ names: [name = ''], since }) => {
    const feature = all.find(({ feature }) => feature.name === name)?.feature
    if (since === undefined || !feature || sinceText(feature) === since) return []
    return [`\`${name}\` is in ${sinceText(feature)}; the table says ${since}`]
  })
  return [...missing, ...unused, ...outdated]
}
