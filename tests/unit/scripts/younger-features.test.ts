import { expect, test } from 'vitest'
import { buildTargets, floor } from '../../../scripts/browser-floor.ts'
import { faultsOf, readRows } from '../../../scripts/features/feature-table.ts'
import { youngerInScript } from '../../../scripts/features/script-features.ts'
import { youngerInStyle } from '../../../scripts/features/style-features.ts'

const namesOf = (features: { name: string }[]) => features.map(({ name }) => name)

test('the builds are compiled for the oldest browsers', () => {
  expect(buildTargets).toEqual(['chrome109', 'firefox128', 'safari16.4', 'ios16.4'])
  expect(floor).toMatchObject({ webview_android: '109', samsunginternet_android: '21' })
})

const scripts: [string, string, string][] = [
  ['a static method', 'Promise.withResolvers()', 'Promise.withResolvers'],
  ['a method of an array', 'list.toSorted()', 'Array.toSorted'],
  ['a method of a set', 'one.union(other)', 'Set.union'],
  ['a method of an iterator', 'map.values().map(String)', 'Iterator.map'],
  ['a global', 'new VideoFrame(video)', 'VideoFrame'],
  ['a global of the window', 'window.requestIdleCallback(task)', 'Window.requestIdleCallback'],
  ['a property of the navigator', 'navigator.userAgentData', 'Navigator.userAgentData'],
  ['a property by its text', 'navigator["userAgentData"]', 'Navigator.userAgentData'],
  ['a property taken out', 'const { connection } = navigator', 'Navigator.connection'],
  [
    'a property of an object that every browser has',
    'receiver.jitterBufferTarget = 1',
    'RTCRtpReceiver.jitterBufferTarget',
  ],
  ['an event', 'addEventListener("scrollend", end)', 'Document.scrollend'],
  ['an attribute', 'jsx("ul", { popover: "auto" })', 'attribute popover'],
]

test.each(scripts)('finds %s in a script', (_, code, name) => {
  expect(namesOf(youngerInScript(code))).toEqual([name])
})

const known = [
  'list.at(-1)',
  'Object.hasOwn(a, b)',
  'structuredClone(a)',
  'AbortSignal.timeout(1)',
  '[...map.values()].map(String)',
  'a.b = { connection: 1 }',
]

test.each(known)('finds nothing in %s', (code) => {
  expect(youngerInScript(code)).toEqual([])
})

const styles: [string, string, string][] = [
  ['a function', 'a { background: color-mix(in oklab, var(--a), red) }', 'color-mix()'],
  ['a property', 'a { anchor-name: --b }', 'anchor-name'],
  ['a value', 'a { width: stretch }', 'width: stretch'],
  ['a pseudo-class', 'a:popover-open { color: red }', ':popover-open'],
  ['nesting', 'a { & b { color: red } }', 'nesting'],
  ['an at-rule', '@starting-style { a { color: red } }', '@starting-style'],
  ['a unit', 'a { width: 1rcap }', 'rcap'],
]

test.each(styles)('finds %s in a stylesheet', (_, text, name) => {
  expect(namesOf(youngerInStyle(text))).toEqual([name])
})

test('finds nothing in a stylesheet for the oldest browsers', () => {
  const text =
    '@media (width >= 1px) { a:has(b) { inset-block: 0; height: 100dvh; width: 10cqi; color: rgb(1 2 3 / 4%) } }'
  expect(youngerInStyle(text)).toEqual([])
})

test('the document has to name what is used, and no more, with its versions', () => {
  const found = new Map([['a.js', youngerInScript('navigator.userAgentData; new VideoFrame(a)')]])
  const rows = [
    '| `VideoFrame` | Chrome 94, Firefox 130, Safari 16.4 | a bitmap |',
    '| `Navigator.userAgentData` | Chrome 90, WebView 119, Firefox none, Safari none | the string |',
  ]
  const faults = (...lines: string[]) => faultsOf(readRows(lines.join('\n')), found)
  expect(faults(...rows)).toEqual([])
  expect(faults(rows[0] ?? '')).toEqual([expect.stringContaining('a.js uses `Navigator.userAgentData`')])
  expect(faults(...rows, '| `Symbol.dispose` | signals |')).toEqual([expect.stringContaining('`Symbol.dispose`')])
  const older = rows.map((row) => row.replace('94', '93'))
  expect(faults(...older)).toEqual([expect.stringContaining('the table says Chrome 93')])
})
