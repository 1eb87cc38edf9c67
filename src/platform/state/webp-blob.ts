/** Returns the blob of a picture that the server sends as WebP in base64. */
export function webpBlob(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: 'image/webp' })
}
