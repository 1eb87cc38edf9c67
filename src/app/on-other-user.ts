import type { ReadonlySignal } from '@preact/signals-react'

/** Calls `forget` when the user changes or logs out. */
export function onOtherUser(email: ReadonlySignal<string>, forget: () => void): void {
  let known = email.peek()
  email.subscribe((now) => {
    if (known !== '' && now !== known) forget()
    known = now
  })
}
