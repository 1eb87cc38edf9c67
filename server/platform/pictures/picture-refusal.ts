/** The file breaks a limit that the message names. Without a message the file is damaged or of an unknown kind. */
export class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal'
  readonly limit: string | null

  constructor(limit: string | null = null) {
    super(limit ?? 'damaged')
    this.limit = limit
  }
}

/** The limits of a picture's header. `name` is the subject of a refusal's sentence. */
export type PictureLimits = { name: string; pixels: number }

/** `bytes` is the file without the parts that the decoder does not need. */
export type PictureHeader = { width: number; height: number; bytes: Uint8Array }

/** Largest colour profile and EXIF block; larger ones are removed before the picture is decoded. */
export const METADATA_BYTES = 64 * 1024

/** @throws PictureRefusal for a picture without pixels or with more pixels than the limit. */
export function checkSize(width: number, height: number, { name, pixels }: PictureLimits): void {
  if (width < 1 || height < 1) throw new PictureRefusal()
  if (width * height > pixels) throw new PictureRefusal(`${name} has at most ${pixels} pixels`)
}
