export type PictureType = 'jpeg' | 'png' | 'gif' | 'webp' | 'bmp' | 'ico'

/** True if the characters of `text`, each of them one byte, are at `at`. */
export function hasText(bytes: Uint8Array, text: string, at = 0): boolean {
  return Buffer.from(text, 'latin1').equals(bytes.subarray(at, at + text.length))
}

/** Returns the type of a file by its first bytes; null for other types, also for SVG, which a decoder would execute. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  if (hasText(bytes, '\xff\xd8\xff')) return 'jpeg'
  if (hasText(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (hasText(bytes, 'GIF8')) return 'gif'
  if (hasText(bytes, 'RIFF') && hasText(bytes, 'WEBP', 8)) return 'webp'
  if (hasText(bytes, 'BM')) return 'bmp'
  return hasText(bytes, '\0\0\x01\0') ? 'ico' : null
}
