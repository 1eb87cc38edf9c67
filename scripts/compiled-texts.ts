import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import * as v from 'valibot'
import type { Plugin } from 'vite'
import { parse, recordOf } from '#protocol/parse.ts'

const TEXTS_MAX = 10_000
const fileSchema = v.object({ texts: recordOf(v.string(), TEXTS_MAX) })

/** Compiles the sentences of src/texts at build time, so that the browser does not load their parser. */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    enforce: 'pre',
    async transform(_code, id) {
      const [file = id] = id.split('?', 1)
      const language = /\/src\/texts\/([a-z]{2})\/[\w-]+\.ts$/.exec(file)?.[1]
      if (language === undefined) return null
      const module: unknown = await import(`${pathToFileURL(file).href}?at=${statSync(file).mtimeMs}`)
      let filled = false
      const lines = Object.entries(parse(fileSchema, module).texts).map(([key, sentence]) => {
        const tokens = compileMessageOrThrow(sentence)
        const plain = tokens.every((token) => typeof token === 'string')
        filled ||= !plain
        const value = plain ? JSON.stringify(tokens.join('')) : `icu('${language}', ${JSON.stringify(tokens)})`
        return `${JSON.stringify(key)}: ${value},`
      })
      const head = filled ? "import { icu } from '../icu.ts'\n" : ''
      return { code: `${head}export const texts = {\n${lines.join('\n')}\n}\n`, map: null }
    },
  }
}
