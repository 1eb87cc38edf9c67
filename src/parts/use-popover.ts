import { useId, useRef, useState } from 'react'

/**
 * A panel that uses the popover API: the opener toggles it, a click outside or Escape closes it, and the focus returns to the
 * opener.
 */
export function usePopover<E extends HTMLElement>() {
  const id = useId()
  const ref = useRef<E>(null)
  const [open, setOpen] = useState(false)
  return {
    open,
    opener: { popoverTarget: id, 'aria-expanded': open, 'aria-controls': id },
    popover: {
      id,
      ref,
      popover: 'auto' as const,
      onToggle: (event: { newState: string }) => setOpen(event.newState === 'open'),
    },
    close: () => ref.current?.hidePopover(),
  }
}
