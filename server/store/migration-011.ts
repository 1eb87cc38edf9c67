/** When the provider last vouched for the person, of sessions that somebody is signed in with. */
export const loginStatements = [
  'alter table user_sessions add column signed_in_at bigint',
  'update user_sessions set signed_in_at = attached_at where account_id is not null',
]
