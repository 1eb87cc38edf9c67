/**
 * Adds the statements of a notice about an intimate picture, unknown for earlier ones, and the preservations of apparent child abuse.
 * `case_id` is no foreign key: a preservation outlasts the account. `kept_from` is the start of its retention period; `sealed` is the
 * encrypted copy of the case.
 */
export const legalRecordStatements = [
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
