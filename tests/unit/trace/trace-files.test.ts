import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mergeTraces } from '../../trace/merge.ts'
import { linkSourceMaps, readSourceMaps, sourceNames } from '../../trace/source-maps.ts'
import { parseEvents, type TraceFile, type TraceMetadata, writeTrace } from '../../trace/trace-file.ts'
import { event, ORIGIN, SCRIPT } from './made-trace.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waggle-trace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The built script's first line is the second of its source, from `function dispatch`. */
const sourceMap = {
  version: 3,
  sources: ['../../src/call/state/call.ts'],
  sourcesContent: ['// The call.\nexport function dispatch(event) {}'],
  names: [],
  mappings: 'AACO',
}

const metadata: TraceMetadata = {
  source: 'DevTools',
  startTime: '2026-01-01T00:00:00Z',
  cpuThrottling: 1,
  enhancedTraceVersion: 1,
  sourceMaps: [{ url: SCRIPT, sourceMapUrl: `${SCRIPT}.map`, sourceMap }],
}

const scriptEvent = (url: string) =>
  event('ScriptCatchup', 1, {
    cat: 'disabled-by-default-devtools.v8-source-rundown',
    args: { data: { url, scriptId: 5, isolate: '1' } },
  })

describe('source maps in a trace', () => {
  it('are read from beside the scripts of the product, and linked to them', () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'assets/app-1.js.map'), JSON.stringify(sourceMap))
    const events = [SCRIPT, SCRIPT, `${ORIGIN}/assets/other.js`, 'https://elsewhere.example/assets/app-1.js'].map(
      scriptEvent,
    )
    const maps = readSourceMaps(events, ORIGIN, folder)
    expect(maps).toEqual(metadata.sourceMaps)
    expect(linkSourceMaps(events, maps).map(({ args }) => args.data)).toEqual([
      { url: SCRIPT, scriptId: 5, isolate: '1', sourceMapUrl: `${SCRIPT}.map` },
      { url: SCRIPT, scriptId: 5, isolate: '1', sourceMapUrl: `${SCRIPT}.map` },
      { url: `${ORIGIN}/assets/other.js`, scriptId: 5, isolate: '1' },
      { url: 'https://elsewhere.example/assets/app-1.js', scriptId: 5, isolate: '1' },
    ])
  })

  it("are found for scripts of workers, which get the page's frame", () => {
    const cat = 'disabled-by-default-devtools.target-rundown'
    const compiled = event('ScriptCompiled', 1, { cat, args: { data: { frame: 'F', scriptId: 5, isolate: '1' } } })
    const ofWorker = event('ScriptCatchup', 2, {
      cat: 'disabled-by-default-devtools.v8-source-rundown',
      args: { data: { url: SCRIPT, scriptId: 5, isolate: '2' } },
    })
    const linked = linkSourceMaps([compiled, scriptEvent(SCRIPT), ofWorker], metadata.sourceMaps)
    expect(linked.map(({ name }) => name)).toEqual([
      'ScriptCompiled',
      'ScriptCatchup',
      'ScriptCompiled',
      'ScriptCatchup',
    ])
    expect(linked[2]?.args.data).toMatchObject({ frame: 'F', scriptId: 5, isolate: '2' })
  })

  it('name a function by its source', () => {
    const nameOf = sourceNames(metadata.sourceMaps)
    expect(nameOf({ url: SCRIPT, line: 0, column: 3, name: 'n' })).toBe('dispatch src/call/state/call.ts:2')
    expect(nameOf({ url: `${ORIGIN}/assets/other.js`, line: 3, column: 0, name: 'n' })).toBe('n other.js:4')
    expect(nameOf({ url: '', line: -1, column: -1, name: '(garbage collector)' })).toBe('(garbage collector)')
  })
})

it('a trace is compressed JSON that begins with its metadata', () => {
  const trace: TraceFile = { metadata, traceEvents: [event('RunTask', 1), event('Layout', 2)] }
  writeTrace(join(folder, 'trace.json.gz'), trace)
  const text = gunzipSync(readFileSync(join(folder, 'trace.json.gz'))).toString()
  expect(text).toMatch(/^\{"metadata": \{"source":"DevTools"/)
  expect(JSON.parse(text).metadata).toEqual(metadata)
  expect(parseEvents(text)).toEqual(trace.traceEvents)
})

describe('two traces on one axis', () => {
  const frames = (processId: number) => ({ args: { data: { frames: [{ frame: 'F', processId }] } } })
  const process = (name: string, pid: number) => event('process_name', 0, { ph: 'M', pid, args: { name } })
  const ada = [process('Renderer', 7), event('TracingStartedInBrowser', 10, frames(7)), event('a', 30, { id: '0x1' })]
  const bela = [
    process('Renderer', 7),
    process('Browser', 8),
    event('TracingStartedInBrowser', 20, frames(7)),
    event('b', 25, { id: 1, id2: { global: '0x2' } }),
  ]
  const merged = mergeTraces([
    { person: 'Ada', trace: { metadata, traceEvents: ada } },
    { person: 'Bela', trace: { metadata, traceEvents: bela } },
  ])

  it('keep their times, in order, and have one map for each script', () => {
    expect(merged.traceEvents.map(({ ts }) => ts)).toEqual([0, 0, 0, 10, 20, 25, 30])
    expect(merged.metadata).toEqual(metadata)
  })

  it('have processes of different ids, named after their person', () => {
    const names = merged.traceEvents.filter(({ ph }) => ph === 'M').map(({ pid, args }) => [pid, args.name])
    expect(names).toEqual([
      [7, 'Ada: Renderer'],
      [10_000_007, 'Bela: Renderer'],
      [8, 'Bela: Browser'],
    ])
    expect(merged.traceEvents.filter(({ name }) => name.startsWith('Tracing')).map(({ args }) => args)).toEqual([
      frames(7).args,
      frames(10_000_007).args,
    ])
  })

  it('have events of different ids', () => {
    expect(merged.traceEvents.slice(-2)).toMatchObject([
      { name: 'b', id: 'Bela-1', id2: { global: 'Bela-0x2' } },
      { name: 'a', id: 'Ada-0x1' },
    ])
  })
})
