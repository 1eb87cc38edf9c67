import { DAY_MS } from '#protocol/durations.ts'

/** The moderator, reason, start and end of every status; outcomes of reports; bans and signals as digests, without network addresses. */
export const moderationStatements = [
  'alter table accounts add column status_until bigint',
  'create index accounts_status_until on accounts (status_until)',

  "alter table status_changes add column from_status text not null default 'Valid'",
  "alter table status_changes add column actor_kind text not null default 'policy'",
  'alter table status_changes add column actor_id text',
  "alter table status_changes add column what text not null default 'reports'",
  "alter table status_changes add column rule text not null default 'guidelines'",
  'alter table status_changes add column until bigint',
  'alter table status_changes rename column why to reason',
  `update status_changes set from_status = coalesce(
    (select earlier.status from status_changes as earlier
      where earlier.account_id = status_changes.account_id and earlier.id < status_changes.id
      order by earlier.id desc limit 1), 'Valid')`,
  "update status_changes set actor_kind = 'user', actor_id = changed_by where changed_by = account_id",
  "update status_changes set actor_kind = 'age', what = 'age', rule = 'adults-only' where status = 'Blocked'",
  `update status_changes set until = at + ${30 * DAY_MS} where status = 'Warning'`,
  `update status_changes set until = at + ${10 * DAY_MS} where status in ('Appeal', 'InReview')`,
  `update accounts set status_until = (select max(until) from status_changes
    where status_changes.account_id = accounts.id and status_changes.status = accounts.status)`,
  'alter table status_changes drop column changed_by',
  'create index status_changes_account on status_changes (account_id, id)',

  'alter table reports add column call_ms bigint',
  'alter table reports add column outcome text',
  'alter table reports add column decided_at bigint',
  // The duration of earlier calls was not recorded, so their reports keep their weight.
  'update reports set call_ms = 60000',
  'create index reports_reporter on reports (reporter, outcome)',

  `create table findings (
    id integer primary key,
    account_id text not null references accounts (id) on delete cascade,
    session text not null,
    label text not null,
    score real not null,
    at bigint not null,
    outcome text,
    decided_at bigint
  )`,
  'create index findings_account on findings (account_id, at)',

  `create table case_notices (
    account_id text primary key references accounts (id) on delete cascade,
    outcome text not null,
    at bigint not null
  )`,
  `create table outbox (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    outcome text not null,
    attempts integer not null,
    created_at bigint not null,
    next_at bigint not null
  )`,
  'create index outbox_next on outbox (next_at)',

  `create table bans (
    person text primary key,
    rule text not null,
    at bigint not null
  )`,
  `create table banned_signals (
    person text not null references bans (person) on delete cascade,
    kind text not null,
    digest text not null,
    at bigint not null,
    expires_at bigint not null,
    primary key (person, kind, digest)
  )`,
  'create index banned_signals_digest on banned_signals (digest)',
  `create table risk_signals (
    account_id text not null references accounts (id) on delete cascade,
    kind text not null,
    digest text not null,
    at bigint not null,
    primary key (account_id, kind, digest)
  )`,

  'alter table ip_details drop column ip',
  'alter table ip_details drop column hostname',
  'alter table ip_details drop column loc',
]
