import { PictureRefusal } from './picture-refusal.ts'

/** Reads numbers and names out of a file. Every method throws a PictureRefusal where the file is too short. */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  need(at: number, length: number): void {
    if (at + length > this.bytes.length) throw new PictureRefusal()
  }

  uint8(at: number): number {
    this.need(at, 1)
    return this.#view.getUint8(at)
  }

  uint16(at: number): number {
    this.need(at, 2)
    return this.#view.getUint16(at)
  }

  uint32(at: number): number {
    this.need(at, 4)
    return this.#view.getUint32(at)
  }

  uint16Little(at: number): number {
    this.need(at, 2)
    return this.#view.getUint16(at, true)
  }

  uint24Little(at: number): number {
    return this.uint16Little(at) + this.uint8(at + 2) * 0x1_00_00
  }

  uint32Little(at: number): number {
    this.need(at, 4)
    return this.#view.getUint32(at, true)
  }

  int32Little(at: number): number {
    this.need(at, 4)
    return this.#view.getInt32(at, true)
  }

  /** Whether the characters of `text` stand at `at`. False where the file is too short. */
  has(text: string, at: number): boolean {
    for (let index = 0; index < text.length; index += 1)
      if (this.bytes[at + index] !== text.charCodeAt(index)) return false
    return true
  }

  /** Four characters, such as the name of a chunk. */
  name(at: number): string {
    const name = this.uint32(at)
    return String.fromCharCode(name >>> 24, (name >>> 16) & 0xff, (name >>> 8) & 0xff, name & 0xff)
  }
}
