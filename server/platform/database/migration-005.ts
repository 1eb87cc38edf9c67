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
