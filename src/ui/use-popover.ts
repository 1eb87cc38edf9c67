import { type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'

/**
 * A panel that uses the popover API: its opener opens and closes it, a click outside or Escape closes it, and the focus returns to the
 * opener. In a browser without the API, such as Chrome before 114 and Safari before 17, the attribute `data-open` shows the panel.
 */
export function usePopover<E extends HTMLElement>() {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<E>(null)
  const [open, setOpen] = useState(false)
  const isNative = useSyncExternalStore(neverChanges, hasPopovers, () => true)
  function close(): void {
    if (isNative) panel.current?.hidePopover()
    else {
      setOpen(false)
      opener.current?.focus()
    }
  }
  useDismissal(!isNative && open, [opener, panel], { escaped: close, pressedOutside: () => setOpen(false) })
  return {
    open,
    opener: {
      ref: opener,
      popoverTarget: id,
      'aria-expanded': open,
      'aria-controls': id,
      onClick: isNative ? undefined : () => setOpen(!open),
    },
    popover: {
      id,
      ref: panel,
      ...(isNative ? { popover: 'auto' as const } : { 'data-open': open }),
      onToggle: (event: { newState: string }) => setOpen(event.newState === 'open'),
    },
    close,
  }
}

const neverChanges = () => () => {}
const hasPopovers = () => 'popover' in HTMLElement.prototype

type Dismissal = { escaped: () => void; pressedOutside: () => void }

/** While active, reports Escape and a press outside of `inside`. The pressed element takes the focus itself. */
function useDismissal(active: boolean, inside: RefObject<HTMLElement | null>[], report: Dismissal): void {
  useEffect(() => {
    if (!active) return
    const escaped = ({ key }: KeyboardEvent) => key === 'Escape' && report.escaped()
    const pressed = ({ target }: Event) => {
      if (!(target instanceof Node && inside.some(({ current }) => current?.contains(target)))) report.pressedOutside()
    }
    document.addEventListener('keydown', escaped)
    document.addEventListener('pointerdown', pressed)
    return () => {
      document.removeEventListener('keydown', escaped)
      document.removeEventListener('pointerdown', pressed)
    }
  })
}
