/** Newer engines convert natively; the types of this project's target do not know it yet. */
type NativeBytes = Uint8Array & { toBase64?: () => string }
type NativeConstructor = { fromBase64?: (text: string) => Uint8Array }

/** Base64 of the UTF-8 text. Half a surrogate pair, which has no UTF-8, becomes U+FFFD. */
export function encodeChat(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

/**
 * The text behind base64, if re-encoding it gives the same base64 again and it is valid UTF-8; else `text` as it is. So a plain
 * word that happens to be made of base64 characters ('test') stays itself, because its bytes are no UTF-8.
 */
export function decodeChat(text: string): string {
  try {
    const bytes = fromBase64(text)
    // Decoders pass over white space, missing padding and bits that no encoder leaves behind.
    if (toBase64(bytes) !== text) return text
    // Without ignoreBOM a leading U+FEFF would be swallowed.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return text
  }
}

function toBase64(bytes: NativeBytes): string {
  return bytes.toBase64?.() ?? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): Uint8Array {
  const { fromBase64: native } = Uint8Array as NativeConstructor
  return native?.call(Uint8Array, text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
