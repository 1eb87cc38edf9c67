import type { ReactNode } from 'react'
import { isConfigured, providers } from '../account/rules/providers.ts'
import { formatChoice } from '../platform/texts/formats.ts'
import { usePlatform } from '../platform/use-platform.ts'
import type { Section } from '../ui/frame/article.tsx'
import { Linked } from '../ui/frame/linked.tsx'
import { useOperator } from '../ui/frame/use-operator.ts'

type PublicFacts = {
  /** The identity providers that the sign-in page offers, as in "Google or Facebook". */
  providers: string
  offersFacebook: boolean
  /** False if the operator has configured no contact address. */
  hasContact: boolean
  /** Whether a program examines camera pictures of the dashboard. */
  checks: 'on' | 'off' | 'unknown'
  /** Whether the safety curtain checks the pictures of calls on users' devices. */
  curtain: 'on' | 'off' | 'unknown'
}

function knownOf(isOn: boolean | null | undefined): 'on' | 'off' | 'unknown' {
  if (isOn === null || isOn === undefined) return 'unknown'
  return isOn ? 'on' : 'off'
}

/**
 * Returns the facts about this installation that the public pages mention. A prerendered page knows no installation: it
 * names every provider, says "our contact address", and leaves open whether there are checks.
 */
export function usePublicFacts(): PublicFacts {
  const operator = useOperator()
  const { texts } = usePlatform()
  const offered = operator ? providers.filter((provider) => isConfigured(provider, operator)) : providers
  return {
    providers: formatChoice(texts.language.value, offered),
    offersFacebook: offered.includes('Facebook'),
    hasContact: operator === null || operator.contactEmail !== null,
    checks: knownOf(operator?.frameClassifier),
    curtain: knownOf(operator && operator.curtainLooks > 0),
  }
}

/** A paragraph, a list or numbered steps; the sentences may have the links of `Linked`. False is left out. */
type Part = string | false | readonly string[] | { steps: readonly string[] }

/** A section of a public page that consists of sentences. */
export function section(id: string, title: string, ...parts: readonly Part[]): Section {
  return { id, title, body: parts.map(bodyOf) }
}

function bodyOf(part: Part): ReactNode {
  if (part === false) return null
  if (typeof part === 'string') {
    return (
      <p key={part}>
        <Linked text={part} />
      </p>
    )
  }
  const isNumbered = 'steps' in part
  const texts = isNumbered ? part.steps : part
  const List = isNumbered ? 'ol' : 'ul'
  return (
    <List key={texts[0]}>
      {texts.map((text) => (
        <li key={text}>
          <Linked text={text} />
        </li>
      ))}
    </List>
  )
}
