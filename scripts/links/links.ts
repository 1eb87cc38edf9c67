/**
 * One direction of a network link. `kbitPerSecond` counts the bytes of UDP datagrams and their IP headers. Delay is one way, and each
 * packet's own delay differs from `delayMs` by up to `jitterMs`. `burst` is the mean length of a loss in packets; 1 is random loss.
 */
export type Link = {
  kbitPerSecond: number
  delayMs: number
  jitterMs: number
  loss: number
  burst: number
}

/** A link that changes: each phase begins `fromSecond` after the start. */
export type Network = { name: string; phases: readonly { fromSecond: number; link: Link }[] }

function link(kbitPerSecond: number, delayMs: number, { jitterMs = 0, loss = 0, burst = 1 } = {}): Link {
  return { kbitPerSecond, delayMs, jitterMs, loss, burst }
}

function steady(name: string, only: Link): Network {
  return { name, phases: [{ fromSecond: 0, link: only }] }
}

/** Networks by the name that `npm run dev -- --link` and `npm run bench -- networks` take. */
export const networks = {
  good: steady('10 Mbit/s, 20 ms', link(10_000, 20)),
  loss5: steady('5 Mbit/s, 40 ms, 5 % loss', link(5_000, 40, { loss: 0.05 })),
  loss15: steady('5 Mbit/s, 40 ms, 15 % loss', link(5_000, 40, { loss: 0.15 })),
  '3g': steady('400 kbit/s, 100 ms +- 30, 1 % loss', link(400, 100, { jitterMs: 30, loss: 0.01 })),
  narrow: steady('120 kbit/s, 200 ms +- 40, 2 % loss', link(120, 200, { jitterMs: 40, loss: 0.02 })),
  edge: steady('40 kbit/s, 250 ms +- 40, 5 % loss', link(40, 250, { jitterMs: 40, loss: 0.05 })),
  drop: {
    name: '3 Mbit/s, for 20 s 250 kbit/s, 3 Mbit/s',
    phases: [
      { fromSecond: 0, link: link(3_000, 40) },
      { fromSecond: 15, link: link(250, 40) },
      { fromSecond: 35, link: link(3_000, 40) },
    ],
  },
  /** Not among the networks with which the product was tuned. */
  bursts: steady(
    '2 Mbit/s, 60 ms +- 10, 4 % loss in bursts of 6',
    link(2_000, 60, { jitterMs: 10, loss: 0.04, burst: 6 }),
  ),
  wifi: steady('1 Mbit/s, 30 ms +- 60, 1 % loss', link(1_000, 30, { jitterMs: 60, loss: 0.01 })),
  satellite: steady('4 Mbit/s, 300 ms, 1 % loss', link(4_000, 300, { loss: 0.01 })),
  half: steady('200 kbit/s, 80 ms', link(200, 80)),
} satisfies Record<string, Network>

export type NetworkName = keyof typeof networks

export function isNetworkName(name: string | undefined): name is NetworkName {
  return name !== undefined && Object.hasOwn(networks, name)
}
