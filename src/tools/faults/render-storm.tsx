import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const ROWS = 300

function PlantedRow({ frame }: { frame: number }) {
  return <i>{frame}</i>
}

/** Renders itself and all its rows in each frame. */
function PlantedStorm() {
  const [frame, setFrame] = useState(0)
  useEffect(() => {
    const next = requestAnimationFrame(() => setFrame(frame + 1))
    return () => cancelAnimationFrame(next)
  }, [frame])
  return Array.from({ length: ROWS }, (_, row) => row).map((row) => <PlantedRow key={row} frame={frame} />)
}

/** A component and its 300 rows are rendered in each frame, outside of the screen. */
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
