/**
 * Adds two tables of what is kept after an account is deleted, under a keyed digest of the person: reports, and blocks. Adds two columns:
 * whether the reporter of a report was settled, and when the answer of a match was relayed.
 */
export const keptRecordStatements = [
  'alter table live_sessions add column answered_at bigint',
  // Unknown for earlier reports.
  'alter table reports add column settled integer not null default 0',

  `create table kept_reports (
    session text not null,
    person text not null,
    account_id text references accounts (id) on delete set null,
    reported text references accounts (id) on delete set null,
    reason text,
    at bigint not null,
    outcome text,
    decided_at bigint,
    primary key (session, person)
  )`,
  'create index kept_reports_person on kept_reports (person)',
  'create index kept_reports_account on kept_reports (account_id)',
  'create index kept_reports_reported on kept_reports (reported)',

  `create table kept_blocks (
    by_person text not null,
    whom_person text not null,
    by_account text references accounts (id) on delete set null,
    whom_account text references accounts (id) on delete set null,
    at bigint not null,
    kept_at bigint not null,
    primary key (by_person, whom_person)
  )`,
  'create index kept_blocks_whom on kept_blocks (whom_person)',
  'create index kept_blocks_by_account on kept_blocks (by_account)',
  'create index kept_blocks_whom_account on kept_blocks (whom_account)',
]
