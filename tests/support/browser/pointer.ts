import { onTestFinished } from 'vitest'

/** Until the test ends, scripts of the page see a finger or a mouse as its main pointer, on a screen of this height. */
export function pointTo(pointer: 'coarse' | 'fine', screenHeight: number): void {
  const { matchMedia } = window
  const real = Object.getOwnPropertyDescriptor(screen, 'height')
  onTestFinished(() => {
    window.matchMedia = matchMedia
    Reflect.deleteProperty(screen, 'height')
    if (real) Object.defineProperty(screen, 'height', real)
  })
  window.matchMedia = (query) => {
    const asked = /pointer: (coarse|fine)/.exec(query)?.[1]
    if (asked === undefined) return matchMedia.call(window, query)
    return { ...new EventTarget(), matches: asked === pointer } as unknown as MediaQueryList
  }
  Object.defineProperty(screen, 'height', { value: screenHeight, configurable: true })
}
