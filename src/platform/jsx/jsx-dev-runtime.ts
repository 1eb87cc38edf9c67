import { jsxDEV as make } from 'react/jsx-dev-runtime'
import { withOwnElements } from './own-elements.ts'

// biome-ignore lint/performance/noBarrelFile: the compiler expects these two from a JSX runtime
export { Fragment, type JSX } from 'react/jsx-dev-runtime'

export const jsxDEV: typeof make = (type, props, ...rest) => make(type, withOwnElements(type, props), ...rest)
