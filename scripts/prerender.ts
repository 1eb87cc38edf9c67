import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { build } from 'vite'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import { type Language, languages, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { listOf, parse, recordOf } from '#protocol/parse.ts'
import { buildArticleScript, buildBrowserCheck, buildFirstScript } from './page-scripts.ts'
import { textChunkOf } from './text-chunks.ts'

const MANIFEST = '.vite/manifest.json'

/** Largest number of chunks in a build's manifest. */
const CHUNKS_MAX = 10_000

const manifestSchema = recordOf(
  v.object({
    file: v.string(),
    name: v.optional(v.string()),
    isEntry: v.optional(v.boolean(), false),
    css: v.optional(listOf(v.string(), CHUNKS_MAX), []),
    imports: v.optional(listOf(v.string(), CHUNKS_MAX), []),
  }),
  CHUNKS_MAX,
)
type Manifest = v.InferOutput<typeof manifestSchema>

const modulesSchema = listOf(v.string(), CHUNKS_MAX)
const screenSchema = v.object({ modules: modulesSchema, texts: modulesSchema })
const nextScreenSchema = v.object({ ...screenSchema.entries, screen: v.string() })

/** The part of the texts of src/app/browser-check.ts that is used here. */
type BrowserTexts = { script: { title: string; text: string }; actions: { again: string; about: string } }
type Page = { body: string; direction: string; description: string; browserTexts: BrowserTexts }
const rendererSchema = v.object({
  prerendered: recordOf(screenSchema, CHUNKS_MAX),
  nextScreens: v.object({ visitor: nextScreenSchema, member: nextScreenSchema }),
  renderPage: v.custom<(path: string, language: Language) => Promise<Page>>((value) => typeof value === 'function'),
})

type Files = { scripts: string[]; styles: string[] }

/** Returns the module's key in the manifest. A chunk of several modules has the name of its file as key. */
function chunkOf(manifest: Manifest, module: string): string {
  const shared = textChunkOf(module)
  const [found] =
    Object.entries(manifest).find(([key, { name }]) => key === module || (shared && name === shared)) ?? []
  if (found === undefined) throw new Error(`The build has no chunk for ${module}`)
  return found
}

/** Returns the files of the modules' chunks and their imports, without those that the page's entry loads. */
function filesOf(manifest: Manifest, wanted: string[]): Files {
  const closure = (start: string[]) => {
    const names = new Set(start)
    for (const name of names) for (const next of manifest[name]?.imports ?? []) names.add(next)
    return names
  }
  const entry = closure(Object.keys(manifest).filter((name) => manifest[name]?.isEntry))
  const chunks = wanted.map((module) => chunkOf(manifest, module))
  const more = [...closure(chunks)].filter((name) => !entry.has(name)).flatMap((name) => manifest[name] ?? [])
  return { scripts: more.map(({ file }) => file), styles: more.flatMap(({ css }) => css) }
}

/** Returns the modules with the texts of a language; the pseudo-language is made from the English ones. */
function textModules(language: Language, groups: string[]): string[] {
  if (language !== PSEUDO_LANGUAGE) return groups.flatMap((group) => globSync(`src/*/texts/${language}/${group}.ts`))
  return ['src/platform/texts/pseudo.ts', ...textModules('en', groups)]
}

function withLinks(html: string, links: string[]): string {
  return html.replace('</head>', () => `${links.join('')}</head>`)
}

function withFiles(html: string, { scripts, styles }: Files): string {
  return withLinks(html, [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ])
}

/**
 * Links to the files of a screen that is shown later. The browser loads them after the app and the worker; files that
 * the page names already are left out.
 */
function linksAhead(html: string, { scripts, styles }: Files): string[] {
  const links = [
    ...scripts.map((file) => ({ file, kind: 'rel="modulepreload"' })),
    ...styles.map((file) => ({ file, kind: 'rel="preload" as="style"' })),
  ]
  return links
    .filter(({ file }) => !html.includes(file))
    .map(({ file, kind }) => `<link ${kind} fetchpriority="low" crossorigin href="/${file}">`)
}

/** Tells the app what to load before the start-up has chosen a screen. */
function withNextScreen(html: string, screen: string): string {
  return html.replace('<html ', `<html data-next="${screen}" `)
}

const appScript = /<script type="module" [^>]*><\/script>/

/**
 * Puts the scripts right after the page's encoding, each in an element of its own, so that a browser skips a script that it cannot read.
 * The app's script stands before them: it is loaded while they run, and runs when the page is complete.
 */
function withScripts(html: string, ...scripts: string[]): string {
  const [app = ''] = appScript.exec(html) ?? []
  const elements = scripts.map((code) => `<script>${code}</script>`).join('')
  return html.replace(app, '').replace('<meta charset="utf-8" />', (charset) => charset + app + elements)
}

/** Adds what the page tells if the app cannot run: as data of the browser check, and as HTML for a browser that runs no script. */
function withBrowserTexts(html: string, { script, ...texts }: BrowserTexts): string {
  const { actions } = texts
  const message = `<main id="unsupported"><h1>${script.title}</h1><p>${script.text}</p><p><a href="">${actions.again}</a></p><p><a href="/about">${actions.about}</a></p></main>`
  const data = JSON.stringify(texts).replaceAll('<', '\\u003c')
  return withLinks(html, ['<noscript><link rel="stylesheet" href="/no-script.css"></noscript>'])
    .replace('<div id="root">', (root) => `<noscript>${message}</noscript>${root}`)
    .replace('</body>', (end) => `<script type="application/json" id="unsupported-texts">${data}</script>${end}`)
}

/** Puts the page's heading into its title, except for the first page, whose heading is the product's name: the title has that already. */
function withTitle(html: string, body: string): string {
  const heading = /<h1[^>]*>([^<]+)<\/h1>/.exec(body)?.[1]
  return heading && heading !== PRODUCT_NAME ? html.replace('<title>', () => `<title>${heading} · `) : html
}

function inLanguage(html: string, language: Language, { direction, description }: Page): string {
  return html
    .replace('<html lang="en">', `<html lang="${language}" dir="${direction}">`)
    .replace('name="description" content=""', () => `name="description" content="${description}"`)
}

/** Builds the program that renders pages, from the sources alone. Resolves with its folder, which `prerenderPages` removes. */
export async function buildRenderer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-prerender-'))
  await build({
    logLevel: 'warn',
    build: {
      ssr: 'src/app/prerender.tsx',
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      sourcemap: false,
    },
    // Bundles all packages, because the output folder is outside of the project and cannot resolve them.
    ssr: { noExternal: true },
  })
  return folder
}

