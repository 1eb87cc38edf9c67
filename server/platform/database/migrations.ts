import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import {
  consoleStatements,
  evidenceStatements,
  firstStatements,
  moderationStatements,
  privacyStatements,
  sharedStatements,
} from './migrations-001-007.ts'
import { StoreError } from './store-error.ts'

const KEPT_CALL_MS = 60_000
/** Distinct partners in calls of the reporter that lasted at least `KEPT_CALL_MS`. */
const keptCalls = `(select count(distinct case when caller = reports.reporter then callee else caller end)
  from live_sessions where (caller = reports.reporter or callee = reports.reporter)
    and connected = 1 and ended_at - started_at >= ${KEPT_CALL_MS})`

/** Confirmations of each call, facts for the standing of each reporter, and open cases of deleted accounts. */
const standingStatements = [
  'alter table live_sessions add column caller_saw_at bigint',
  'alter table live_sessions add column callee_saw_at bigint',
  // Earlier, only the Caller confirmed a call, so those calls keep their weight.
  'update live_sessions set caller_saw_at = started_at, callee_saw_at = started_at where connected = 1',

  'alter table reports add column reporter_saw integer not null default 0',
  'alter table reports add column reported_saw integer not null default 0',
  'alter table reports add column kept_calls integer not null default 0',
  `update reports set reporter_saw = 1, reported_saw = 1, kept_calls = ${keptCalls}`,

  `create table kept_cases (
    person text primary key,
    account_id text references accounts (id) on delete set null,
    status text not null,
    what text not null,
    rule text not null,
    until bigint,
    reports integer not null,
    findings integer not null,
    at bigint not null,
    expires_at bigint not null
  )`,
  'create index kept_cases_account on kept_cases (account_id)',
  'create index kept_cases_expiry on kept_cases (expires_at)',
]

/**
 * Notices of people without an account. `request_key` is the browser's. `email_next_at` is when the email with the answer is due; null
 * while there is none, and once it was sent (`emailed_at`) or given up.
 */
const contentNoticeStatements = [
  `create table content_notices (
    id text primary key,
    reference text not null unique,
    request_key text not null unique,
    kind text not null,
    email text not null,
    language text not null,
    day text not null,
    time text,
    description text not null,
    link text,
    at bigint not null,
    due_at bigint not null,
    outcome text,
    answer text,
    answered_by text,
    answered_at bigint,
    email_next_at bigint,
    email_attempts integer not null default 0,
    emailed_at bigint
  )`,
  'create index content_notices_open on content_notices (due_at, id) where answered_at is null',
  'create index content_notices_answered on content_notices (answered_at)',
  'create index content_notices_email on content_notices (email_next_at) where email_next_at is not null',
]

/**
 * Adds two tables of what is kept after an account is deleted, under a keyed digest of the person: reports, and blocks. Adds two columns:
 * whether the reporter of a report was settled, and when the answer of a match was relayed.
 */
