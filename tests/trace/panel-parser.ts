// The parser expects a browser: its own program for Node brings what it needs of one.
import '@paulirish/trace_engine/analyze-trace.mjs'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as PanelTrace from '@paulirish/trace_engine/models/trace/trace.js'
import * as v from 'valibot'

type Parsed = {
  /** Number of spans by track of each group, such as `Chat`. A track of no group is a group of its own name. */
  groups: Record<string, Record<string, number>>
  /** Scripts for which the parser found a source map in the file. */
  mappedScripts: number
}

const fileSchema = v.looseObject({
  traceEvents: v.custom<never[]>(Array.isArray),
  metadata: v.optional(v.custom<PanelTrace.Types.File.MetaData>((value) => typeof value === 'object')),
})

/** Parses the text of a trace as the browser's performance panel does when it loads a file. Throws what the panel would report. */
export async function parseAsPanel(text: string): Promise<Parsed> {
  const { traceEvents, metadata } = v.parse(fileSchema, JSON.parse(text))
  const model = PanelTrace.TraceModel.Model.createWithAllHandlers()
  const mapped = new Set<string>()
  await model.parse(traceEvents, {
    ...(metadata && { metadata }),
    async resolveSourceMap({ cachedRawSourceMap, scriptUrl }) {
      if (cachedRawSourceMap) mapped.add(scriptUrl)
      return null
    },
  })
  const data = model.parsedTrace()?.data
  if (!data) throw new Error('The performance panel found nothing in the trace')
  const groups = data.ExtensionTraceData.extensionTrackData.map(({ name, entriesByTrack }) => [
    name,
    Object.fromEntries(Object.entries(entriesByTrack).map(([track, entries]) => [track, entries.length])),
  ])
  return { groups: Object.fromEntries(groups), mappedScripts: mapped.size }
}

/** What is wrong with the file of a recording as the performance panel sees it, or what it found. */
export async function panelVerdict(path: string): Promise<{ isGood: boolean; text: string }> {
  try {
    const { groups, mappedScripts } = await parseAsPanel(gunzipSync(readFileSync(path)).toString())
    const tracks = Object.keys(groups.Chat ?? {})
    const missing = [
      ...(tracks.length === 0 ? ['the group Chat'] : []),
      ...(mappedScripts === 0 ? ['source maps'] : []),
    ]
    if (missing.length > 0)
      return { isGood: false, text: `the performance panel does not find ${missing.join(' and ')}` }
    return {
      isGood: true,
      text: `opens in the performance panel: ${tracks.length} tracks of Chat, ${mappedScripts} source maps`,
    }
  } catch (error) {
    return { isGood: false, text: `the performance panel refuses it: ${String(error)}` }
  }
}
