import { type AtRule, type Declaration, parse, type Rule } from 'postcss'
import { css, eachOnce, type Feature, featuresOf, isYounger } from './support.ts'

/**
 * Finds features in a built stylesheet that are younger than the floor: properties, their values, functions, units,
 * selectors and at-rules. Names with a browser's prefix are left out, since other browsers ignore them.
 */

const words = /(?<![\w.#-])[a-z][a-z-]*(?![\w(-])/g
const calls = /(?<![\w-])[a-z][a-z-]*\(/g
const lengths = /(?<=\d)[a-z]+\b/g
const pseudoNames = /::?[a-z][a-z-]*/g

const properties = css.properties ?? {}
const atRules = css['at-rules'] ?? {}
const types = css.types ?? {}

/** Features by their form in a stylesheet: `color-mix(`, `rcap`. The data has a few units only by kind; these are older than the floor. */
const inValues = new Map<string, Feature>()
for (const { key, compat } of [types, types.color, types.image, types.gradient].flatMap((node) => featuresOf(node)))
  inValues.set(`${key}(`, { name: `${key}()`, compat })
for (const { key, compat } of featuresOf(types.length)) inValues.set(key, { name: key, compat })
const selectors = new Map(featuresOf(css.selectors).map(({ key, compat }) => [key, compat]))

function namesIn(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? []
}

function inDeclaration({ prop, value, parent }: Declaration): (Feature | undefined)[] {
  const node = parent?.type === 'rule' && !prop.startsWith('-') ? properties[prop] : undefined
  const values = featuresOf(node, `${prop}: `).filter(({ key }) =>
    namesIn(value, words).includes(key.replaceAll('_', '-')),
  )
  return [
    node?.__compat && { name: prop, compat: node.__compat },
    ...values,
    ...[...namesIn(value, calls), ...namesIn(value, lengths)].map((name) => inValues.get(name)),
  ]
}

function inRule({ selector, parent }: Rule): (Feature | undefined)[] {
  const nesting = parent?.type === 'rule' && selectors.get('nesting')
  const pseudos = namesIn(selector, pseudoNames).map((name) => {
    const compat = selectors.get(name.replace(/^:+/, ''))
    return compat && { name, compat }
  })
  return [...pseudos, nesting ? { name: 'nesting', compat: nesting } : undefined]
}

function inAtRule({ name, params }: AtRule): (Feature | undefined)[] {
  const node = atRules[name]
  const conditions = featuresOf(node, `@${name} `).filter(({ key }) => namesIn(params, words).includes(key))
  return [node?.__compat && { name: `@${name}`, compat: node.__compat }, ...conditions]
}

/** Returns the features that are younger than the floor, each once. */
export function youngerInStyle(text: string): Feature[] {
  const found: (Feature | undefined)[] = []
  const root = parse(text)
  root.walkDecls((declaration) => void found.push(...inDeclaration(declaration)))
  root.walkRules((rule) => void found.push(...inRule(rule)))
  root.walkAtRules((rule) => void found.push(...inAtRule(rule)))
  return eachOnce(found.filter((feature) => feature !== undefined).filter(isYounger))
}
