import { useId, useRef, useState } from 'react'

/**
 * A panel on the platform's popover: the opener toggles it, a click outside and Escape close it, and the focus goes back
 * to the opener.
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
