import { globSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Deletes files of packages that nothing here reads, after each install: source maps, the headers of Node for C++, a model of 30 MB, and
 * bundles for pages that use a package without a build.
 */

const unread = [
  '**/*.map',
  'node/node_modules/*/include',
  'nsfwjs/dist/{browser,models/inception_v3}',
  '@tensorflow/*/dist/{miniprogram,*.{min,fesm,es2017}.js,**/*_test.{js,d.ts}}',
  'date-fns/{fp,**/cdn*.js}',
  'third-party-web/dist/domain-map.csv',
]

const packages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')
for (const path of globSync(unread, { cwd: packages })) rmSync(join(packages, path), { recursive: true, force: true })
