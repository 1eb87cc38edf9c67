import { signal } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { expose, transfer, transferHandlers, wrap } from 'comlink'
import { lazy, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Navigate, NavLink, Route, Routes, useLocation } from 'react-router-dom'

/**
 * The smallest page that starts as the product does: the same stack, a worker that sends one API request, and a button that is shown
 * when the response is there. Nothing of the product.
 */

const online = signal('')
const Later = lazy(async () => ({ default: () => <NavLink to="/">Home</NavLink> }))

function First() {
  useSignals()
  const { pathname } = useLocation()
  const [clicks, setClicks] = useState(0)
  if (online.value === '') return <p>Loading {pathname}</p>
  return (
    <button type="button" onClick={() => setClicks(clicks + 1)}>
      Start {online.value} {clicks}
    </button>
  )
}

type TrustedTypesFactory = { createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown }
const { trustedTypes }: { trustedTypes?: TrustedTypesFactory } = globalThis as object
// The server's content policy allows a worker only through this policy.
trustedTypes?.createPolicy('default', { createScriptURL: (address) => address })

Object.assign(globalThis, { expose, transfer, transferHandlers })
const worker = wrap<{ onlineUsers(): Promise<unknown> }>(
  new Worker(new URL('./floor.worker.ts', import.meta.url), { type: 'module' }),
)
void worker.onlineUsers().then((count) => {
  online.value = String(count)
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <BrowserRouter>
      <Suspense>
        <Routes>
          <Route path="/" element={<First />} />
          <Route path="/later" element={<Later />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </Suspense>
    </BrowserRouter>,
  )
}
