/** What moderators and their console keep. Names are lower case; the audit is only ever added to. */
export const consoleTables = [
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
