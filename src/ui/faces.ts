import { FACE_COUNTS } from '#protocol/constants.ts'

/** The decorative faces, drawn at build time; they show no real person. */
export type FaceKind = keyof typeof FACE_COUNTS

function namesOf(kind: FaceKind): string[] {
  return Array.from({ length: FACE_COUNTS[kind] }, (_, index) => `${kind}-${index + 1}`)
}

export const faceNames: Record<FaceKind, readonly string[]> = { man: namesOf('man'), woman: namesOf('woman') }
export const allFaces: readonly string[] = [...faceNames.man, ...faceNames.woman]

export function faceUrl(name: string, size: 64 | 256): string {
  return `/faces/${size}/${name}.webp`
}

/** Returns `count` different names in random order, or all of them if there are fewer. */
export function drawFaces(names: readonly string[], count: number): string[] {
  const left = [...names]
  const drawn: string[] = []
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(Math.random() * left.length), 1))
  }
  return drawn
}
