import { Signal } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import type { ElementType, ReactNode } from 'react'
import { Fragment, jsx } from 'react/jsx-runtime'

type Props = { children?: ReactNode | Signal }

const isText = (child: unknown) => typeof child === 'number' || (typeof child === 'string' && child.trim() !== '')

function LiveText({ of }: { of: Signal<ReactNode> }): ReactNode {
  const store = useSignals(1)
  try {
    return jsx('span', { children: of.value })
  } finally {
    store.f()
  }
}

function own(child: ReactNode): ReactNode {
  if (child instanceof Signal) return jsx(LiveText, { of: child })
  return isText(child) ? jsx('span', { children: child }) : child
}

/**
 * Puts each text that has siblings, and each text that follows a signal, into its own element. Browsers' translators
 * replace text nodes by elements. React can then neither change nor remove a text of which it knows only the node, but
 * it can set the content of an element. Only a component that returns a text without an element is not covered.
 */
export function withOwnElements(type: ElementType, props: unknown): unknown {
  const { children }: Props = Object(props)
  if (Array.isArray(children)) return { ...Object(props), children: children.map(own) }
  return children instanceof Signal || type === Fragment ? { ...Object(props), children: own(children) } : props
}
