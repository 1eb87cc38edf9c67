import { type ESTree, parseSync, Visitor } from 'vite'
import { api, byAge, childrenOf, eachOnce, type Feature, featuresOf, html, isYounger, javascript } from './support.ts'

/**
 * Finds features in a built script that are younger than the floor. A built script has no types: a property counts if every interface with
 * a property of that name is too young. Options of methods are not found.
 */

/** Global objects with the name of their interface. */
const objects = ['crypto', 'document', 'history', 'location', 'navigator', 'performance', 'screen']
const globalObjects = ['globalThis', 'self', 'window']
const globalScope = /^(Window|globals|(Dedicated|Service)?WorkerGlobalScope)$/

/** Names of properties of the product's and of libraries' objects that some interface has too. */
const ownNames = new Set(
  `animation bytes capture delay displayName dispose drop duplex fileName hand handle install is isError locale login
  region remote resize share side take use`.split(/\s+/),
)

const iteratorMakers = ['entries', 'keys', 'matchAll', 'values']
const iteratorMethods = featuresOf(javascript.builtins?.Iterator, 'Iterator.')

/** Features by property name, by `Interface.name` or global name, and by event name. */
const properties = new Map<string, Feature[]>()
const exact = new Map<string, Feature>()
const events = new Map<string, Feature[]>()
const attributes = new Map(featuresOf(html.global_attributes, 'attribute ').map((feature) => [feature.key, feature]))

function addTo(map: Map<string, Feature[]>, key: string, feature: Feature): void {
  map.set(key, [...(map.get(key) ?? []), feature])
}

for (const tree of [api, javascript.builtins])
  for (const [owner, node] of childrenOf(tree)) {
    const { __compat: compat } = node
    if (compat) exact.set(owner, { name: owner, compat })
    // An object of an interface that is too young comes only from features that are too young, which are found themselves.
    const isReached = tree !== api || !compat || !isYounger({ name: owner, compat })
    for (const { key, compat: own } of featuresOf(node)) {
      const [name = key] = key.split(/_(?:static|event)$/)
      const feature = { name: `${owner}.${name}`, compat: own }
      if (key.endsWith('_event')) {
        addTo(events, name, feature)
        if (isReached) addTo(properties, `on${name}`, feature)
      } else if (key !== owner) {
        exact.set(feature.name, feature)
        if (globalScope.test(owner)) exact.set(name, feature)
        if (isReached && !key.endsWith('_static')) addTo(properties, name, feature)
      }
    }
  }

/** Returns the oldest feature with this name if all features with it are too young. */
function youngerOf(meanings: (Feature | undefined)[] = []): Feature[] {
  const known = meanings.filter((meaning) => meaning !== undefined)
  return known.every(isYounger) ? known.sort(byAge).slice(0, 1) : []
}

function namedBy(key: ESTree.Node, computed: boolean): string | undefined {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  return key.type === 'Identifier' && !computed ? key.name : undefined
}

/** Returns the property `name` of an object if the object's own name tells its interface. */
function exactly(object: ESTree.Node | null, name: string): Feature | undefined {
  if (object?.type !== 'Identifier') return undefined
  if (globalObjects.includes(object.name)) return exact.get(name)
  const owner = objects.includes(object.name) ? object.name.replace(/^./, (first) => first.toUpperCase()) : object.name
  return exact.get(`${owner}.${name}`)
}

/** True for a call such as `map.values()`. */
function makesIterator(node: ESTree.Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.arguments.length > 0)
    return false
  return iteratorMakers.includes(namedBy(node.callee.property, node.callee.computed) ?? '')
}

/** Returns the features younger than the floor that a read of the property `name` of `object` uses. */
function youngerProperty(object: ESTree.Node, name: string): Feature[] {
  const feature = exactly(object, name)
  if (feature) return youngerOf([feature])
  if (makesIterator(object)) return youngerOf(iteratorMethods.filter(({ key }) => key === name))
  return ownNames.has(name) ? [] : youngerOf(properties.get(name))
}

/** Returns the features that are younger than the floor, each once. */
export function youngerInScript(code: string, fileName = 'script.js'): Feature[] {
  const found: Feature[] = []
  const keys = new Set<number>()
  const { program, errors } = parseSync(fileName, code)
  const [error] = errors
  if (error) throw new Error(`${fileName}: ${error.message}`)
  // A node is visited before its children, so a key is in `keys` before its identifier is visited.
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (!computed) keys.add(property.start)
      const name = namedBy(property, computed)
      if (name !== undefined) found.push(...youngerProperty(object, name))
    },
    Property({ key, computed }) {
      if (computed) return
      keys.add(key.start)
      const name = namedBy(key, computed) ?? ''
      if (!ownNames.has(name)) found.push(...youngerOf([attributes.get(name)]))
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern') return
      for (const property of id.properties)
        if (property.type === 'Property')
          found.push(...youngerOf([exactly(init, namedBy(property.key, property.computed) ?? '')]))
    },
    CallExpression({ callee, arguments: [first] }) {
      const method =
        callee.type === 'MemberExpression' ? namedBy(callee.property, callee.computed) : namedBy(callee, false)
      if (method === 'addEventListener' && first?.type === 'Literal')
        found.push(...youngerOf(events.get(String(first.value))))
    },
    Identifier({ start, name }) {
      if (!keys.has(start)) found.push(...youngerOf([exact.get(name)]))
    },
  }).visit(program)
  return eachOnce(found)
}
