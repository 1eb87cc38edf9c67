import '../../../src/ui/styles/tokens.css'
import '../../../src/ui/styles/base.css'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach } from 'vitest'
import { MemberProvider } from '../../../src/app/member-provider.tsx'
import type { Stores } from '../../../src/app/stores.ts'
import { VisitorProvider } from '../../../src/app/visitor-provider.tsx'

let open: { root: Root; host: HTMLElement } | null = null

/** Once a translator has replaced such a text, React can neither change nor remove it, see src/platform/jsx/own-elements.ts. */
function textsBesideNodes(host: HTMLElement): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { textContent, previousSibling, nextSibling } = walker.currentNode
    if (textContent?.trim() && (previousSibling || nextSibling)) found.push(textContent)
  }
  return found
}

export function unmount(): void {
  const texts = open ? textsBesideNodes(open.host) : []
  open?.root.unmount()
  open?.host.remove()
  open = null
  if (texts.length > 0) throw new Error(`Without an element of their own: ${texts.join(', ')}`)
}

afterEach(unmount)

/** Renders a page like the app. `runs` counts how often its components read the stores, which every render does. */
export function render(stores: Stores, page: ReactNode, address = '/'): { runs: () => number } {
  let runs = 0
  const counted = new Proxy(stores, {
    get(target, name, receiver) {
      runs += 1
      return Reflect.get(target, name, receiver)
    },
  })
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  open = { root, host }
  root.render(
    <VisitorProvider stores={counted}>
      <MemberProvider stores={counted}>
        <MemoryRouter initialEntries={[address]}>
          {page}
          <Address />
        </MemoryRouter>
      </MemberProvider>
    </VisitorProvider>,
  )
  return { runs: () => runs }
}

/** Resolves after the next rendered frame; unlike a poll it does not advance fake timers. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
}

function Address() {
  return <span data-testid="address">{useLocation().pathname}</span>
}
