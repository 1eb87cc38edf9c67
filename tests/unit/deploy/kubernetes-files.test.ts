import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** No cluster is here: the compiler checks the manifests against the types of the Kubernetes API, unknown fields included. */

// Comes with knip.
const { parseAllDocuments } = createRequire(import.meta.resolve('knip'))('yaml') as typeof import('yaml')

type Manifest = { apiVersion: string; kind: string }
type Named = { name: string; manifest: Manifest }

const FOLDER = 'deploy/kubernetes'
/** Of a tool, not of the API. */
const KUSTOMIZE = 'kustomize.config.k8s.io/v1beta1'

function readManifests(): Named[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => {
      const documents = parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8'))
      return [...documents].map((document) => ({ name, manifest: document.toJS() as Manifest }))
    })
    .filter(({ manifest }) => manifest.apiVersion !== KUSTOMIZE)
}

/** The group of `apps/v1` is `apps`, of `networking.k8s.io/v1` `networking`, and `v1` alone is the core group. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`
}

/** Returns what the compiler says of the manifests, one line an error. */
function compile(manifests: readonly Named[]): string[] {
  // The compiler looks for packages above the file.
  mkdirSync('test-results', { recursive: true })
  const folder = mkdtempSync('test-results/kubernetes-')
  try {
    const files = manifests.map(({ name, manifest }, index) => {
      const file = join(folder, `${name.replace('.yaml', '')}-${index}.ts`)
      const type = `import('kubernetes-types/${moduleOf(manifest.apiVersion)}').${manifest.kind}`
      writeFileSync(file, `export const manifest: ${type} = ${JSON.stringify(manifest, null, 2)}\n`)
      return file
    })
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve']
    const { stdout } = spawnSync('node_modules/.bin/tsc', [...options, '--types', '', ...files], { encoding: 'utf8' })
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('each manifest has the fields of its kind', () => {
  const manifests = readManifests()
  expect(manifests.map(({ manifest }) => manifest.kind)).toContain('Deployment')
  expect(compile(manifests)).toEqual([])
})

test('a field that does not exist is found', () => {
  const [deployment] = readManifests().filter(({ manifest }) => manifest.kind === 'Deployment')
  if (!deployment) throw new Error('no Deployment')
  const text = JSON.stringify(deployment.manifest)
  const misspelt = JSON.parse(text.replaceAll('readOnlyRootFilesystem', 'readOnlyRootFileSystem')) as Manifest
  expect(compile([{ ...deployment, manifest: misspelt }]).join()).toContain('readOnlyRootFileSystem')
  const wrong = JSON.parse(text.replaceAll('"maxSkew":1', '"maxSkew":"one"')) as Manifest
  expect(compile([{ ...deployment, manifest: wrong }]).join()).toContain("'string' is not assignable to type 'number'")
})
