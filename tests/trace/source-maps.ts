import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import * as v from 'valibot'
import { dataOf, type RawSourceMap, type TraceEvent, type TraceMetadata, textOf } from './trace-file.ts'

export type SourceMaps = TraceMetadata['sourceMaps']

const RUNDOWN = 'disabled-by-default-devtools.v8-source-rundown'
const COMPILED = 'disabled-by-default-devtools.target-rundown'

const mapSchema = v.looseObject({
  version: v.number(),
  sources: v.array(v.string()),
  sourcesContent: v.optional(v.array(v.nullable(v.string()))),
  names: v.array(v.string()),
  mappings: v.string(),
})

/** Reads the maps that lie beside the built scripts which the trace names. */
export function readSourceMaps(events: readonly TraceEvent[], origin: string, dist: string): SourceMaps {
  const urls = new Set(events.filter(({ cat }) => cat === RUNDOWN).map((event) => textOf(dataOf(event).url)))
  const maps: SourceMaps = []
  for (const url of urls) {
    if (!url.startsWith(`${origin}/`)) continue
    const file = join(dist, `${new URL(url).pathname}.map`)
    if (!existsSync(file)) continue
    const sourceMap: RawSourceMap = v.parse(mapSchema, JSON.parse(readFileSync(file, 'utf8')))
    maps.push({ url, sourceMapUrl: `${url}.map`, sourceMap })
  }
  return maps
}

/**
 * Returns the events with each script that has a map linked to it, as if the script ended with a sourceMappingURL comment: the build
 * writes none, and the panel looks a map up only by that address. Scripts of workers also get the page's frame, which the browser
 * does not record and without which the panel leaves them out.
 */
export function linkSourceMaps(events: readonly TraceEvent[], maps: SourceMaps): TraceEvent[] {
  const addresses = new Map(maps.map(({ url, sourceMapUrl }) => [url, sourceMapUrl]))
  const compiled = events.filter(({ cat }) => cat === COMPILED)
  const framed = new Set(compiled.map(scriptKey))
  const [example] = compiled
  return events.flatMap((event) => {
    const sourceMapUrl = event.cat === RUNDOWN ? addresses.get(textOf(dataOf(event).url)) : undefined
    if (sourceMapUrl === undefined) return [event]
    const linked = { ...event, args: { ...event.args, data: { ...dataOf(event), sourceMapUrl } } }
    if (!example || framed.has(scriptKey(event))) return [linked]
    const { isolate, scriptId, url } = dataOf(event)
    const data = { ...dataOf(example), isolate, scriptId, url, v8context: `worker-${isolate}` }
    return [{ ...event, cat: COMPILED, name: example.name, args: { data } }, linked]
  })
}

function scriptKey(event: TraceEvent): string {
  const { isolate, scriptId } = dataOf(event)
  return `${scriptId}@${isolate}`
}

/** Line and column count from 0, as in a profile's call frames. */
export type Position = { url: string; line: number; column: number; name: string }

/** Returns a function that names a position of a built script by its source, such as `dispatch src/call/state/call.ts:41`. */
export function sourceNames(maps: SourceMaps): (position: Position) => string {
  const byUrl = new Map(maps.map(({ url, sourceMap }) => [url, sourceMap]))
  const parsed = new Map<string, SourceMap>()
  return ({ url, line, column, name }) => {
    const raw = byUrl.get(url)
    if (!raw)
      return url === '' ? name || '(anonymous)' : `${name || '(anonymous)'} ${url.split('/').at(-1)}:${line + 1}`
    const map = parsed.get(url) ?? new SourceMap({ file: url, sourceRoot: '', sourcesContent: [], ...raw } as never)
    parsed.set(url, map)
    const entry = map.findEntry(line, column)
    // What the bundler adds belongs to no source.
    if (!('originalSource' in entry) || !entry.originalSource)
      return `${name || '(anonymous)'} ${url.split('/').at(-1)}:${line + 1}`
    const source = entry.originalSource.replace(/^(\.\.?\/)+/, '').replace(/^.*node_modules\//, '')
    return `${nameInSource(raw, entry) ?? (name || '(anonymous)')} ${source}:${entry.originalLine + 1}`
  }
}

/** Finds the name of a function in its source: the map has positions of functions, rarely their names. */
function nameInSource(
  { sources, sourcesContent }: RawSourceMap,
  {
    originalSource,
    originalLine,
    originalColumn,
  }: { originalSource: string; originalLine: number; originalColumn: number },
): string | undefined {
  const text = sourcesContent?.[sources.indexOf(originalSource)]?.split('\n')[originalLine]
  if (text === undefined) return undefined
  const before = /([\w$]+)\s*(?:[:=]\s*(?:async\s*)?|<[^>]*>\s*)?$/.exec(text.slice(0, originalColumn))?.[1]
  const after = /^(?:async\s+)?(?:function\b\s*\*?\s*)?([\w$]+)\s*[(<]/.exec(text.slice(originalColumn))?.[1]
  return [after, before].find(
    (name) => name !== undefined && !/^(?:function|async|return|const|await|export)$/.test(name),
  )
}
