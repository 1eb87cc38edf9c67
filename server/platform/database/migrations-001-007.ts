import { DAY_MS } from '#protocol/durations.ts'

/** The statements of migrations 001 and 003 to 007. A released migration is never changed. */

export const firstStatements = [
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

export const evidenceStatements = [
  `create table evidence (
    id text primary key,
    kind text not null,
    uploader text not null references accounts (id) on delete cascade,
    subject text not null references accounts (id) on delete cascade,
    session text,
    reporter text,
    user_session text not null,
    sha256 text not null,
    at bigint not null,
    key_id text not null,
    signature text not null,
    sealed blob not null,
    unique (session, reporter, uploader)
  )`,
  'create index evidence_subject on evidence (subject)',
  'create index evidence_uploader on evidence (uploader)',
  'create index evidence_at on evidence (at)',
  'create index live_sessions_caller on live_sessions (caller, started_at)',
  'create index live_sessions_callee on live_sessions (callee, started_at)',
  `create table frame_signals (
    id integer primary key,
    account_id text not null references accounts (id) on delete cascade,
    from_at bigint not null,
    at bigint not null,
    expected integer not null,
    came integer not null,
    black integer not null,
    longest_gap_ms bigint not null,
    same_frame_repeated integer not null,
    suspicious integer not null
  )`,
  'create index frame_signals_account on frame_signals (account_id, at)',
  'create index frame_signals_at on frame_signals (at)',
]

/**
 * Deletion requests, legal holds, and the indexes without which an erasure or a retention run would read whole tables. A request
 * outlives its account and holds no personal data. A hold prevents every deletion of the account.
 */
export const privacyStatements = [
  'alter table accounts add column logins_since bigint not null default 0',
  'alter table accounts add column erased_at bigint',
  // `owner_id` keeps the owner of a session after a logout clears `account_id`.
  'alter table user_sessions add column owner_id text references accounts (id) on delete set null',
  'update user_sessions set owner_id = account_id',
  `create table deletion_requests (
    id text primary key,
    account_id text references accounts (id) on delete set null,
    source text not null,
    requested_at bigint not null,
    start_at bigint not null,
    due_at bigint not null,
    ended_at bigint,
    outcome text
  )`,
  'create unique index deletion_requests_pending on deletion_requests (account_id) where ended_at is null',
  'create index deletion_requests_start on deletion_requests (start_at) where ended_at is null',
  'create index deletion_requests_ended on deletion_requests (ended_at)',
  `create table deletion_codes (
    digest text primary key,
    request_id text not null references deletion_requests (id) on delete cascade,
    proof text not null
  )`,
  'create index deletion_codes_proof on deletion_codes (proof)',
  'create index deletion_codes_request on deletion_codes (request_id)',
  `create table legal_holds (
    account_id text primary key references accounts (id) on delete restrict,
    reason text not null,
    set_by text not null,
    at bigint not null
  )`,
  'create index erasure_user_sessions on user_sessions (owner_id)',
  'create index erasure_refresh_tokens on refresh_tokens (account_id)',
  'create index erasure_frames on frames (account_id)',
  'create index erasure_outbox on outbox (account_id)',
  'create index erasure_log_entries on log_entries (session)',
  'create index retention_accounts on accounts (erased_at)',
  'create index retention_sessions on user_sessions (created_at)',
  'create index retention_login_sessions on refresh_tokens (session_id)',
  'create index retention_meetings on meetings (at)',
  'create index retention_reports on reports (at)',
  'create index retention_decided_reports on reports (decided_at)',
  'create index retention_findings on findings (at)',
  'create index retention_live_sessions on live_sessions (ended_at)',
  'create index retention_log_entries on log_entries (at)',
  'create index retention_frames on frames (at)',
]

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

/** Tables for servers that share a database. A single server does not use them. */
export const sharedStatements = [
  `create table repeats (
    account_id text not null references accounts (id) on delete cascade,
    call text not null,
    key text not null,
    owner text not null,
    answer text,
    free_repeats integer not null,
    expires_at bigint not null,
    primary key (account_id, call, key)
  )`,
  'create index repeats_expiry on repeats (expires_at)',
  `create table shared_secrets (
    name text primary key,
    value text not null
  )`,
]
