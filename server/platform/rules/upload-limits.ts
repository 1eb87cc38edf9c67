import { AppError } from '#protocol/errors.ts'

type Most = { uploads: number; bytes: number }

export type UploadBounds = {
  /** The largest uploads, in number and bytes, of one client address and of one account at the same time. */
  address: Most
  account: Most
  /** Bytes of all bodies together. */
  bytes: number
}

type Sender = {
  /** Null for the operator's machines. */
  address: string | null
  account: string | null
  /** False for a body with a small announced size: its bytes count, but not as an upload. */
  isLarge: boolean
  /** Ends a request whose body still arrives. */
  refuse: (error: AppError) => void
}

type Holder = { name: string; most: Most; bodies: number; uploads: number; bytes: number }

/** One request body, from its first byte until its request is answered. */
export type Upload = {
  readonly isLarge: boolean
  readonly holders: readonly Holder[]
  readonly refuse: (error: AppError) => void
  bytes: number
  /** False when the whole body has arrived. */
  isArriving: boolean
}

function tooMany(): AppError {
  return new AppError('too-many-requests', 'Too much is being uploaded from here at once')
}

/** Counts the request bodies that the process holds: by client address, by account, and in all. */
export class UploadLimits {
  readonly #bounds: UploadBounds
  readonly #uploads = new Set<Upload>()
  readonly #holders = new Map<string, Holder>()
  #bytes = 0

  constructor(bounds: UploadBounds) {
    this.#bounds = bounds
  }

  /** The bytes of all bodies that are held now. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of bodies that are held now. */
  get size(): number {
    return this.#uploads.size
  }

  /** Throws `too-many-requests` if the address or the account has as many uploads as allowed. */
  begin({ address, account, isLarge, refuse }: Sender): Upload {
    const holders = [
      ...(address === null ? [] : [this.#holder(`address ${address}`, this.#bounds.address)]),
      ...(account === null ? [] : [this.#holder(`account ${account}`, this.#bounds.account)]),
    ]
    if (isLarge && holders.some(({ uploads, most }) => uploads >= most.uploads)) throw tooMany()
    const upload: Upload = { isLarge, holders, refuse, bytes: 0, isArriving: true }
    this.#uploads.add(upload)
    for (const holder of holders) {
      this.#holders.set(holder.name, holder)
      holder.bodies += 1
      if (isLarge) holder.uploads += 1
    }
    return upload
  }

  /**
   * Counts bytes of a body; ends the body if its address or account exceeds a limit. If all bodies together exceed
   * their limit, ends the largest body of the sender with the most bytes.
   */
  arrived(upload: Upload, bytes: number): void {
    if (!this.#uploads.has(upload)) return
    upload.bytes += bytes
    this.#bytes += bytes
    for (const holder of upload.holders) holder.bytes += bytes
    if (upload.holders.some((holder) => holder.bytes > holder.most.bytes)) this.#end(upload, tooMany())
    else if (this.#bytes > this.#bounds.bytes)
      this.#end(this.#heaviest(upload), new AppError('unavailable', 'Too much is being uploaded at once'))
  }

  /** Stops counting a body that is no longer in memory. May be called more than once. */
  finish(upload: Upload): void {
    if (!this.#uploads.delete(upload)) return
    this.#bytes -= upload.bytes
    for (const holder of upload.holders) {
      holder.bytes -= upload.bytes
      holder.bodies -= 1
      if (upload.isLarge) holder.uploads -= 1
      if (holder.bodies === 0) this.#holders.delete(holder.name)
    }
  }

  #end(upload: Upload, error: AppError): void {
    this.finish(upload)
    upload.refuse(error)
  }

  #holder(name: string, most: Most): Holder {
    return this.#holders.get(name) ?? { name, most, bodies: 0, uploads: 0, bytes: 0 }
  }

  /** Returns the largest body of the sender with the most bytes, among those that still arrive. */
  #heaviest(arriving: Upload): Upload {
    const weight = ({ holders }: Upload) => Math.max(0, ...holders.map(({ bytes }) => bytes))
    let heaviest = arriving
    for (const upload of this.#uploads) {
      const more = weight(upload) - weight(heaviest)
      if (upload.isArriving && (more > 0 || (more === 0 && upload.bytes > heaviest.bytes))) heaviest = upload
    }
    return heaviest
  }
}
