/** Newer engines convert natively; TypeScript's library for this target does not declare it yet. */
type NativeBytes = Uint8Array & { toBase64?: () => string }
type NativeConstructor = { fromBase64?: (text: string) => Uint8Array }

/** Returns the base64 of the text's UTF-8. A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export function encodeChat(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

/**
 * Returns the decoded text if `text` is canonical base64 of valid UTF-8, else `text` unchanged. So a plain word that consists of
 * base64 characters ('test') is not decoded, because its bytes are not valid UTF-8.
 */
export function decodeChat(text: string): string {
  try {
    const bytes = fromBase64(text)
    // Decoders ignore white space, missing padding and unused bits that no encoder produces.
    if (toBase64(bytes) !== text) return text
    // Without ignoreBOM a leading U+FEFF would be dropped.
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
