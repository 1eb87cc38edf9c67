/** Tables of moderators and the console. Names are lower case; rows of the audit are only added. */
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
  // The number of decisions of a case, so that of two concurrent decisions the second fails.
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
  // Indexes for the queue and the search.
  'create index reports_open on reports (reported) where outcome is null',
  'create index findings_open on findings (account_id) where outcome is null',
  'create index accounts_status on accounts (status)',
  'create index accounts_email on accounts (lower(email))',
  'create index profiles_nick_name on profiles (lower(nick_name))',
  // No foreign keys: a row outlives the moderator and the account that it names.
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
