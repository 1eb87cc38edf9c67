/** What moderators and their console keep. Names are lower case; the audit is only ever added to. */
export const consoleStatements = [
  `create table moderators (
    id text primary key,
    name text not null unique,
    password text not null,
    totp_secret text not null,
    totp_step bigint not null,
    created_at bigint not null,
    disabled_at bigint
  )`,
  `create table moderator_sessions (
    id text primary key,
    digest text not null unique,
    moderator_id text not null references moderators (id) on delete cascade,
    created_at bigint not null,
    seen_at bigint not null
  )`,
  'create index moderator_sessions_moderator on moderator_sessions (moderator_id)',
  // How often a case was decided: of two who decide at once, one finds it changed.
  `create table case_versions (
    account_id text primary key references accounts (id) on delete cascade,
    decided integer not null
  )`,
  `create table moderation_decisions (
    id integer primary key,
    moderator text not null,
    verdict text not null,
    rule text not null,
    upheld integer not null,
    opened_at bigint,
    at bigint not null
  )`,
  'create index moderation_decisions_at on moderation_decisions (at)',
  // What the queue and the search look for.
  'create index reports_open on reports (reported) where outcome is null',
  'create index findings_open on findings (account_id) where outcome is null',
  'create index accounts_status on accounts (status)',
  'create index accounts_email on accounts (lower(email))',
  'create index profiles_nick_name on profiles (lower(nick_name))',
  // No foreign keys: a line outlives whom and what it speaks of.
  `create table moderation_audit (
    id integer primary key,
    at bigint not null,
    moderator text,
    session text,
    action text not null,
    whom text,
    what text not null
  )`,
  'create index moderation_audit_whom on moderation_audit (whom, id)',
]
