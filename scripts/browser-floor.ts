import packageFile from '../package.json' with { type: 'json' }

/**
 * The oldest browsers that run the product: `browserslist` of package.json, which is the only place that names them. Its queries are all of
 * the form 'name >= version'.
 */
const versions = new Map(
  packageFile.browserslist.map((query) => {
    const [, name, version] = /^(\w+) >= ([\d.]+)$/.exec(query) ?? []
    if (name === undefined || version === undefined) throw new Error(`Not a browser and its oldest version: ${query}`)
    return [name, version]
  }),
)

function oldest(name: string): string {
  const version = versions.get(name)
  if (version === undefined) throw new Error(`browserslist names no version of ${name}`)
  return version
}

/** What the builds compile scripts and styles for. Android WebView and Samsung Internet are Chromium, and not older than Chrome's version. */
export const buildTargets = [
  `chrome${oldest('chrome')}`,
  `firefox${oldest('firefox')}`,
  `safari${oldest('safari')}`,
  `ios${oldest('ios_saf')}`,
]

/** The floor by the names of MDN's browser-compat-data. */
export const floor = {
  chrome: oldest('chrome'),
  chrome_android: oldest('chrome'),
  webview_android: oldest('android'),
  firefox: oldest('firefox'),
  safari: oldest('safari'),
  safari_ios: oldest('ios_saf'),
  samsunginternet_android: oldest('samsung'),
}
