/**
 * What users may choose about their profile picture. `thumbnail` is made when it is first needed. `picture_check` is unchecked, passed or
 * refused. `picture_chosen` is 1 once the user has chosen or removed the picture, which a sign-in then does not replace.
 */
export const profileStatements = [
  'alter table profiles add column thumbnail blob',
  "alter table profiles add column picture_check text not null default 'unchecked'",
  'alter table profiles add column picture_chosen integer not null default 0',
  'alter table profiles add column shows_picture integer not null default 0',
]
