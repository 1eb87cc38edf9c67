import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Indicator, TransparencyRow, TransparencyScope } from '#protocol/transparency.ts'
import type { Period } from './period.ts'

/**
 * The report as CSV (RFC 4180, UTF-8), with a row for each value. The form is that of the parts "appeals and recidivism" and "automated
 * means" of the quantitative template of Implementing Regulation (EU) 2024/2835. Sections, indicators and scopes have the template's words
 * if it has the same number, else our own words. An empty value is hidden.
 */

const HEADER =
  'Service,Reporting period start,Reporting period end,Section,Indicator,Scope,Value,Contextual Information'

type Described = { part: string; text: string; unit: 'count' | 'hours' | 'per cent'; total?: string }

const COMPLAINTS = {
  part: 'Internal complaints mechanism',
  text: 'Number of complaints submitted to the internal-complaints mechanism',
} as const
const AUTOMATED = 'Use of automated means for content moderation'

const indicators: Record<Indicator, Described> = {
  'notices-received': { part: 'Notices', text: 'Number of notices received', unit: 'count' },
  'notices-decided': { part: 'Notices', text: 'Number of notices processed', unit: 'count' },
  'notices-median': { part: 'Notices', text: 'Median time to take action', unit: 'hours' },
  'content-notices-received': {
    part: 'Notices',
    text: 'Number of notices received from people without an account',
    unit: 'count',
  },
  'content-notices-decided': {
    part: 'Notices',
    text: 'Number of notices processed, from people without an account',
    unit: 'count',
  },
  'content-notices-median': { part: 'Notices', text: 'Median time to answer people without an account', unit: 'hours' },
  restrictions: { part: 'Measures', text: 'Number of measures taken', unit: 'count' },
  complaints: { ...COMPLAINTS, unit: 'count', total: 'Total number' },
  'complaints-median': { ...COMPLAINTS, unit: 'hours', total: 'Median time' },
  'automated-share': { part: AUTOMATED, text: 'Measures taken by solely automated means', unit: 'per cent' },
  'automated-errors': { part: AUTOMATED, text: 'Error rate of automated means', unit: 'per cent' },
}

/** The template's name of each scope; for a reason, a category of its statements of reasons. */
const scopes: Record<TransparencyScope, string> = {
  total: 'Total',
  nudity: 'Pornography or sexualized content',
  harassment: 'Cyber violence: harassment; illegal or harmful speech',
  'under-18': 'Protection of minors',
  violence: 'Violence; self-harm',
  spam: 'Scope of platform service: spam, recording',
  'intimate-without-consent': 'Cyber violence: intimate material without consent',
  other: 'Other violation of the terms and conditions',
  'not-stated': 'No category stated',
  'intimate-picture': 'Cyber violence: intimate material without consent',
  impersonation: 'Scams and fraud: impersonation or account hijacking',
  acted: 'Action taken',
  declined: 'No action taken',
  action: 'Action taken',
  'no-action': 'No action taken',
  'automatic-notices-warning': 'Automated, after notices: warning',
  'automatic-notices-suspension': 'Automated, after notices: suspension of the account',
  'automatic-own-suspension': 'Automated, own initiative: suspension of the account',
  'automatic-own-block': 'Automated, own initiative: termination of the account',
  'moderator-warning': 'Human: warning',
  'moderator-suspension': 'Human: suspension of the account',
  'moderator-block': 'Human: termination of the account',
  'moderator-restoration': 'Human: restriction lifted without a complaint',
  reversed: 'Decisions reversed',
  reduced: 'Decisions partially reversed',
  kept: 'Decisions upheld',
  late: 'Not decided in time: ended in favour of the user',
  pending: 'Still open',
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function transparencyCsv({ from, to, rows }: Period & { rows: readonly TransparencyRow[] }): string {
  const lines = rows.map(({ indicator, scope, value }) => {
    const { part, text, unit, total } = indicators[indicator]
    const of = scope === 'total' && total ? total : scopes[scope]
    return [PRODUCT_NAME, from, to, part, text, of, value === null ? '' : String(value), unit].map(cell).join(',')
  })
  return [HEADER, ...lines].map((line) => `${line}\r\n`).join('')
}
