import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { build } from 'vite'
import { PRODUCT_NAME } from '#protocol/constants.ts'

const MANIFEST = '.vite/manifest.json'

const manifestSchema = v.record(
  v.string(),
  v.object({
    file: v.string(),
    isEntry: v.optional(v.boolean(), false),
    css: v.optional(v.array(v.string()), []),
    imports: v.optional(v.array(v.string()), []),
  }),
)
type Manifest = v.InferOutput<typeof manifestSchema>

const rendererSchema = v.object({
  prerendered: v.record(v.string(), v.nullable(v.string())),
  renderPage: v.custom<(path: string) => Promise<string>>((value) => typeof value === 'function'),
})

/** What a module's chunk needs that the page's entry does not bring: its own files and those it imports. */
function filesOf(manifest: Manifest, wanted: string): { scripts: string[]; styles: string[] } {
  const closure = (start: string[]) => {
    const names = new Set(start)
    for (const name of names) for (const next of manifest[name]?.imports ?? []) names.add(next)
    return names
  }
  const entry = closure(Object.keys(manifest).filter((name) => manifest[name]?.isEntry))
  if (!manifest[wanted]) throw new Error(`The build has no chunk for ${wanted}`)
  const more = [...closure([wanted])].filter((name) => !entry.has(name)).flatMap((name) => manifest[name] ?? [])
  return { scripts: more.map(({ file }) => file), styles: more.flatMap(({ css }) => css) }
}

function withFiles(html: string, { scripts, styles }: { scripts: string[]; styles: string[] }): string {
  const links = [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ]
  return html.replace('</head>', () => `${links.join('')}</head>`)
}

/** A page is called in the tab what its heading calls it; the first one bears the product's name, which stands there already. */
function withTitle(html: string, body: string): string {
  const heading = /<h1[^>]*>([^<]+)<\/h1>/.exec(body)?.[1]
  return heading && heading !== PRODUCT_NAME ? html.replace('<title>', () => `<title>${heading} · `) : html
}

/** Writes the splash and each static page as HTML into `dist`, where the browser takes them over. */
export async function prerenderPages(dist: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-prerender-'))
  try {
    await build({
      logLevel: 'warn',
      build: {
        ssr: 'src/app/prerender.tsx',
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        sourcemap: false,
      },
      // All in one: a folder outside of the project finds no packages.
      ssr: { noExternal: true },
    })
    const module: unknown = await import(pathToFileURL(join(folder, 'prerender.js')).href)
    const { prerendered, renderPage } = v.parse(rendererSchema, module)
    const manifest = v.parse(manifestSchema, JSON.parse(readFileSync(join(dist, MANIFEST), 'utf8')))
    const shell = readFileSync(join(dist, 'index.html'), 'utf8')
    mkdirSync(join(dist, '.pages'))
    for (const [path, chunk] of Object.entries(prerendered)) {
      const body = await renderPage(path)
      const page = shell.replace('<div id="root">', (root) => root + body)
      const whole = withTitle(chunk === null ? page : withFiles(page, filesOf(manifest, chunk)), body)
      writeFileSync(join(dist, '.pages', `${path.slice(1) || 'index'}.html`), whole)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
