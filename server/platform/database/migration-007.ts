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