const keptRecordStatements = [
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

/**
 * Adds the statements of a notice about an intimate picture, unknown for earlier ones, and the preservations of apparent child abuse.
 * `case_id` is no foreign key: a preservation outlasts the account. `kept_from` is the start of its retention period; `sealed` is the
 * encrypted copy of the case.
 */
const legalRecordStatements = [
  'alter table content_notices add column signature text',
  'alter table content_notices add column is_good_faith integer not null default 0',

  `create table preservations (
    id text primary key,
    receipt text not null unique,
    case_id text not null,
    incident_type text not null,
    opened_by text not null,
    opened_at bigint not null,
    confirmed_by text,
    confirmed_at bigint,
    authority text,
    authority_reference text,
    sent_by text,
    sent_at bigint,
    kept_from bigint not null,
    key_id text not null,
    sealed blob not null
  )`,
  'create index preservations_case on preservations (case_id)',
  'create index preservations_kept on preservations (kept_from)',
]

function migration(statements: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}

/** In order of their names; a released migration is never changed. Written for SQLite, see postgres.ts. */
const migrations: Record<string, Migration> = {
  '001-first': migration(firstStatements),
  // Unknown for earlier frames.
  '002-frame-sizes': migration([
    'alter table frames add column width integer not null default 0',
    'alter table frames add column height integer not null default 0',
  ]),
  '003-moderation': migration(moderationStatements),
  '004-evidence': migration(evidenceStatements),
  '005-privacy': migration(privacyStatements),
  '006-console': migration(consoleStatements),
  '007-many-servers': migration(sharedStatements),
  '008-audit-time': migration(['create index moderation_audit_at on moderation_audit (at)']),
  '009-language': migration(["alter table accounts add column language text not null default 'en'"]),
  '010-standing': migration(standingStatements),
  /** The time of the last sign-in at the provider, for each session that has a login. */
  '011-logins': migration([
    'alter table user_sessions add column signed_in_at bigint',
    'update user_sessions set signed_in_at = attached_at where account_id is not null',
  ]),
  // A pair with a report never meets again; before, only with the report type BlockAndReport.
  '012-reported-pairs': migration([
    `insert into blocks (by, whom, at) select reporter, reported, min(at) from reports
    where not exists (select 1 from blocks where by = reporter and whom = reported)
    group by reporter, reported`,
  ]),
  /**
   * What users may choose about their profile picture. `thumbnail` is made when it is first needed. `picture_check` is unchecked, passed or
   * refused. `picture_chosen` is 1 once the user has chosen or removed the picture, which a sign-in then does not replace.
   */
  '013-own-profile': migration([
    'alter table profiles add column thumbnail blob',
    "alter table profiles add column picture_check text not null default 'unchecked'",
    'alter table profiles add column picture_chosen integer not null default 0',
    'alter table profiles add column shows_picture integer not null default 0',
  ]),
  '014-report-reasons': migration([
    'alter table reports add column reason text',
    'alter table reports add column note text',
    'alter table reports add column curtain text',
    'alter table reports add column due_at bigint',
    'create index reports_due on reports (due_at) where due_at is not null and outcome is null',
  ]),
  // Unknown for earlier pictures.
  '015-evidence-prints': migration(['alter table evidence add column print text']),
  '016-transparency': migration([
    `create table transparency_reports (
      from_month text not null,
      to_month text not null,
      report text not null,
      published_at bigint not null,
      primary key (from_month, to_month)
    )`,
  ]),
  '017-content-notices': migration(contentNoticeStatements),
  /**
   * Languages and interests of users, one row each. A table of its own: SQLite reads the picture of a profile to come to the columns after it,
   * and interests are counted over all users.
   */
  '018-preferences': migration([
    `create table preferences (
    account_id text not null references accounts (id) on delete cascade,
    kind text not null,
    position integer not null,
    value text not null,
    primary key (account_id, kind, position)
  )`,
    "create index preferences_interests on preferences (value, account_id) where kind = 'interest'",
  ]),
  // Each month of a report, also of a withdrawn one, belongs to its period.
  '019-transparency-months': migration([
    `create table transparency_months (
      month text not null primary key,
      from_month text not null,
      to_month text not null
    )`,
    `insert into transparency_months (month, from_month, to_month)
    with tens (digit) as (values ('0'), ('1'), ('2'), ('3'), ('4'), ('5'), ('6'), ('7'), ('8'), ('9')),
      ones (digit) as (select digit from tens),
      months (number) as (values ('01'), ('02'), ('03'), ('04'), ('05'), ('06'), ('07'), ('08'), ('09'), ('10'), ('11'), ('12')),
      named (month) as (select '20' || tens.digit || ones.digit || '-' || number from tens cross join ones cross join months)
    select month, min(from_month), min(to_month) from transparency_reports, named
    where month between from_month and to_month
    group by month`,
  ]),
  '020-changed-pictures': migration(['alter table frame_signals add column changed integer not null default 0']),
  '021-ban-mailboxes': migration([
    'alter table bans add column mailbox text',
    'create index bans_mailbox on bans (mailbox)',
  ]),
  '023-kept-records': migration(keptRecordStatements),
  '025-refused-words': migration([
    'create table refused_words (word text primary key, moderator text not null, at bigint not null)',
  ]),
  // Unknown for earlier uses.
  '026-token-origins': migration([
    'alter table refresh_tokens add column used_network text',
    'alter table refresh_tokens add column used_device text',
    'alter table refresh_tokens add column is_crossed integer not null default 0',
  ]),
  '027-risk-signal-digests': migration(['create index risk_signals_digest on risk_signals (digest)']),
  '028-legal-records': migration(legalRecordStatements),
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && /previously executed migration \S+ is missing/.test(error.message))) return error
  return new StoreError('The records were brought up to date by a newer version of the server: start that one')
}

/** Migrates the tables in one transaction. Of several servers, one migrates at a time. */
export async function migrate<Tables>(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw explain(error)
}
