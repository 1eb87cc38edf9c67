import type { GovernorState, GovernorStep } from './governor.ts'

type Judgement = NonNullable<GovernorStep['judgement']>

/** Names of the network's steps; the index is the level. */
const NETWORK_STEPS = ['full picture', 'small picture', 'stills', 'sound only']
const PERCENT = 100

/** Pure, for the profiler. Returns the decisions of one step of the governor with reasons. Empty for most steps. */
export function decisionsOf(step: GovernorStep): string[] {
  const { before, after, sample, judgement } = step
  if (!judgement) return firstStep(step)
  return [
    network(step, judgement),
    device(step, judgement),
    ...protection(before, after),
    ...measurement(before, after, sample.availableKbps),
    shown(before, after),
  ].filter((decision) => decision !== null)
}

function stepName(level: number): string {
  return NETWORK_STEPS[level] ?? `step ${level}`
}

function firstStep({ before, after, sample }: GovernorStep): string[] {
  if (after.network.level === before.network.level) return []
  return [`network starts with ${stepName(after.network.level)}: round trip ${ms(sample.roundTripMs ?? 0)}`]
}

function network({ before, after }: GovernorStep, { reading, network: verdict }: Judgement): string | null {
  const [from, to] = [before.network.level, after.network.level]
  if (from === to) return null
  const { roomKbps, roundTripMs, queueMs, outLoss } = reading
  const room = roomKbps === null ? 'room unknown' : `room ${kbps(roomKbps)}`
  const facts = [room, `round trip ${ms(roundTripMs)}`, `queue ${ms(queueMs)}`, `loss of ours ${percent(outLoss)}`]
  return `network from ${stepName(from)} to ${stepName(to)}: ${verdict}, ${facts.join(', ')}`
}

function device({ before, after }: GovernorStep, { reading, trouble }: Judgement): string | null {
  const [from, to] = [before.device.level, after.device.level]
  if (from === to) return null
  const { busy, coding, dropped } = reading
  const facts = `long tasks ${percent(busy)}, coding ${percent(coding)}, late frames ${percent(dropped)}`
  return `device from step ${from} to ${to}: ${trouble ?? 'calm'} (${facts})`
}

function protection({ loss: before }: GovernorState, { loss: after }: GovernorState): (string | null)[] {
  const [ours, theirs] = [`loss of ours ${percent(after.out)}`, `loss of the peer's ${percent(after.in)}`]
  const delay = after.delayMs === null ? "playback delay is the browser's" : `playback delay ${ms(after.delayMs)}`
  return [
    after.delayMs === before.delayMs ? null : `${delay}: ${theirs}`,
    after.layers === before.layers ? null : `layers ${after.layers}: ${ours}`,
    after.isLossy === before.isLossy ? null : `codec that stands loss: ${ours}`,
  ]
}

function measurement(
  { recovery: before }: GovernorState,
  { recovery: after }: GovernorState,
  availableKbps: number | null,
): (string | null)[] {
  const estimate = `estimate ${kbps(availableKbps ?? 0)}, best ${kbps(after.best)}`
  return [
    after.asked > before.asked ? `network is measured: ${estimate}` : null,
    after.found > before.found ? `network is fast again: ${estimate}` : null,
  ]
}

function shown({ signal: before }: GovernorState, { signal: after }: GovernorState): string | null {
  if (before.bars === after.bars && before.reason === after.reason) return null
  return `shows ${after.bars} of 3 bars: ${after.reason}`
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}

function kbps(value: number): string {
  return `${Math.round(value)} kbit/s`
}

function percent(share: number): string {
  return `${Math.round(share * PERCENT)} %`
}
