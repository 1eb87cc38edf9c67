import { type KeyboardEvent, useState } from 'react'
import { isComposing } from '../../ui/members/is-composing.ts'

type Listener<Option> = {
  choose: (option: Option) => void
  /** Called on Enter if no option is marked. */
  enter: () => void
  /** Called on Backspace. */
  back: () => void
}

export type ListKeys = { isOpen: boolean; active: number }

/**
 * The list of a combobox: whether it is open, which option is marked, and what the keys do. `marksFirst`: the first
 * option is marked until the user marks another.
 */
export function useListKeys<Option>(options: readonly Option[], marksFirst: boolean, listener: Listener<Option>) {
  const [wantsOpen, setWantsOpen] = useState(false)
  const [moved, setMoved] = useState(-1)
  const isOpen = wantsOpen && options.length > 0
  const active = moved < 0 || moved >= options.length ? (marksFirst ? 0 : -1) : moved

  function open(): void {
    setWantsOpen(true)
    setMoved(-1)
  }

  function close(): void {
    setWantsOpen(false)
    setMoved(-1)
  }

  function choose(index: number): void {
    const option = options[index]
    if (option === undefined) return
    close()
    listener.choose(option)
  }

  function move(by: 1 | -1): void {
    setWantsOpen(true)
    // A list that opens marks its first option, or with the up arrow its last one.
    const from = isOpen && active >= 0 ? active : by > 0 ? -1 : 0
    setMoved((from + by + options.length) % options.length)
  }

  function entered(event: KeyboardEvent<HTMLInputElement>): void {
    if (isOpen && active >= 0) choose(active)
    else if (event.currentTarget.value.trim() !== '') listener.enter()
    // If the field is empty, Enter submits the form.
    else return
    event.preventDefault()
  }

  function pressed(event: KeyboardEvent<HTMLInputElement>): void {
    // The input method handles the key itself.
    if (isComposing(event)) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      move(key === 'ArrowDown' ? 1 : -1)
    } else if (key === 'Enter') entered(event)
    else if (key === 'Backspace') listener.back()
    else if (key === 'Escape' && isOpen) {
      // Otherwise Escape would also close the dialog.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return { isOpen, active, open, close, choose, pressed }
}
