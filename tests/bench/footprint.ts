import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright'

/** Bytes of memory that the pages' processes of this browser hold. */
export async function residentBytes(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024)
    .reduce((sum, bytes) => sum + bytes, 0)
}
