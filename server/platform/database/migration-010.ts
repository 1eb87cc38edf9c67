const KEPT_CALL_MS = 60_000
/** Distinct partners in calls of the reporter that lasted at least `KEPT_CALL_MS`. */
const keptCalls = `(select count(distinct case when caller = reports.reporter then callee else caller end)
  from live_sessions where (caller = reports.reporter or callee = reports.reporter)
    and connected = 1 and ended_at - started_at >= ${KEPT_CALL_MS})`

/** Confirmations of each call, facts for the standing of each reporter, and open cases of deleted accounts. */
export const standingStatements = [
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
