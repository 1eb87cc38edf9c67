export type PictureType = 'jpeg' | 'png' | 'gif' | 'webp' | 'bmp' | 'ico'

function startsWith(bytes: Uint8Array, magic: number[], at = 0): boolean {
  return magic.every((byte, index) => bytes[at + index] === byte)
}

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

/** Returns the type of a file by its first bytes, whatever its name. SVG has none here: it is text that a decoder would execute. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg'
  if (startsWith(bytes, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a])) return 'png'
  if (startsWith(bytes, ascii('GIF8'))) return 'gif'
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'webp'
  if (startsWith(bytes, ascii('BM'))) return 'bmp'
  return startsWith(bytes, [0, 0, 1, 0]) ? 'ico' : null
}
