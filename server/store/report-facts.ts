import type { CaseReport } from '../domain/console-ports.ts'
import type { Database } from './database.ts'

/** Reports with what moderation knows of each: the record of its reporter, and whether it answers a report of the other one. */
export function reportsWithFacts(db: Database) {
  return db.selectFrom('reports as report').select((build) => {
    const decided = (outcome: 'upheld' | 'dismissed') =>
      build
        .selectFrom('reports as earlier')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('earlier.reporter', '=', 'report.reporter')
        .where('earlier.outcome', '=', outcome)
    return [
      'report.session',
      'report.reporter',
      'report.reported',
      'report.type',
      'report.at',
      'report.callMs',
      'report.outcome',
      decided('upheld').as('upheld'),
      decided('dismissed').as('dismissed'),
      build
        .selectFrom('reports as first')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('first.reporter', '=', 'report.reported')
        .whereRef('first.reported', '=', 'report.reporter')
        .whereRef('first.at', '<', 'report.at')
        .where((inner) => inner.or([inner('first.outcome', 'is', null), inner('first.outcome', '=', 'upheld')]))
        .as('answered'),
    ]
  })
}

type Row = Omit<CaseReport, 'upheld' | 'dismissed' | 'retaliation'> & {
  reported: string
  upheld: number | null
  dismissed: number | null
  answered: number | null
}

export function withFacts({ answered, upheld, dismissed, ...row }: Row): CaseReport & { reported: string } {
  return { ...row, upheld: Number(upheld), dismissed: Number(dismissed), retaliation: Number(answered) > 0 }
}
