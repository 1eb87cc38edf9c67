/**
 * Notices of people without an account. `request_key` is the browser's. `email_next_at` is when the email with the answer is due; null
 * while there is none, and once it was sent (`emailed_at`) or given up.
 */
export const contentNoticeStatements = [
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
