/** A picture of a call: that of the user's own camera, or that of the peer. */
export type PictureOf = 'peer' | 'own'

/**
 * What readings of a picture show over time. `black`: black, or the lens is covered. `still`: not even the noise of a
 * camera changes. `looped`: the same seconds repeat.
 */
export type PictureState = 'fine' | 'black' | 'still' | 'looped'
