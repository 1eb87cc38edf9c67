import { useEffect, useState } from 'react'
import { allFaces, drawFaces, faceNames, faceUrl } from '../../ui/faces.ts'

const kinds = {
  'left-2': allFaces,
  'left-1': allFaces,
  center: allFaces,
  'right-1': allFaces,
  'right-2': allFaces,
  top: faceNames.man,
  'blurred-left': faceNames.man,
  bottom: faceNames.woman,
  'blurred-right': faceNames.woman,
} as const

export type Slot = keyof typeof kinds
export type Slots<S extends Slot = Slot> = Record<S, string>

const SHUFFLE_MS = 5_000

/** Assigns a different face to each of these slots. */
export function assignSlots<const S extends Slot>(shown: readonly S[]): Slots<S> {
  const taken = new Set<string>()
  const slots = {} as Slots<S>
  for (const slot of shown) {
    const [name = ''] = drawFaces(
      kinds[slot].filter((face) => !taken.has(face)),
      1,
    )
    taken.add(name)
    slots[slot] = name
  }
  return slots
}

/** Resolves when all pictures are decoded or have failed: no slot is empty meanwhile, and painting decodes nothing. */
async function decoded(slots: Record<string, string>): Promise<void> {
  await Promise.allSettled(
    Object.values(slots).map((name) => {
      const picture = new Image()
      picture.src = faceUrl(name, 256)
      return picture.decode()
    }),
  )
}

/** Returns the faces of these slots, which change every 5 seconds, or later where pictures load slowly. */
export function useSlots<const S extends Slot>(shown: readonly S[]): Slots<S> {
  const [slots, setSlots] = useState(() => assignSlots(shown))
  useEffect(() => {
    let mounted = true
    let loading = false
    async function shuffle(): Promise<void> {
      if (loading || document.hidden) return
      loading = true
      const next = assignSlots(shown)
      await decoded(next)
      loading = false
      if (mounted) setSlots(next)
    }
    const timer = setInterval(shuffle, SHUFFLE_MS)
    return () => {
      mounted = false
      clearInterval(timer)
    }
  }, [shown])
  return slots
}
