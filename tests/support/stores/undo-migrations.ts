const dropColumns = (table: string, columns: readonly string[]) =>
  columns.map((column) => `alter table ${table} drop column ${column}`)

/** SQL that takes back each migration whose statements cannot run twice. */
const undone: Record<string, readonly string[]> = {
  '013-own-profile': dropColumns('profiles', ['thumbnail', 'picture_check', 'picture_chosen', 'shows_picture']),
  '014-report-reasons': ['drop index reports_due', ...dropColumns('reports', ['reason', 'note', 'curtain', 'due_at'])],
  '015-evidence-prints': dropColumns('evidence', ['print']),
  '016-transparency': ['drop table transparency_reports'],
  '017-content-notices': ['drop table content_notices'],
  '018-preferences': ['drop table preferences'],
  '019-transparency-months': ['drop table transparency_months'],
  '020-changed-pictures': dropColumns('frame_signals', ['changed']),
  '021-ban-mailboxes': ['drop index bans_mailbox', ...dropColumns('bans', ['mailbox'])],
  '023-kept-records': [
    ...dropColumns('live_sessions', ['answered_at']),
    ...dropColumns('reports', ['settled']),
    'drop table kept_reports',
    'drop table kept_blocks',
  ],
  '025-refused-words': ['drop table refused_words'],
  '026-token-origins': dropColumns('refresh_tokens', ['used_network', 'used_device', 'is_crossed']),
  '027-risk-signal-digests': ['drop index risk_signals_digest'],
  '028-legal-records': ['drop table preservations', ...dropColumns('content_notices', ['signature', 'is_good_faith'])],
}

/** Returns the statements that make a present database one of the version before the migration `first`, given by its number. */
export function undoMigrations(first: string): string[] {
  const names = Object.keys(undone).filter((name) => name >= first)
  return [
    ...names.toReversed().flatMap((name) => undone[name] ?? []),
    `delete from kysely_migration where name >= '${first}'`,
  ]
}
