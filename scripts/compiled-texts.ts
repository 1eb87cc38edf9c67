import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import * as v from 'valibot'
import type { Plugin } from 'vite'
import type {} from 'vitest/config'
import { parse, recordOf } from '#protocol/parse.ts'

/** A file of texts, and its language. */
const TEXTS = /\/src\/\w+\/texts\/([a-z]{2})\/[\w-]+\.ts(?:\?|$)/

const TEXTS_MAX = 10_000

/** The modules of what makes a sentence at run time. */
const makersIn = { filled: 'texts', icu: 'icu' } as const
const fileSchema = v.object({ texts: recordOf(v.string(), TEXTS_MAX) })

/** Compiles the sentences of src at build time, so that the browser does not load their parser. */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    enforce: 'pre',
    // Vitest caches a transformed file by its source. A compiled sentence also depends on this plugin, so texts are not cached.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (TEXTS.test(id) ? false : null)),
    transform: {
      filter: { id: TEXTS },
      async handler(_code, id) {
        const [file = id] = id.split('?', 1)
        const language = TEXTS.exec(id)?.[1]
        if (language === undefined) return null
        const module: unknown = await import(`${pathToFileURL(file).href}?at=${statSync(file).mtimeMs}`)
        const makers = new Set<keyof typeof makersIn>()
        const lines = Object.entries(parse(fileSchema, module).texts).map(([key, sentence]) => {
          const tokens = compileMessageOrThrow(sentence)
          const line = (value: string) => `${JSON.stringify(key)}: ${value},`
          if (tokens.every((token) => typeof token === 'string')) return line(JSON.stringify(tokens.join('')))
          // A sentence whose values are inserted as they are needs no plural rules of a language.
          const maker = tokens.every((token) => typeof token === 'string' || token.length === 1) ? 'filled' : 'icu'
          makers.add(maker)
          const compiled = JSON.stringify(tokens)
          return line(maker === 'filled' ? `filled(${compiled})` : `icu('${language}', ${compiled})`)
        })
        const head = [...makers]
          .map((maker) => `import { ${maker} } from '../../../platform/texts/${makersIn[maker]}.ts'\n`)
          .join('')
        return { code: `${head}export const texts = {\n${lines.join('\n')}\n}\n`, map: null }
      },
    },
  }
}
