import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { spin } from '#workers/faults.ts'

const TASK_EVERY_MS = 2_000
const TASK_MS = 200
/** Number of forced layouts per frame, and of the elements in each layout. */
const LAYOUTS = 30
const ELEMENTS = 200
/** Number of rows that the storm of renders draws. */
const ROWS = 300

/** Runs a task of 200 ms on the page's thread every two seconds. */
export function pageTask(): () => void {
  const timer = setInterval(function plantedPageTask() {
    spin(TASK_MS)
  }, TASK_EVERY_MS)
  return () => clearInterval(timer)
}

/** Writes a style and reads a size of an invisible element, 30 times in each frame. */
export function layoutThrash(): () => void {
  const box = document.createElement('div')
  box.setAttribute('aria-hidden', 'true')
  Object.assign(box.style, { position: 'fixed', visibility: 'hidden', pointerEvents: 'none', overflow: 'hidden' })
  for (let made = 0; made < ELEMENTS; made += 1) box.append(document.createElement('p'))
  document.body.append(box)

  function plantedLayouts(): void {
    for (let times = 0; times < LAYOUTS; times += 1) box.style.width = `${(box.offsetWidth % 90) + 10}px`
    frame = requestAnimationFrame(plantedLayouts)
  }
  let frame = requestAnimationFrame(plantedLayouts)

  return () => {
    cancelAnimationFrame(frame)
    box.remove()
  }
}

function PlantedRow({ frame }: { frame: number }) {
  return <i>{frame}</i>
}

function PlantedStorm() {
  const [frame, setFrame] = useState(0)
  useEffect(() => {
    const next = requestAnimationFrame(() => setFrame(frame + 1))
    return () => cancelAnimationFrame(next)
  }, [frame])
  return Array.from({ length: ROWS }, (_, row) => row).map((row) => <PlantedRow key={row} frame={frame} />)
}

/** Renders a component with 300 rows in each frame, outside of the screen. */
export function renderStorm(): () => void {
  const place = document.createElement('div')
  place.hidden = true
  document.body.append(place)
  const root = createRoot(place)
  root.render(<PlantedStorm />)
  return () => {
    root.unmount()
    place.remove()
  }
}
