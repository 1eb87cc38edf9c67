import { build } from 'vite'
import { compiledTexts } from '../../scripts/compiled-texts.ts'

/** Builds the catalogue of texts of the project in the folder that the argument names, into its folder `built`. */
await build({
  root: process.argv[2] ?? '',
  configFile: false,
  logLevel: 'warn',
  plugins: [compiledTexts()],
  build: { ssr: 'src/platform/texts/catalogue.ts', outDir: 'built' },
})
