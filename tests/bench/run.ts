import { benchBundleSize } from './bundle-size.ts'
import { benchCallSetup } from './call-setup.ts'
import { benchHubRelay } from './hub-relay.ts'

/** Every figure is a ratio against a limit measured in the same run; the bar is what the product aims at. */
type Row = { what: string; against: string; ratio: number; bar: number; better: 'lower' | 'higher'; detail: string }

function print({ what, against, ratio, bar, better, detail }: Row): void {
  const good = better === 'lower' ? ratio <= bar : ratio >= bar
  console.log(`${good ? 'meets ' : 'misses'}  ${ratio.toFixed(2)} (bar ${bar})  ${what}, against ${against}: ${detail}`)
}

const size = await benchBundleSize()
print({
  what: 'JavaScript of the splash route, brotli',
  against: 'the smallest page of the same stack',
  ratio: size.ratio,
  bar: 1.1,
  better: 'lower',
  detail: `${size.splash} against ${size.floor} bytes`,
})

const relay = await benchHubRelay()
print({
  what: 'relayed chat messages',
  against: 'a bare ws relay',
  ratio: relay.ratio,
  bar: 0.75,
  better: 'higher',
  detail: `${Math.round(relay.hub)} against ${Math.round(relay.bare)} a second`,
})

const setup = await benchCallSetup()
print({
  what: 'match event to both first remote frames',
  against: 'two bare peer connections',
  ratio: setup.ratio,
  bar: 1.05,
  better: 'lower',
  detail: `median ${setup.ours.toFixed(0)} against ${setup.bare.toFixed(0)} ms`,
})
