import { Fragment, type ReactNode } from 'react'

/** What a sentence's tags stand for, by their names; `words` is what the tag holds. */
export type Tags = Readonly<Record<string, (words: string) => ReactNode>>

const tagged = /<([\w-]+)\/>|<([\w-]+)>(.*?)<\/\2>/g

/** A sentence with links or changing words in it, wherever its language puts them: `<name/>` or `<terms>our terms</terms>`. */
export function Rich({ text, tags }: { text: string; tags: Tags }) {
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(tagged)) {
    const [whole, single, name = single ?? '', words = ''] = match
    parts.push(text.slice(from, match.index))
    parts.push(<Fragment key={match.index}>{tags[name]?.(words) ?? words}</Fragment>)
    from = match.index + whole.length
  }
  parts.push(text.slice(from))
  return parts
}
