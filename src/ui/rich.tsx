import { Fragment, type ReactNode } from 'react'

/** Renderers for the tags of a sentence, by name. `words` is the text inside the tag. */
export type Tags = Readonly<Record<string, (words: string) => ReactNode>>

const tagged = /<([\w-]+)\/>|<([\w-]+)>(.*?)<\/\2>/g

/** A translated sentence with tags for links or values: `<name/>` or `<terms>our terms</terms>`. */
export function Rich({ text, tags }: { text: string; tags: Tags }) {
  const parts: ReactNode[] = []
  const add = (part: ReactNode) => parts.push(<Fragment key={parts.length}>{part}</Fragment>)
  let from = 0
  for (const match of text.matchAll(tagged)) {
    const [whole, single, name = single ?? '', words = ''] = match
    add(text.slice(from, match.index))
    add(tags[name]?.(words) ?? words)
    from = match.index + whole.length
  }
  add(text.slice(from))
  return parts
}
