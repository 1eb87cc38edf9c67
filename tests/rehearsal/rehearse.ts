import { setUpNetwork } from './machine.ts'
import { createParts } from './parts.ts'
import { arrive, candidateTypes, chat, hideAddress, leave, meet, openBrowser } from './people.ts'
import { folderOf } from './machine.ts'
import { Provider } from './provider.ts'

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export async function rehearse(words: readonly string[]): Promise<number> {
  setUpNetwork()
  const provider = new Provider()
  await provider.start()
  const parts = createParts()
  for (const part of Object.values(parts)) {
    await part.start()
    say(`started   ${part.name}`)
  }
  const browser = await openBrowser(folderOf('browser'))
  const two = [await arrive(browser, 'Ada'), await arrive(browser, 'Bela')] as const
  await meet(two)
  await chat(two[0], two[1], 'Hello through all of it')
  say(`met       directly, over ${(await candidateTypes(two[0])).join(' and ')}`)
  await leave(two)
  const hidden = [await arrive(browser, 'Cleo'), await arrive(browser, 'Dora')] as const
  for (const person of hidden) await hideAddress(person)
  await meet(hidden)
  say(`met       over ${(await candidateTypes(hidden[0])).join(' and ')}`)
  await leave(hidden)
  return words.length === 0 ? 0 : 0
}
