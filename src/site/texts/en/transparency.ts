import { PRODUCT_NAME } from '#protocol/constants.ts'

/** Texts of the page with the transparency report. */
export const texts = {
  'transparency.title': 'Transparency',
  'transparency.lead': `What was reported on ${PRODUCT_NAME}, what we decided, how long it took, and how often we were wrong.`,
  'transparency.report': 'The report',
  'transparency.reading': 'Loading the report...',
  'transparency.none': 'No report has been published yet.',
  'transparency.unread': 'The report could not be loaded. Please try again in a moment.',
  'transparency.retry': 'Try again',
  'transparency.month': 'This report is about {from}.',
  'transparency.months': 'This report is about {from} to {to}.',
  'transparency.published': 'It was published on {date}.',
  'transparency.csv': 'Download it as CSV',
  'transparency.hidden': 'not shown',
  'transparency.hours': '{hours, plural, one {# hour} other {# hours}}',
  'transparency.percent': '{number}%',
  'transparency.part.notices': 'Reports by users',
  'transparency.part.content-notices': 'Notices by people without an account',
  'transparency.part.measures': 'Measures',
  'transparency.part.complaints': 'Appeals',
  'transparency.part.machines': 'Automated decisions',
  'transparency.indicator.notices-received': 'Reports that arrived, by reason',
  'transparency.indicator.notices-decided': 'Reports that moderators decided',
  'transparency.indicator.notices-median': 'From a report to its decision, half of them within',
  'transparency.indicator.content-notices-received': 'Notices by people without an account, by kind',
  'transparency.indicator.content-notices-decided': 'Notices of them that moderators answered',
  'transparency.indicator.content-notices-median': 'From a notice to its answer, half of them within',
  'transparency.indicator.restrictions': 'Measures against accounts, without decisions on appeals',
  'transparency.indicator.complaints': 'Appeals that arrived, by outcome',
  'transparency.indicator.complaints-median': 'From an appeal to its decision, half of them within',
  'transparency.indicator.automated-share': 'Share of the measures that were decided by machines alone',
  'transparency.indicator.automated-errors':
    'Share of them that a moderator lifted, of those that a moderator examined',
  'transparency.scope.total': 'In all',
  'transparency.scope.nudity': 'Nudity or sexual acts',
  'transparency.scope.harassment': 'Harassment or hate',
  'transparency.scope.under-18': 'May be under 18',
  'transparency.scope.violence': 'Violence or self-harm',
  'transparency.scope.spam': 'Spam or a recording',
  'transparency.scope.intimate-without-consent': 'Intimate pictures without consent',
  'transparency.scope.other': 'Something else',
  'transparency.scope.not-stated': 'No reason stated',
  'transparency.scope.intimate-picture': 'Intimate picture',
  'transparency.scope.impersonation': 'Impersonation',
  'transparency.scope.acted': 'We acted on it',
  'transparency.scope.declined': 'We did not act on it',
  'transparency.scope.action': 'The report was right',
  'transparency.scope.no-action': 'The report was not right',
  'transparency.scope.automatic-notices-warning': 'Machine, after reports: warning',
  'transparency.scope.automatic-notices-suspension': 'Machine, after reports: suspension',
  'transparency.scope.automatic-own-suspension': 'Machine, without a report: suspension',
  'transparency.scope.automatic-own-block': 'Machine, without a report: permanent block',
  'transparency.scope.moderator-warning': 'Moderator: warning',
  'transparency.scope.moderator-suspension': 'Moderator: suspension',
  'transparency.scope.moderator-block': 'Moderator: permanent block',
  'transparency.scope.moderator-restoration': 'Moderator: measure lifted without an appeal',
  'transparency.scope.reversed': 'The measure was lifted',
  'transparency.scope.reduced': 'The measure was reduced to a warning',
  'transparency.scope.kept': 'The measure stayed',
  'transparency.scope.late': 'Not decided in time, so ended in the user’s favour',
  'transparency.scope.pending': 'Still open',
  'transparency.method': 'How we count',
  'transparency.method.small':
    'Numbers from 1 to 4 are not shown, so that nobody can be recognised. Where a sum would give such a number away, other numbers or the sum are not shown either. Zero is shown.',
  'transparency.method.machines':
    'A machine decides alone when many independent reports weigh enough, when a program finds nudity in camera pictures of the dashboard, when a date of birth is that of a minor, and when a blocked person comes back. A suspension by a machine can be appealed, and a moderator then decides.',
  'transparency.method.records':
    'The numbers are computed from our records at the time of publication. What was deleted before, such as the reports of a deleted account, is not counted.',
} as const

declare global {
  interface TextGroups {
    transparency: typeof texts
  }
}
