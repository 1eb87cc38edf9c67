/** The time of the last sign-in at the provider, for each session that has a login. */
export const loginStatements = [
  'alter table user_sessions add column signed_in_at bigint',
  'update user_sessions set signed_in_at = attached_at where account_id is not null',
]
