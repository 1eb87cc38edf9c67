import { signal } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { expose, transfer, transferHandlers, wrap } from 'comlink'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Navigate, NavLink, Route, Routes, useLocation, useNavigate } from 'react-router-dom'

/** The smallest page of the same stack: React, declarative routing, signals, Comlink, and nothing of the product. */

const count = signal(0)
const Later = lazy(async () => ({ default: () => <NavLink to="/">Home</NavLink> }))

function First() {
  useSignals()
  const navigate = useNavigate()
  return (
    <button type="button" onClick={() => void navigate('/later')}>
      {useLocation().pathname} {count}
    </button>
  )
}

Object.assign(globalThis, { wrap, expose, transfer, transferHandlers })
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
