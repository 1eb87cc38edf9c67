import { useEffect, useState } from 'react'
import { allFaces, drawFaces, faceNames, faceUrl } from '../../parts/faces.ts'

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
export type Slots = Record<Slot, string>

const SHUFFLE_MS = 5_000

/** Assigns a different face to every slot. */
export function assignSlots(): Slots {
  const taken = new Set<string>()
  const slots = {} as Slots
  for (const slot of Object.keys(kinds) as Slot[]) {
    const [name = ''] = drawFaces(
      kinds[slot].filter((face) => !taken.has(face)),
      1,
    )
    taken.add(name)
    slots[slot] = name
  }
  return slots
}

/** Resolves when all pictures are loaded or have failed, so that a slot is not empty while its picture loads. */
async function loaded(slots: Slots): Promise<void> {
  await Promise.allSettled(
    Object.values(slots).map((name) => {
      const picture = new Image()
      picture.src = faceUrl(name, 256)
      return picture.decode()
    }),
  )
}

/** Returns the faces of all slots, which change every 5 seconds. */
export function useSlots(): Slots {
  const [slots, setSlots] = useState(assignSlots)
  useEffect(() => {
    let mounted = true
    async function shuffle(): Promise<void> {
      const next = assignSlots()
      await loaded(next)
      if (mounted) setSlots(next)
    }
    const timer = setInterval(shuffle, SHUFFLE_MS)
    return () => {
      mounted = false
      clearInterval(timer)
    }
  }, [])
  return slots
}
