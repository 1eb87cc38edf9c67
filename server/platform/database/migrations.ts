import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { moderationStatements } from './migration-003.ts'
import { evidenceStatements } from './migration-004.ts'
import { privacyStatements } from './migration-005.ts'
import { consoleStatements } from './migration-006.ts'
import { sharedStatements } from './migration-007.ts'
import { standingStatements } from './migration-010.ts'
import { contentNoticeStatements } from './migration-017.ts'
import { keptRecordStatements } from './migration-023.ts'
import { legalRecordStatements } from './migration-028.ts'
import { StoreError } from './store-error.ts'

const statements = [
  `create table accounts (
    id text primary key,
    provider text not null,
    subject text not null,
    email text not null,
    first_name text not null,
    last_name text not null,
    status text not null,
    created_at bigint not null,
    unique (provider, subject)
  )`,
  `create table profiles (
    account_id text primary key references accounts (id) on delete cascade,
    nick_name text not null,
    gender text not null,
    date_of_birth text not null,
    consent_version text not null,
    consent_at bigint not null,
    picture blob
  )`,
  `create table status_changes (
    id integer primary key,
    account_id text not null references accounts (id) on delete cascade,
    status text not null,
    changed_by text not null,
    why text not null,
    at bigint not null
  )`,
  `create table user_sessions (
    id text primary key,
    account_id text references accounts (id) on delete set null,
    created_at bigint not null,
    entered_at bigint,
    attached_at bigint,
    browser text,
    device text,
    os text,
    city text,
    country text
  )`,
  `create table ip_details (
    session_id text primary key references user_sessions (id) on delete cascade,
    ip text not null,
    hostname text not null,
    city text not null,
    country text not null,
    loc text not null
  )`,
  `create table refresh_tokens (
    digest text primary key,
    family text not null,
    account_id text not null references accounts (id) on delete cascade,
    session_id text not null,
    expires_at bigint not null,
    used_at bigint,
    successor text
  )`,
  'create index refresh_tokens_family on refresh_tokens (family)',
  'create index refresh_tokens_expiry on refresh_tokens (expires_at)',
  `create table meetings (
    first text not null references accounts (id) on delete cascade,
    second text not null references accounts (id) on delete cascade,
    at bigint not null,
    primary key (first, second)
  )`,
  'create index meetings_second on meetings (second)',
  `create table blocks (
    by text not null references accounts (id) on delete cascade,
    whom text not null references accounts (id) on delete cascade,
    at bigint not null,
    primary key (by, whom)
  )`,
  'create index blocks_whom on blocks (whom)',
  `create table reports (
    session text not null,
    reporter text not null references accounts (id) on delete cascade,
    reported text not null references accounts (id) on delete cascade,
    type text not null,
    at bigint not null,
    primary key (session, reporter)
  )`,
  'create index reports_reported on reports (reported, at)',
  `create table live_sessions (
    id text primary key,
    caller text not null references accounts (id) on delete cascade,
    callee text not null references accounts (id) on delete cascade,
    started_at bigint not null,
    connected integer not null,
    ended_at bigint
  )`,
  'create index live_sessions_live on live_sessions (id) where ended_at is null',
  `create table log_batches (
    session text not null,
    key text not null,
    at bigint not null,
    primary key (session, key)
  )`,
  'create index log_batches_at on log_batches (at)',
  `create table log_entries (
    id integer primary key,
    session text not null,
    level text not null,
    message text not null,
    platform text not null,
    date_time text not null,
    at bigint not null
  )`,
  `create table frames (
    id integer primary key,
    account_id text not null references accounts (id) on delete cascade,
    session_id text not null,
    kind text not null,
    bytes integer not null,
    at bigint not null
  )`,
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
  '001-first': migration(statements),
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
