import { jsx as make, jsxs as makeWithMany } from 'react/jsx-runtime'
import { withOwnElements } from './own-elements.ts'

// biome-ignore lint/performance/noBarrelFile: the compiler expects these two from a JSX runtime
export { Fragment, type JSX } from 'react/jsx-runtime'

export const jsx: typeof make = (type, props, key) => make(type, withOwnElements(type, props), key)
export const jsxs: typeof make = (type, props, key) => makeWithMany(type, withOwnElements(type, props), key)