/** Writes the empty shell, the splash and each static page in every language into `dist`; the browser hydrates them. */
export async function prerenderPages(dist: string, renderer?: string): Promise<void> {
  const folder = renderer ?? (await buildRenderer())
  try {
    const module: unknown = await import(pathToFileURL(join(folder, 'prerender.js')).href)
    const { prerendered, nextScreens, renderPage } = parse(rendererSchema, module)
    const manifest = parse(manifestSchema, JSON.parse(readFileSync(join(dist, MANIFEST), 'utf8')))
    const shell = readFileSync(join(dist, 'index.html'), 'utf8')
    const [browserCheck, firstScript] = [await buildBrowserCheck(), await buildFirstScript(dist)]
    const articleScript = await buildArticleScript()
    for (const language of languages) {
      const pages = join(dist, '.pages', language)
      mkdirSync(pages, { recursive: true })
      for (const [path, needs] of Object.entries(prerendered)) {
        const page = await renderPage(path, language)
        const modules = [...textModules(language, ['first', ...needs.texts]), ...needs.modules]
        const whole = withFiles(inLanguage(shell, language, page), filesOf(manifest, modules))
        const drawn = withTitle(
          whole.replace('<div id="root">', (root) => root + page.body),
          page.body,
        )
        if (path !== '/') {
          writeFileSync(join(pages, `${path.slice(1)}.html`), withScripts(drawn, browserCheck, articleScript))
          continue
        }
        const finish = (html: string) =>
          withBrowserTexts(withScripts(html, browserCheck, firstScript), page.browserTexts)
        for (const [visitor, { screen, modules, texts }] of Object.entries(nextScreens)) {
          const ahead = linksAhead(drawn, filesOf(manifest, [...modules, ...textModules(language, texts)]))
          const expected = withNextScreen(withLinks(drawn, ahead), screen)
          const name = visitor === 'member' ? 'index.member.html' : 'index.html'
          writeFileSync(join(pages, name), finish(expected))
        }
        // For any other path nothing is prerendered, and only the first texts are certain to be needed.
        writeFileSync(join(pages, 'shell.html'), finish(whole))
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
