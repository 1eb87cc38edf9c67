import { Linked } from '../ui/frame/linked.tsx'

export function LinkedParagraph({ text }: { text: string }) {
  return (
    <p>
      <Linked text={text} />
    </p>
  )
}
