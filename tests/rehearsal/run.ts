import { fileURLToPath } from 'node:url'
import { WHY_PLAIN } from './containers.ts'
import { prepareImages } from './images.ts'
import { rehearsalFolder, runInMachine } from './machine.ts'
import { needPrograms } from './programs.ts'
import { rehearse } from './rehearse.ts'

/**
 * `npm run rehearse`: starts every service of deploy/container/compose.yaml with the deployed files on a machine of its own, lets two browsers meet
 * through all of it, breaks each part and waits until its alert fires and clears. Words on the command line choose among the drills; `upgrade` and `slot` are rehearsals of
 * their own, which need no such machine.
 */

const [what, revision] = process.argv.slice(2)
if (what === 'upgrade') process.exit(await (await import('./upgrade.ts')).rehearseUpgrade(revision))
if (what === 'slot') process.exit(await (await import('./slot.ts')).rehearseSlot())
if (rehearsalFolder === '') {
  await needPrograms()
  process.exitCode = await runInMachine(fileURLToPath(import.meta.url), process.argv.slice(2), {
    [WHY_PLAIN]: await prepareImages(),
  })
} else process.exit(await rehearse(process.argv.slice(2)))
