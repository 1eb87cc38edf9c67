import type { BrowserFamily } from '#protocol/call-counts.ts'

/** Reads the user agent, because no feature tells the family. An unknown browser most likely belongs to Chrome's family. */
export function browserFamily(userAgent: string, maxTouchPoints: number): BrowserFamily {
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) {
    return /CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo/.test(userAgent) ? 'ios-app' : 'iphone'
  }
  if (/SamsungBrowser\//.test(userAgent)) return 'samsung'
  if (/Firefox\//.test(userAgent)) return 'firefox'
  return /Safari\//.test(userAgent) && !/Chrom(?:e|ium)\//.test(userAgent) ? 'safari' : 'chrome'
}
