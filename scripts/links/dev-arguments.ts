import { parseArgs } from 'node:util'
import { isNetworkName, type Link, type NetworkName, networks } from './links.ts'

/** Returns the network that the arguments of `npm run dev` name, or null without `--link`. Throws an error that lists the names. */
export function readDevArguments(args: string[]): NetworkName | null {
  try {
    const { link } = parseArgs({ args, options: { link: { type: 'string' } } }).values
    if (link === undefined || isNetworkName(link)) return link ?? null
    throw new Error(`There is no link called "${link}".`)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${usage()}`)
  }
}

function usage(): string {
  const names = Object.entries(networks).map(([key, { name }]) => `  ${key.padEnd(10)} ${name}`)
  return ['Usage: npm run dev -- --link NAME, with one of these names:', ...names].join('\n')
}

/** Describes a link in the style of the networks' names. */
export function describeLink({ kbitPerSecond, delayMs, jitterMs, loss, burst }: Link): string {
  const rate = kbitPerSecond < 1_000 ? `${kbitPerSecond} kbit/s` : `${kbitPerSecond / 1_000} Mbit/s`
  const delay = jitterMs > 0 ? `${delayMs} ms +- ${jitterMs}` : `${delayMs} ms`
  const lost = loss > 0 ? [`${Number((loss * 100).toFixed(1))} % loss${burst > 1 ? ` in bursts of ${burst}` : ''}`] : []
  return [rate, delay, ...lost].join(', ')
}
