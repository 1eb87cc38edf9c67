import { type AtRule, type Declaration, parse, type Rule } from 'postcss'
import { css, type Feature, featuresOf, isYounger } from './support.ts'

/**
 * Finds features in a built stylesheet that are younger than the floor: properties, their values, functions, units, selectors and at-rules.
 * What has a browser's prefix is an addition that other browsers ignore.
 */

const properties = css.properties ?? {}
const selectors = new Map(featuresOf(css.selectors ?? {}).map((feature) => [feature.key, feature]))
const atRules = css['at-rules'] ?? {}
const types = css.types ?? {}
const units = new Map(featuresOf(types.length ?? {}).map((feature) => [feature.key, feature]))
const functions = new Map(
  [types, types.color ?? {}, types.image ?? {}, types.gradient ?? {}]
    .flatMap((node) => featuresOf(node))
    .map((feature) => [feature.key, { ...feature, name: `${feature.key}()` }]),
)

const words = /(?<![\w.#-])[a-z][a-z-]*(?![\w(-])/g
const calls = /(?<![\w-])([a-z][a-z-]*)\(/g
const lengths = /\d([a-z]+)\b/g
const pseudoNames = /::?([a-z][a-z-]*)/g

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([whole, name]) => name ?? whole)
}

function inDeclaration({ prop, value, parent }: Declaration): (Feature | undefined)[] {
  const inRule = parent?.type === 'rule'
  const node = inRule && !prop.startsWith('-') ? properties[prop] : undefined
  const values = new Map(
    featuresOf(node ?? {}, `${prop}: `).map((feature) => [feature.key.replaceAll('_', '-'), feature]),
  )
  return [
    node?.__compat && { name: prop, compat: node.__compat },
    ...(node ? namesIn(value, words).map((word) => values.get(word)) : []),
    ...namesIn(value, calls).map((name) => functions.get(name)),
    ...namesIn(value, lengths).map((unit) => units.get(unit) ?? unitGroups.get(unit)),
  ]
}

/** The data has one entry for the units of a kind. */
const unitGroups = new Map(
  Object.entries({
    viewport_percentage_units_dynamic: ['dvh', 'dvw', 'dvi', 'dvb', 'dvmin', 'dvmax'],
    viewport_percentage_units_small: ['svh', 'svw', 'svi', 'svb', 'svmin', 'svmax'],
    viewport_percentage_units_large: ['lvh', 'lvw', 'lvi', 'lvb', 'lvmin', 'lvmax'],
    container_query_length_units: ['cqw', 'cqh', 'cqi', 'cqb', 'cqmin', 'cqmax'],
  }).flatMap(([group, members]) => {
    const feature = units.get(group)
    if (!feature) throw new Error(`browser-compat-data no longer has ${group}`)
    return members.map((unit) => [unit, { ...feature, name: `unit ${unit}` }] as const)
  }),
)

function inRule({ selector, parent }: Rule): (Feature | undefined)[] {
  const nesting = css.selectors?.nesting?.__compat
  const isNested = parent?.type === 'rule'
  return [
    isNested && nesting ? { name: 'nesting', compat: nesting } : undefined,
    ...[...selector.matchAll(pseudoNames)].map(([written, name]) => {
      const feature = selectors.get(name ?? '')
      return feature && !name?.startsWith('-') ? { ...feature, name: written } : undefined
    }),
  ]
}

function inAtRule({ name, params }: AtRule): (Feature | undefined)[] {
  const node = atRules[name]
  const range = /[<>]/.test(params) ? atRules[name]?.range_syntax?.__compat : undefined
  const conditions = new Map(featuresOf(node ?? {}, `@${name} `).map((feature) => [feature.key, feature]))
  return [
    node?.__compat && { name: `@${name}`, compat: node.__compat },
    range && { name: `@${name} range`, compat: range },
    ...namesIn(params, words).map((word) => conditions.get(word)),
  ]
}

/** Returns the features that are younger than the floor, each once. */
export function youngerInStyle(text: string): Feature[] {
  const found: (Feature | undefined)[] = []
  const root = parse(text)
  root.walkDecls((declaration) => void found.push(...inDeclaration(declaration)))
  root.walkRules((rule) => void found.push(...inRule(rule)))
  root.walkAtRules((rule) => void found.push(...inAtRule(rule)))
  const younger = found.filter((feature) => feature !== undefined).filter(isYounger)
  return [...new Map(younger.map((feature) => [feature.name, feature])).values()]
}
