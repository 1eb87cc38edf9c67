import type axe from 'axe-core'
import axeSource from 'axe-core/axe.min.js?raw'

/** Returns what axe finds in this part of the page, which loads it once. */
export async function violations(context: axe.ElementContext, options: axe.RunOptions = {}): Promise<string[]> {
  if (!('axe' in globalThis)) {
    const script = document.createElement('script')
    script.text = axeSource
    document.head.append(script)
  }
  const { run } = (globalThis as unknown as { axe: typeof axe }).axe
  const found = await run(context, { resultTypes: ['violations'], ...options })
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
