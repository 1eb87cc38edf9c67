/**
 * Languages and interests of users, one row each. A table of its own: SQLite reads the picture of a profile to come to the columns after it,
 * and interests are counted over all users.
 */
export const preferenceStatements = [
  `create table preferences (
    account_id text not null references accounts (id) on delete cascade,
    kind text not null,
    position integer not null,
    value text not null,
    primary key (account_id, kind, position)
  )`,
  "create index preferences_interests on preferences (value, account_id) where kind = 'interest'",
]
